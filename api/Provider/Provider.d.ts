import type * as Redacted from "effect/Redacted";
import type { Answer } from "../internal/Answer.ts";
import type { Profile, TokenSet, User } from "../Models.ts";
export type { Answer } from "../internal/Answer.ts";
export interface ProviderStyle {
    readonly logo?: string | undefined;
    readonly brandColor?: string | undefined;
    readonly bg?: string | undefined;
    readonly text?: string | undefined;
}
export interface Endpoint {
    readonly url: string | undefined;
}
export type ClientAuthentication = "client_secret_basic" | "client_secret_post" | "client_secret_jwt" | "private_key_jwt" | "none";
export interface UserinfoContext {
    readonly tokens: TokenSet;
    readonly provider: RedirectProvider["source"];
    readonly fetch: typeof globalThis.fetch;
}
export interface ProfileContext {
    readonly fetch: typeof globalThis.fetch;
}
export interface ClientPrivateKey {
    readonly key: InstanceType<typeof globalThis.CryptoKey>;
    readonly kid?: string | undefined;
}
interface RedirectProviderBase {
    readonly id: string;
    readonly name: string;
    readonly style: ProviderStyle | undefined;
    readonly issuer: string | undefined;
    readonly clientId: string;
    readonly clientSecret: Redacted.Redacted | undefined;
    readonly clientAuthentication: ClientAuthentication;
    readonly clientPrivateKey: ClientPrivateKey | undefined;
    readonly clientMetadata: Readonly<Record<string, unknown>>;
    readonly authorizationParameters: ReadonlyArray<readonly [name: string, value: string]>;
    readonly authorization: Endpoint;
    readonly token: Endpoint & {
        readonly conform: ((response: Response) => Answer<Response | undefined>) | undefined;
        readonly request: ((context: TokenRequestContext) => Answer<{
            readonly tokens: TokenSet;
        }>) | undefined;
    };
    readonly userinfo: Endpoint & {
        readonly request: ((context: UserinfoContext) => Answer<unknown>) | undefined;
    };
    readonly formPost: boolean;
    readonly redirectProxyUrl: string | undefined;
    readonly allowDangerousEmailAccountLinking: boolean;
    readonly fetch: typeof globalThis.fetch | undefined;
    readonly adaptFetch: ((inner: typeof globalThis.fetch) => typeof globalThis.fetch) | undefined;
    readonly profile: (profile: Profile, tokens: TokenSet, context?: ProfileContext) => Answer<User>;
    readonly account: (tokens: TokenSet) => TokenSet | undefined;
    readonly conform: "apple" | "microsoft-entra-id" | undefined;
    readonly source: Readonly<Record<string, unknown>>;
}
export interface TokenRequestContext {
    readonly params: Readonly<Record<string, string>>;
    readonly checks: {
        readonly code_verifier: string | undefined;
    };
    readonly provider: RedirectProvider["source"];
}
export interface OAuthProvider extends RedirectProviderBase {
    readonly _tag: "OAuth";
    readonly type: "oauth";
}
export interface OidcProvider extends RedirectProviderBase {
    readonly _tag: "Oidc";
    readonly type: "oidc";
    readonly idToken: boolean;
}
export type RedirectProvider = OAuthProvider | OidcProvider;
export interface CredentialField {
    readonly name: string;
    readonly label: string | undefined;
    readonly type: string | undefined;
    readonly placeholder: string | undefined;
    readonly value: string | undefined;
    readonly attributes: Readonly<Record<string, string | boolean>>;
}
export interface CredentialsProvider {
    readonly _tag: "Credentials";
    readonly type: "credentials";
    readonly id: string;
    readonly name: string;
    readonly style: ProviderStyle | undefined;
    readonly fields: ReadonlyArray<CredentialField>;
    readonly authorize: (credentials: Readonly<Record<string, string>>, request: Request) => Answer<User | null | undefined | false>;
}
export type Provider = RedirectProvider | CredentialsProvider;
export declare const isRedirectProvider: (provider: Provider) => provider is RedirectProvider;
