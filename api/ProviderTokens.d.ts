import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import { type NotAllowed, NotSignedIn, type SessionUnavailable } from "./access/AccessProblem.ts";
import { Doorman } from "./Doorman.ts";
import type { MalformedRequest } from "./Errors.ts";
import * as ProviderToken from "./oauth/ProviderToken.ts";
export type { ProviderToken, TokenFailure, TokenRequest } from "./oauth/ProviderToken.ts";
export type { NotAllowed, NotSignedIn, SessionUnavailable } from "./access/AccessProblem.ts";
export declare function get(request: ProviderToken.TokenRequest): Effect.Effect<ProviderToken.ProviderToken, ProviderToken.TokenFailure, Doorman>;
export declare function get(request: Omit<ProviderToken.TokenRequest, "userId"> & {
    readonly userId?: undefined;
}): Effect.Effect<ProviderToken.ProviderToken, MalformedRequest | NotAllowed | NotSignedIn | ProviderToken.TokenFailure | SessionUnavailable, Doorman | HttpServerRequest>;
export declare const revoke: (request: Omit<ProviderToken.TokenRequest, "minimumValidity">) => Effect.Effect<void, ProviderToken.TokenFailure, Doorman>;
