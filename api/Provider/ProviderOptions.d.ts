import type { conformInternal, customFetch, fromOptions, platformLogo } from "../internal/Markers.ts";
import type { Done } from "../internal/Answer.ts";
import type { ProviderType, TokenSet, User } from "../Models.ts";
import type { Answer, ClientPrivateKey, MailServiceName, ProfileContext, ProviderStyle, TokenRequestContext, UserinfoContext, VerificationRequestParams, UserVerification } from "./Provider.ts";
export interface CommonProviderOptions {
    id: string;
    name: string;
    type: ProviderType;
}
export interface EndpointHandler {
    url?: string | URL | undefined;
    params?: Readonly<Record<string, unknown>> | undefined;
}
export interface TokenEndpointHandler<R = never, RConform = R> extends EndpointHandler {
    request?(context: TokenRequestContext): Answer<{
        readonly tokens: TokenSet;
    }, R>;
    conform?(response: Response): Answer<Response | undefined, RConform>;
    clientPrivateKey?: ClientPrivateKey["key"] | ClientPrivateKey | undefined;
}
export interface UserinfoEndpointHandler<R = never> extends EndpointHandler {
    request?(context: UserinfoContext): Answer<ProviderProfile, R> | PromiseLike<unknown>;
}
export interface ProviderProfile {
    readonly [member: string]: unknown;
}
export type UserFields = User | {
    readonly id?: string | undefined;
    readonly name?: string | null | undefined;
    readonly email?: string | null | undefined;
    readonly image?: string | null | undefined;
    readonly [member: string]: unknown;
};
export type ProfileCallback<P, R = never> = {
    call(profile: P, tokens: TokenSet, context?: ProfileContext): Answer<UserFields, R>;
}["call"];
export type AccountCallback = {
    call(tokens: TokenSet): TokenSet | undefined | void;
}["call"];
export interface ClientMetadata {
    token_endpoint_auth_method?: string | undefined;
    id_token_signed_response_alg?: string | undefined;
    userinfo_signed_response_alg?: string | undefined;
    default_max_age?: number | undefined;
    require_auth_time?: boolean | undefined;
    [member: string]: unknown;
}
export interface OAuth2Config<P, R = never, RToken = R, RConform = R, RUserinfo = R> extends CommonProviderOptions {
    type: "oauth";
    issuer?: string | undefined;
    wellKnown?: string | undefined;
    authorization?: string | URL | EndpointHandler | undefined;
    token?: string | URL | TokenEndpointHandler<RToken, RConform> | undefined;
    userinfo?: string | URL | UserinfoEndpointHandler<RUserinfo> | undefined;
    profile?: ProfileCallback<P, R> | undefined;
    account?: AccountCallback | undefined;
    refuses?: ReadonlyArray<"pkce" | "nonce"> | undefined;
    checks?: ReadonlyArray<"pkce" | "state" | "nonce" | "none"> | undefined;
    clientId?: string | undefined;
    clientSecret?: string | undefined;
    client?: ClientMetadata | undefined;
    style?: Omit<ProviderStyle, "outline"> | undefined;
    allowDangerousEmailAccountLinking?: boolean | undefined;
    allowScopeFromBrowser?: boolean | undefined;
    redirectProxyUrl?: string | undefined;
    [customFetch]?: typeof globalThis.fetch | undefined;
    [conformInternal]?: string | undefined;
    [platformLogo]?: string | undefined;
    [fromOptions]?: ((options: Readonly<Record<string, unknown>>, given?: object) => object) | undefined;
    options?: OAuthUserConfig<P, R, RToken, RConform, RUserinfo> | undefined;
}
export interface OIDCConfig<P, R = never, RToken = R, RConform = R, RUserinfo = R> extends Omit<OAuth2Config<P, R, RToken, RConform, RUserinfo>, "type" | "options"> {
    type: "oidc";
    idToken?: boolean | undefined;
    options?: OIDCUserConfig<P, R, RToken, RConform, RUserinfo> | undefined;
}
export type OAuthConfig<P> = OAuth2Config<P> | OIDCConfig<P>;
export interface OAuthUserConfig<P, R = never, RToken = R, RConform = R, RUserinfo = R> extends Partial<Omit<OAuth2Config<P, R, RToken, RConform, RUserinfo>, "type" | "options">> {
    idToken?: boolean | undefined;
}
export interface OIDCUserConfig<P, R = never, RToken = R, RConform = R, RUserinfo = R> extends Partial<Omit<OIDCConfig<P, R, RToken, RConform, RUserinfo>, "type" | "options">> {
}
export interface CredentialInput {
    label?: string | undefined;
    type?: string | undefined;
    placeholder?: string | undefined;
    value?: string | undefined;
    [attribute: string]: unknown;
}
export interface CredentialsConfig<Fields extends Record<string, object> = Record<string, CredentialInput>, R = never> extends CommonProviderOptions {
    type: "credentials";
    style?: ProviderStyle | undefined;
    credentials: Fields;
    authorize?(credentials: Partial<Record<keyof Fields & string, string>>, request: Request): Answer<UserFields | null | undefined | false, R>;
    options?: Partial<Omit<CredentialsConfig<Fields, R>, "type" | "options">> | undefined;
}
export interface EmailConfig<Send = VerificationRequestParams, R = never, RNormalize = R, RToken = R> extends CommonProviderOptions {
    type: "email";
    style?: ProviderStyle | undefined;
    from?: string | undefined;
    maxAge?: number | undefined;
    secret?: string | undefined;
    consumeOn?: "get" | "post" | undefined;
    transport?: "smtp" | MailServiceName | undefined;
    server?: unknown;
    apiKey?: string | undefined;
    allowHostWithoutDot?: boolean | undefined;
    allowUnicodeLocalPart?: boolean | undefined;
    normalizeIdentifier?: {
        call(identifier: string): Answer<string, RNormalize>;
    }["call"] | undefined;
    generateVerificationToken?: {
        call(): Answer<string, RToken>;
    }["call"] | undefined;
    sendVerificationRequest?: {
        call(params: Send): Done<R>;
    }["call"] | undefined;
    options?: EmailUserConfig<R, RNormalize, RToken> | undefined;
}
export interface EmailUserConfig<R = never, RNormalize = R, RToken = R> extends Partial<Omit<EmailConfig<VerificationRequestParams, R, RNormalize, RToken>, "type" | "options" | "transport">> {
}
export interface EmailFactory {
    <R = never, RNormalize = never, RToken = never>(options?: EmailUserConfig<R, RNormalize, RToken>): EmailConfig<VerificationRequestParams, R, RNormalize, RToken>;
}
export interface RelyingPartyFields {
    readonly id: string;
    readonly name: string;
    readonly origin: string | ReadonlyArray<string>;
}
export interface KeyOwner {
    readonly user: UserFields;
    readonly exists: boolean;
}
export interface WebAuthnConfig<R = never, RUser = R> extends CommonProviderOptions {
    type: "webauthn";
    style?: ProviderStyle | undefined;
    relayingParty?: {
        id?: string | ReadonlyArray<string> | undefined;
        name?: string | ReadonlyArray<string> | undefined;
        origin?: string | ReadonlyArray<string> | undefined;
    } | undefined;
    getRelayingParty?(options: never, request: never): Answer<RelyingPartyFields, R>;
    getUserInfo?(options: never, request: never): Answer<KeyOwner | null, RUser>;
    enableConditionalUI?: boolean | undefined;
    usernameFirst?: boolean | undefined;
    formFields?: Readonly<Record<string, CredentialInput>> | undefined;
    authenticationOptions?: {
        timeout?: number | undefined;
        userVerification?: UserVerification | undefined;
        extensions?: object | undefined;
    } | undefined;
    registrationOptions?: {
        timeout?: number | undefined;
        attestationType?: "none" | "indirect" | "direct" | "enterprise" | undefined;
        authenticatorSelection?: {
            authenticatorAttachment?: "platform" | "cross-platform" | undefined;
            residentKey?: UserVerification | undefined;
            requireResidentKey?: boolean | undefined;
            userVerification?: UserVerification | undefined;
        } | undefined;
        preferredAuthenticatorType?: "securityKey" | "localDevice" | "remoteDevice" | undefined;
        supportedAlgorithmIDs?: ReadonlyArray<number> | undefined;
        extensions?: object | undefined;
    } | undefined;
    verifyAuthenticationOptions?: {
        requireUserVerification?: boolean | undefined;
        expectedTopOrigin?: string | ReadonlyArray<string> | undefined;
    } | undefined;
    verifyRegistrationOptions?: {
        requireUserVerification?: boolean | undefined;
    } | undefined;
    simpleWebAuthnBrowserVersion?: string | false | undefined;
    simpleWebAuthn?: unknown;
    options?: WebAuthnUserConfig<R, RUser> | undefined;
}
export interface WebAuthnUserConfig<R = never, RUser = R> extends Partial<Omit<WebAuthnConfig<R, RUser>, "type" | "options">> {
}
export type ProviderObject<R = never> = OAuth2Config<never, R> | OIDCConfig<never, R> | CredentialsConfig<Record<string, object>, R> | EmailConfig<VerificationRequestParams, R> | WebAuthnConfig<R>;
export type ProviderInput<R = never> = ProviderObject<R> | ((options: never) => CommonProviderOptions);
