import * as Effect from "effect/Effect";
import { AuthConfig } from "./AuthConfig.ts";
import { AuthRequest } from "./AuthRequest.ts";
import * as AuthResponse from "./AuthResponse.ts";
import type { Callbacks } from "./Callbacks.ts";
import { Checks } from "./Checks.ts";
import { Csrf } from "./Csrf.ts";
import { type AuthError } from "./Errors.ts";
import { Jwt } from "./Jwt.ts";
import { OAuthClient } from "./OAuthClient.ts";
import type { Provider, RedirectProvider } from "./Provider/Provider.ts";
export declare const provider: Effect.Effect<Provider, AuthError, AuthConfig | AuthRequest>;
export declare const callbackAddress: ({ basePath }: AuthConfig["Service"], request: AuthRequest["Service"], redirectProvider: RedirectProvider) => {
    readonly redirectUri: string;
    readonly proxied: string | undefined;
};
export declare const signIn: Effect.Effect<AuthResponse.AuthResponse, AuthError, AuthConfig | AuthRequest | Callbacks | Checks | Csrf | Jwt | OAuthClient>;
