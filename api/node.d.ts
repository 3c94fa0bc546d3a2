import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerAuth } from "./ServerAuth.ts";
export type NodeHandler = (request: IncomingMessage & {
    readonly originalUrl?: string;
    readonly body?: unknown;
}, response: ServerResponse, next?: (error?: unknown) => void) => void;
export declare const toNodeHandler: (auth: Pick<ServerAuth, "basePath" | "handler" | "requestUrl">, other?: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>) => NodeHandler;
