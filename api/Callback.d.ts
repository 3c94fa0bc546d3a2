import * as SecureRandom from "effect/crypto/SecureRandom";
import * as Effect from "effect/Effect";
import { AuthConfig } from "./AuthConfig.ts";
import { AuthRequest } from "./AuthRequest.ts";
import * as AuthResponse from "./AuthResponse.ts";
import type { Callbacks } from "./Callbacks.ts";
import { Checks } from "./Checks.ts";
import type { ResponseCookie } from "./Cookie.ts";
import { type AuthError } from "./Errors.ts";
import type { Events } from "./Events.ts";
import { Jwt } from "./Jwt.ts";
import { OAuthClient } from "./OAuthClient.ts";
import type { RedirectProvider } from "./Provider/Provider.ts";
type Services = AuthConfig | AuthRequest | Callbacks | Events | Jwt;
export interface Interrupted {
    readonly failure: AuthError;
    readonly cookies: ReadonlyArray<ResponseCookie>;
}
export declare const callback: (provider: RedirectProvider) => Effect.Effect<AuthResponse.AuthResponse, Interrupted, Checks | OAuthClient | SecureRandom.SecureRandom | Services>;
export {};
