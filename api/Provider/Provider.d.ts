import type * as Redacted from "effect/Redacted";
import type { Answer } from "../internal/Answer.ts";
import type { Unchecked } from "../internal/Unchecked.ts";
import type { Profile, TokenSet, User } from "../Models.ts";
import type { ClientPrivateKey, ProfileContext, TokenRequestContext, UserinfoContext } from "./Context.ts";
export type { Answer } from "../internal/Answer.ts";
export type { ClientPrivateKey, ConfiguredProvider, ProfileContext, TokenRequestContext, UserinfoContext } from "./Context.ts";
export interface ProviderStyle {
    readonly logo?: string | undefined;
    readonly brandColor?: string | undefined;
    readonly bg?: string | undefined;
    readonly text?: string | undefined;
    readonly outline?: string | undefined;
}
export interface Endpoint {
    readonly url: string | undefined;
}
export type ClientAuthentication = "client_secret_basic" | "client_secret_post" | "client_secret_jwt" | "private_key_jwt" | "none";
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
    readonly refuses: ReadonlyArray<"pkce" | "nonce">;
    readonly formPost: boolean;
    readonly redirectProxyUrl: string | undefined;
    readonly allowDangerousEmailAccountLinking: boolean;
    readonly allowScopeFromBrowser: boolean;
    readonly fetch: typeof globalThis.fetch | undefined;
    readonly adaptFetch: ((inner: typeof globalThis.fetch) => typeof globalThis.fetch) | undefined;
    readonly profile: (profile: Profile, tokens: TokenSet, context?: ProfileContext) => Answer<User>;
    readonly hasOwnProfile: boolean;
    readonly account: (tokens: TokenSet) => TokenSet | undefined;
    readonly conform: "apple" | "microsoft-entra-id" | "salesforce" | undefined;
    readonly source: Readonly<Record<string, unknown>>;
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
export type MailServiceName = "resend" | "sendgrid" | "postmark" | "mailgun" | "forwardemail" | "loops";
export type MailTransport = {
    readonly _tag: "Smtp";
    readonly server: string | object;
} | {
    readonly _tag: "Http";
    readonly service: MailServiceName;
    readonly apiKey: Redacted.Redacted;
    readonly name?: string | undefined;
    readonly region?: "us" | "eu" | undefined;
    readonly transactionalId?: string | undefined;
};
export interface VerificationRequestParams {
    readonly identifier: string;
    readonly url: string;
    readonly expires: Date;
    readonly provider: {
        readonly id: string;
        readonly name: string;
        readonly from?: string | undefined;
        readonly server?: Unchecked;
        readonly apiKey?: string | undefined;
        readonly maxAge?: number | undefined;
    };
    readonly token: string;
    readonly theme: {
        readonly colorScheme?: "auto" | "dark" | "light" | undefined;
        readonly logo?: string | undefined;
        readonly brandColor?: string | undefined;
        readonly buttonText?: string | undefined;
    };
    readonly request: Request;
}
export interface EmailProvider {
    readonly _tag: "Email";
    readonly type: "email";
    readonly id: string;
    readonly name: string;
    readonly style: ProviderStyle | undefined;
    readonly from: string | undefined;
    readonly maxAge: number;
    readonly secret: Redacted.Redacted | undefined;
    readonly consumeOn: "get" | "post";
    readonly allowHostWithoutDot: boolean;
    readonly allowUnicodeLocalPart: boolean;
    readonly normalizeIdentifier: ((identifier: string) => Answer<unknown>) | undefined;
    readonly generateVerificationToken: (() => Answer<unknown>) | undefined;
    readonly sendVerificationRequest: ((params: VerificationRequestParams) => Answer<unknown>) | undefined;
    readonly transport: MailTransport | undefined;
    readonly source: Readonly<Record<string, unknown>>;
}
export interface RelyingPartyOptions {
    readonly id: string | undefined;
    readonly name: string | undefined;
    readonly origins: ReadonlyArray<string>;
    readonly topOrigins: ReadonlyArray<string>;
}
export type UserVerification = "required" | "preferred" | "discouraged";
export interface WebAuthnAuthentication {
    readonly timeout: number;
    readonly userVerification: UserVerification;
    readonly requireUserVerification: boolean;
    readonly extensions: Readonly<Record<string, unknown>> | undefined;
}
export interface WebAuthnRegistration extends WebAuthnAuthentication {
    readonly residentKey: "required" | "preferred" | "discouraged";
    readonly authenticatorAttachment: "platform" | "cross-platform" | undefined;
    readonly preferredAuthenticatorType: "securityKey" | "localDevice" | "remoteDevice" | undefined;
    readonly attestation: "none" | "direct" | "enterprise";
    readonly algorithms: ReadonlyArray<number>;
}
export interface WebAuthnProvider {
    readonly _tag: "WebAuthn";
    readonly type: "webauthn";
    readonly id: string;
    readonly name: string;
    readonly style: ProviderStyle | undefined;
    readonly relyingParty: RelyingPartyOptions;
    readonly enableConditionalUI: boolean;
    readonly usernameFirst: boolean;
    readonly fields: ReadonlyArray<CredentialField>;
    readonly authentication: WebAuthnAuthentication;
    readonly registration: WebAuthnRegistration;
    readonly getUserInfo: ((options: unknown, request: unknown) => Answer<unknown>) | undefined;
    readonly getRelayingParty: ((options: unknown, request: unknown) => Answer<unknown>) | undefined;
    readonly source: Readonly<Record<string, unknown>>;
}
export type Provider = RedirectProvider | CredentialsProvider | EmailProvider | WebAuthnProvider;
export declare const isRedirectProvider: (provider: Provider) => provider is RedirectProvider;
