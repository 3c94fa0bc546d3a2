import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import { MalformedRequest } from "./Errors.ts";
export declare const of: (request: HttpServerRequest, origin: string | undefined) => Effect.Effect<URL, MalformedRequest>;
export declare const routed: (request: HttpServerRequest, origin: string | undefined) => Effect.Effect<URL, MalformedRequest>;
