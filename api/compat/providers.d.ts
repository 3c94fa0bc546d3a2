import type * as Effect from "effect/Effect";
import type { Answer } from "../internal/Answer.ts";
import type { Unchecked } from "../internal/Untyped.ts";
import type { User } from "../Models.ts";
import type { AccountCallback, CredentialsConfig, EmailConfig, EndpointHandler as Endpoint, OAuth2Config, OAuthConfig, OIDCConfig, ProfileCallback, TokenEndpointHandler, UserinfoEndpointHandler, WebAuthnConfig } from "../Provider/Preset.ts";
import type { VerificationRequestParams } from "../Provider/Preset.ts";
import type { OAuthProviderId } from "./ProviderIds.ts";
export type { OAuthProviderId } from "./ProviderIds.ts";
export type { ProviderStyle as OAuthProviderButtonStyles } from "../Provider/Preset.ts";
export type { ProviderType } from "../Models.ts";
export type { AccountCallback, CommonProviderOptions, CredentialInput, CredentialsConfig, EmailConfig, EmailUserConfig, OAuth2Config, OAuthConfig, OAuthUserConfig, OIDCConfig, OIDCUserConfig, ProfileCallback, TokenEndpointHandler, UserinfoEndpointHandler, WebAuthnConfig } from "../Provider/Preset.ts";
export type { Done } from "../internal/Answer.ts";
export type { Answer } from "../internal/Answer.ts";
export type AuthorizationEndpointHandler = Endpoint;
export interface EndpointHandler<P = Record<string, unknown>, C = object, R = unknown> {
    url?: string | URL | undefined;
    params?: P | undefined;
    request?(context: C & {
        provider: OAuthConfigInternal<Unchecked> & {
            signinUrl: string;
            callbackUrl: string;
        };
    }): Answer<R>;
    conform?(response: Response): Answer<Response | undefined>;
}
export type OAuthChecks = Unchecked;
export type OAuthEndpointType = "authorization" | "token" | "userinfo";
export type OAuthConfigInternal<P> = Omit<OAuthConfig<P>, OAuthEndpointType | "redirectProxyUrl" | "checks" | "profile" | "account"> & {
    authorization?: {
        url: URL;
    };
    token?: {
        url: URL;
    } & Pick<TokenEndpointHandler, "request" | "clientPrivateKey" | "conform">;
    userinfo?: {
        url: URL;
    } & Pick<UserinfoEndpointHandler, "request">;
    redirectProxyUrl?: string;
    checks: ReadonlyArray<"pkce" | "state" | "nonce" | "none">;
    profile: ProfileCallback<P>;
    account: AccountCallback;
};
export type OIDCConfigInternal<P> = OAuthConfigInternal<P> & {
    checks: OIDCConfig<P>["checks"];
    idToken: OIDCConfig<P>["idToken"];
};
interface WithOptions {
    options?: Record<string, Unchecked> | undefined;
}
type ProviderObject<P> = (OIDCConfig<P> & WithOptions) | (OAuth2Config<P> & WithOptions) | (EmailConfig & WithOptions) | (CredentialsConfig<Unchecked> & WithOptions) | (WebAuthnConfig & WithOptions);
export type Provider<P = Unchecked> = (ProviderObject<P> | ((...args: Unchecked) => ProviderObject<P>)) & WithOptions;
export interface AppProvider {
    id: string;
    name: string;
    type: "oauth" | "oidc" | "email" | "credentials" | "webauthn";
    signinUrl: string;
    callbackUrl: string;
}
export type CredentialsProviderId = "credentials";
export type EmailProviderType = "email";
export type EmailProviderId = "email" | "forwardemail" | "mailgun" | "nodemailer" | "passkey" | "postmark" | "resend" | "sendgrid";
export type WebAuthnProviderType = "webauthn";
export interface RelayingParty {
    id: string;
    name: string;
    origin: string;
}
export type GetUserInfo = (options: Unchecked, request: Unchecked) => Promise<{
    user: User;
    exists: true;
} | {
    user: Omit<User, "id">;
    exists: false;
} | null>;
export type ProviderId = CredentialsProviderId | EmailProviderId | OAuthProviderId | WebAuthnProviderType | (string & {});
export type BuiltInProviderType = CredentialsProviderId | EmailProviderId | OAuthProviderId | WebAuthnProviderType;
export type RedirectableProviderType = CredentialsProviderId | EmailProviderType;
export type BuiltInProviders = Record<OAuthProviderId, (config: Partial<OAuthConfig<Unchecked>>) => OAuthConfig<Unchecked>> & Record<CredentialsProviderId, (config: Partial<CredentialsConfig<Unchecked>>) => CredentialsConfig> & Record<EmailProviderId, (config: Partial<EmailConfig>) => EmailConfig> & Record<WebAuthnProviderType, (config: Partial<WebAuthnConfig>) => WebAuthnConfig>;
export type AppProviders = Array<Provider | ReturnType<BuiltInProviders[keyof BuiltInProviders]>>;
export type EmailProviderSendVerificationRequestParams = VerificationRequestParams;
type EffectsIn<Given> = {
    [Name in keyof Given]-?: {} extends Pick<Given, Name> ? never : Given[Name] extends (...params: never) => infer Answered ? 0 extends 1 & Answered ? never : [Extract<Answered, Effect.Effect<unknown, unknown, unknown>>] extends [never] ? never : `${Name & string}: functions of createAuth answer a value or a promise, and no Effect` : never;
}[keyof Given];
type RedactedIn<Fields> = string extends keyof Fields ? never : {
    [Name in keyof Fields]-?: Fields[Name] extends {
        readonly redacted: true;
    } ? `${Name & string}: a field is redacted in a layer alone` : never;
}[keyof Fields];
type Refused<Given> = EffectsIn<Given> | EffectsIn<Member<Given, "token">> | EffectsIn<Member<Given, "userinfo">> | RedactedIn<Member<Given, "credentials">>;
type Member<Given, Name extends string> = Given extends {
    readonly [_ in Name]?: infer Value;
} ? Exclude<Value, string | undefined> : never;
type RefusedOf<Given> = Given extends (options: never) => infer Made ? RefusedOf<Made> : Refused<Given> | Refused<Member<Given, "options">>;
export interface PlainChecks<Providers extends ReadonlyArray<unknown>> {
    readonly providers: {
        readonly [Place in keyof Providers]: [RefusedOf<Providers[Place]>] extends [never] ? unknown : RefusedOf<Providers[Place]>;
    };
}
