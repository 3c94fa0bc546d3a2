import type { conformInternal, customFetch, fromOptions, platformLogo } from "../internal/Markers.ts";
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
export interface TokenEndpointHandler extends EndpointHandler {
    request?(context: TokenRequestContext): Answer<{
        readonly tokens: TokenSet;
    }>;
    conform?(response: Response): Answer<Response | undefined>;
    clientPrivateKey?: ClientPrivateKey["key"] | ClientPrivateKey | undefined;
}
export interface UserinfoEndpointHandler extends EndpointHandler {
    request?(context: UserinfoContext): Answer<unknown>;
}
export type UserFields = User | {
    readonly id?: string | undefined;
    readonly name?: string | null | undefined;
    readonly email?: string | null | undefined;
    readonly image?: string | null | undefined;
    readonly [member: string]: unknown;
};
export type ProfileCallback<P> = {
    call(profile: P, tokens: TokenSet, context?: ProfileContext): Answer<UserFields>;
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
export interface OAuth2Config<P> extends CommonProviderOptions {
    type: "oauth";
    issuer?: string | undefined;
    wellKnown?: string | undefined;
    authorization?: string | URL | EndpointHandler | undefined;
    token?: string | URL | TokenEndpointHandler | undefined;
    userinfo?: string | URL | UserinfoEndpointHandler | undefined;
    profile?: ProfileCallback<P> | undefined;
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
    options?: OAuthUserConfig<P> | undefined;
}
export interface OIDCConfig<P> extends Omit<OAuth2Config<P>, "type" | "options"> {
    type: "oidc";
    idToken?: boolean | undefined;
    options?: OIDCUserConfig<P> | undefined;
}
export type OAuthConfig<P> = OAuth2Config<P> | OIDCConfig<P>;
export interface OAuthUserConfig<P> extends Partial<Omit<OAuth2Config<P>, "type" | "options">> {
    idToken?: boolean | undefined;
}
export interface OIDCUserConfig<P> extends Partial<Omit<OIDCConfig<P>, "type" | "options">> {
}
export interface CredentialInput {
    label?: string | undefined;
    type?: string | undefined;
    placeholder?: string | undefined;
    value?: string | undefined;
    [attribute: string]: unknown;
}
export interface CredentialsConfig<Fields extends Record<string, object> = Record<string, CredentialInput>> extends CommonProviderOptions {
    type: "credentials";
    style?: ProviderStyle | undefined;
    credentials: Fields;
    authorize?(credentials: Partial<Record<keyof Fields & string, string>>, request: Request): Answer<UserFields | null | undefined | false>;
    options?: Partial<Omit<CredentialsConfig<Fields>, "type" | "options">> | undefined;
}
export interface EmailConfig<Send = VerificationRequestParams> extends CommonProviderOptions {
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
        call(identifier: string): Answer<string>;
    }["call"] | undefined;
    generateVerificationToken?: {
        call(): Answer<string>;
    }["call"] | undefined;
    sendVerificationRequest?: {
        call(params: Send): Answer<unknown>;
    }["call"] | undefined;
    options?: EmailUserConfig | undefined;
}
export interface EmailUserConfig extends Partial<Omit<EmailConfig, "type" | "options" | "transport">> {
}
export interface WebAuthnConfig extends CommonProviderOptions {
    type: "webauthn";
    style?: ProviderStyle | undefined;
    relayingParty?: {
        id?: string | ReadonlyArray<string> | undefined;
        name?: string | ReadonlyArray<string> | undefined;
        origin?: string | ReadonlyArray<string> | undefined;
    } | undefined;
    getRelayingParty?(options: never, request: never): Answer<object>;
    getUserInfo?(options: never, request: never): Answer<object | null>;
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
    options?: WebAuthnUserConfig | undefined;
}
export interface WebAuthnUserConfig extends Partial<Omit<WebAuthnConfig, "type" | "options">> {
}
export type ProviderObject = OAuth2Config<never> | OIDCConfig<never> | CredentialsConfig<Record<string, object>> | EmailConfig | WebAuthnConfig;
export type ProviderInput = ProviderObject | ((options: never) => CommonProviderOptions);
