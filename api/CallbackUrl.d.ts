import * as Effect from "effect/Effect";
import { AuthConfig } from "./AuthConfig.ts";
import { type AuthRequest } from "./AuthRequest.ts";
import { Callbacks } from "./Callbacks.ts";
import { type ResponseCookie } from "./Cookie.ts";
import { MalformedRequest } from "./Errors.ts";
export declare const canonical: (address: string, origin: string) => string | undefined;
export declare const allow: (request: {
    readonly method: "GET" | "POST";
    readonly url: URL;
    readonly origin: string;
    readonly action: import("./Action.ts").AuthAction;
    readonly providerId: string | undefined;
    readonly body: Readonly<Record<string, unknown>> | undefined;
    readonly cookies: import("./internal/CookieHeader.ts").CookieHeader;
    readonly headers: Headers;
}, address: string, from?: "application" | "client" | undefined) => Effect.Effect<string, never, AuthConfig | Callbacks>;
export declare const target: (request: {
    readonly method: "GET" | "POST";
    readonly url: URL;
    readonly origin: string;
    readonly action: import("./Action.ts").AuthAction;
    readonly providerId: string | undefined;
    readonly body: Readonly<Record<string, unknown>> | undefined;
    readonly cookies: import("./internal/CookieHeader.ts").CookieHeader;
    readonly headers: Headers;
}) => Effect.Effect<string, MalformedRequest, AuthConfig | Callbacks>;
export declare const remember: (settings: AuthConfig["Service"], request: AuthRequest["Service"], url: string) => ReadonlyArray<ResponseCookie>;
export declare const forgetSpoilt: (settings: AuthConfig["Service"], request: AuthRequest["Service"]) => ReadonlyArray<ResponseCookie>;
