import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import * as HttpClient from "effect/http/HttpClient";
import { AuthConfig } from "./AuthConfig.ts";
import { InvalidCheck, OAuthCallbackError, OAuthProfileParseError, OAuthSignInError } from "./Errors.ts";
import { type Site } from "./internal/Scope.ts";
import type { Flow } from "./oauth/Flow.ts";
import { type SignedIn } from "./oauth/Profiles.ts";
import type { RedirectProvider } from "./Provider/Provider.ts";
export type { SignedIn } from "./oauth/Profiles.ts";
export interface AuthorizationUrlRequest {
    readonly redirectUri: string;
    readonly state: string;
    readonly nonce: string | undefined;
    readonly codeChallenge: string | undefined;
    readonly parameters: ReadonlyArray<readonly [name: string, value: string]>;
    readonly fromServer?: boolean;
}
export interface AuthorizationAnswer {
    readonly parameters: URLSearchParams;
    readonly flow: Flow;
}
declare const OAuthClient_base: Context.ServiceClass<OAuthClient, "effect-doorman/OAuthClient", {
    readonly authorizationUrl: (provider: RedirectProvider, request: AuthorizationUrlRequest) => Effect.Effect<string, OAuthSignInError>;
    readonly exchange: (provider: RedirectProvider, answer: AuthorizationAnswer) => Effect.Effect<SignedIn, OAuthCallbackError | OAuthProfileParseError | InvalidCheck>;
}>;
export declare class OAuthClient extends OAuthClient_base {
    static readonly make: (client: HttpClient.HttpClient, site?: Site) => OAuthClient["Service"];
    static readonly layer: Layer.Layer<OAuthClient, never, AuthConfig | HttpClient.HttpClient>;
}
