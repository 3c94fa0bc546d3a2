import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { ServerAuth } from "./server/ServerAuth.ts";
type AnyIncoming = IncomingMessage | Http2ServerRequest;
type AnyOutgoing = ServerResponse | Http2ServerResponse;
export type NodeHandler<In extends AnyIncoming = AnyIncoming, Out extends AnyOutgoing = AnyOutgoing> = (request: In & {
    readonly originalUrl?: string;
    readonly body?: unknown;
}, response: Out, next?: (error?: unknown) => void) => void;
type Answering = Pick<ServerAuth, "basePath" | "handler" | "requestUrl">;
export declare function toNodeHandler(auth: Answering): NodeHandler;
export declare function toNodeHandler<In extends AnyIncoming = IncomingMessage, Out extends AnyOutgoing = ServerResponse>(auth: Answering, other: (request: In, response: Out) => void | Promise<void>): NodeHandler<In, Out>;
export {};
