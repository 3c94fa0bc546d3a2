import type { Awaitable, Unchecked } from "../internal/Untyped.ts";
import type { User } from "../Models.ts";
import type * as Preset from "../Provider/Preset.ts";
import type { EndpointHandler as Endpoint, VerificationRequestParams } from "../Provider/Preset.ts";
import type { OAuthProviderId } from "./ProviderIds.ts";
export type { OAuthProviderId } from "./ProviderIds.ts";
export type { ProviderStyle as OAuthProviderButtonStyles } from "../Provider/Preset.ts";
export type { ProviderType } from "../Models.ts";
export type { Awaitable } from "../internal/Untyped.ts";
export type { AccountCallback, Authorization, CommonProviderOptions, CredentialInput } from "../Provider/Preset.ts";
export type ProfileCallback<P> = Preset.ProfileCallback<P, "value">;
export type TokenEndpointHandler = Preset.TokenEndpointHandler<"value">;
export type UserinfoEndpointHandler = Preset.UserinfoEndpointHandler<"value">;
export type OAuth2Config<P> = Preset.OAuth2Config<P, "value">;
export type OIDCConfig<P> = Preset.OIDCConfig<P, "value">;
export type OAuthConfig<P> = OAuth2Config<P> | OIDCConfig<P>;
export type OAuthUserConfig<P> = Preset.OAuthUserConfig<P, "value">;
export type OIDCUserConfig<P> = Preset.OIDCUserConfig<P, "value">;
export type EmailConfig = Preset.EmailConfig<VerificationRequestParams, "value">;
export type EmailUserConfig = Preset.EmailUserConfig<"value">;
export type CredentialsConfig<Fields extends Record<string, object> = Record<string, Preset.CredentialInput>> = Preset.CredentialsConfig<Fields, Awaitable<Preset.Authorization>>;
export type WebAuthnConfig = Preset.WebAuthnConfig<"value">;
export type WebAuthnUserConfig = Preset.WebAuthnUserConfig<"value">;
export type AuthorizationEndpointHandler = Endpoint;
export interface EndpointHandler<P = Record<string, unknown>, C = object, R = unknown> {
    url?: string | URL | undefined;
    params?: P | undefined;
    request?(context: C & {
        provider: OAuthConfigInternal<Unchecked> & {
            signinUrl: string;
            callbackUrl: string;
        };
    }): Awaitable<R>;
    conform?(response: Response): Awaitable<Response | undefined>;
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
    account: Preset.AccountCallback;
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
type RedactedIn<Fields> = string extends keyof Fields ? never : {
    [Name in keyof Fields]-?: Fields[Name] extends {
        readonly redacted: true;
    } ? `${Name & string}: a field is redacted in a layer alone` : never;
}[keyof Fields];
type RefusedOf<Given> = Given extends {
    readonly options: {
        readonly credentials?: infer Fields;
    };
} ? RedactedIn<NonNullable<Fields>> : Given extends {
    readonly credentials: infer Fields;
} ? RedactedIn<Fields> : never;
export interface PlainChecks<Providers extends ReadonlyArray<unknown>> {
    readonly providers: {
        readonly [Place in keyof Providers]: [RefusedOf<Providers[Place]>] extends [never] ? unknown : RefusedOf<Providers[Place]>;
    };
}
