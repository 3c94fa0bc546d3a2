import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import { type HostPolicy } from "./config/HostPolicy.ts";
import { MalformedRequest } from "./Errors.ts";
export declare const of: (request: HttpServerRequest, policy: HostPolicy) => Effect.Effect<URL, MalformedRequest>;
export declare const routed: (request: HttpServerRequest, policy: HostPolicy) => Effect.Effect<URL, MalformedRequest>;
