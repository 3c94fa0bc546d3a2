/**
 * What a provider is, once its options have been read: a tagged union over the kinds.
 *
 * Options come in the shape that Auth.js providers have (`ProviderOptions.ts`); reading them is
 * done when the configuration is compiled, so that actions only ever see these values. Nothing here talks to a network.
 *
 * @since 0.1.0
 */
import type * as Redacted from "effect/Redacted"
import type { Answer } from "../../internal/Answer.ts"
import type { Unchecked } from "../../internal/Untyped.ts"
import type { Profile, TokenSet, User } from "../../Models.ts"
import type { ClientPrivateKey, ProfileContext, TokenRequestContext, UserinfoContext } from "./Context.ts"

export type { Answer } from "../../internal/Answer.ts"
export type { ClientPrivateKey, ProfileContext, TokenRequestContext, UserinfoContext } from "./Context.ts"

/**
 * How the button of a provider looks on the sign-in page.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderStyle {
  readonly logo?: string | undefined
  readonly brandColor?: string | undefined
  readonly bg?: string | undefined
  readonly text?: string | undefined
  /** The platform's logo, as the outline (the `d` of an SVG path) of a 24 by 24 drawing. Presets bring it. */
  readonly outline?: string | undefined
}

/**
 * One endpoint of an OAuth server. Without `url` it is discovered from the issuer.
 *
 * @category models
 * @since 0.1.0
 */
export interface Endpoint {
  /** Absolute URL, parameters included. */
  readonly url: string | undefined
}

/**
 * How the client proves itself at the token endpoint (OIDC Core section 9).
 *
 * @category models
 * @since 0.1.0
 */
export type ClientAuthentication =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "tls_client_auth"
  | "self_signed_tls_client_auth"
  | "none"

interface RedirectProviderBase {
  readonly id: string
  readonly name: string
  readonly style: ProviderStyle | undefined
  readonly issuer: string | undefined
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted | undefined
  readonly clientAuthentication: ClientAuthentication
  readonly clientPrivateKey: ClientPrivateKey | undefined
  /** Further client metadata (OIDC Registration section 2), such as `id_token_signed_response_alg`. */
  readonly clientMetadata: Readonly<Record<string, unknown>>
  /** Parameters of the authorization request that the configuration asks for, `scope` included. */
  readonly authorizationParameters: ReadonlyArray<readonly [name: string, value: string]>
  readonly authorization: Endpoint & {
    /** Rewrites the address of the authorization request. */
    readonly conform?: ((address: string) => string) | undefined
  }
  readonly token: Endpoint & {
    /** May replace the token response before it is read. */
    readonly conform: ((response: Response, isRefresh?: boolean) => Answer<Response | undefined>) | undefined
    /** Performs the token request itself. */
    readonly request: ((context: TokenRequestContext) => Answer<{ readonly tokens: TokenSet }>) | undefined
  }
  readonly userinfo: Endpoint & {
    /** Fetches the profile itself. */
    readonly request: ((context: UserinfoContext) => Answer<unknown>) | undefined
  }
  /** Key pair that tokens are bound to (RFC 9449). */
  readonly dpop:
    | { readonly privateKey: ClientPrivateKey["key"]; readonly publicKey: ClientPrivateKey["key"] }
    | undefined
  /** Private keys that decrypt ID tokens; with none, ID tokens are not encrypted. */
  readonly idTokenDecryption: ReadonlyArray<ClientPrivateKey["key"]>
  /** Push authorization requests (RFC 9126)? `undefined`: where the issuer requires it. */
  readonly pushedAuthorizationRequests: boolean | undefined
  /** What the platform does not take: PKCE, or a nonce. The state is sent in any case. */
  readonly refuses: ReadonlyArray<"pkce" | "nonce">
  /** The answer comes as a cross-site form POST (OAuth 2.0 Form Post Response Mode). */
  readonly formPost: boolean
  /** The answer is signed (JARM): `response_mode` is `jwt`, `query.jwt` or `form_post.jwt`. */
  readonly jwtResponse: boolean
  /** Base of the redirect proxy, without a final slash and without `/callback/<id>`. Never set together with `formPost`. */
  readonly redirectProxyUrl: string | undefined
  readonly allowDangerousEmailAccountLinking: boolean
  /** May a browser choose the scope of its authorization request? */
  readonly allowScopeFromBrowser: boolean
  /** Replaces `fetch` for calls to this provider. */
  readonly fetch: typeof globalThis.fetch | undefined
  /** Wraps whichever `fetch` calls this provider, where the platform wants its requests in another form. */
  readonly adaptFetch: ((inner: typeof globalThis.fetch) => typeof globalThis.fetch) | undefined
  /** That of a preset is given what `ProfileDecoder.ts` reads of a profile. */
  readonly profile: (profile: Profile, tokens: TokenSet, context?: ProfileContext) => Answer<User>
  /** Is `profile` a function of the application, and not that of a preset or the default? */
  readonly hasOwnProfile: boolean
  readonly account: (tokens: TokenSet) => TokenSet | undefined
  /** Adaptation of a platform whose protocol differs. */
  readonly conform: "apple" | "microsoft-entra-id" | "salesforce" | undefined
  /** The merged options, for functions of the provider that ask for them. Never logged. */
  readonly source: Readonly<Record<string, unknown>>
}

/**
 * An OAuth 2.0 provider: the profile comes from a userinfo call.
 *
 * @category models
 * @since 0.1.0
 */
export interface OAuthProvider extends RedirectProviderBase {
  readonly _tag: "OAuth"
  readonly type: "oauth"
}

/**
 * An OpenID Connect provider: the profile comes from a signed ID token, or from userinfo where `idToken` is false. Where it is
 * not set, userinfo completes an ID token that lacks the claims of a scope.
 *
 * @category models
 * @since 0.1.0
 */
export interface OidcProvider extends RedirectProviderBase {
  readonly _tag: "Oidc"
  readonly type: "oidc"
  /** Take the profile from the ID token (true) or from userinfo (false). */
  readonly idToken: boolean | undefined
  /** Where a sign-out ends unless its form says otherwise; `undefined`: nothing is kept that the provider could be asked with. */
  readonly logout: "provider" | "local" | undefined
  /** Are logout tokens accepted, and only those that name their type? */
  readonly backchannelLogout: boolean | "strict"
}

/**
 * The providers that send the browser away.
 *
 * @category models
 * @since 0.1.0
 */
export type RedirectProvider = OAuthProvider | OidcProvider

/**
 * One input of a credentials form.
 *
 * @category models
 * @since 0.1.0
 */
export interface CredentialField {
  readonly name: string
  readonly label: string | undefined
  readonly type: string | undefined
  readonly placeholder: string | undefined
  readonly value: string | undefined
  /** Further attributes of the input element. */
  readonly attributes: Readonly<Record<string, string | boolean>>
}

/**
 * A provider that checks what the person typed with a function of the application.
 *
 * @category models
 * @since 0.1.0
 */
export interface CredentialsProvider {
  readonly _tag: "Credentials"
  readonly type: "credentials"
  readonly id: string
  readonly name: string
  readonly style: ProviderStyle | undefined
  readonly fields: ReadonlyArray<CredentialField>
  /** Names of the fields whose text `authorize` gets as `Redacted`. */
  readonly redacted: ReadonlySet<string>
  readonly authorize: (
    credentials: Readonly<Record<string, string | Redacted.Redacted>>,
    request: Request
  ) => Answer<User | null | undefined | false>
}

/**
 * The services of the web that presets send their mails with.
 *
 * @category models
 * @since 0.1.0
 */
export type MailServiceName = "resend" | "sendgrid" | "postmark" | "mailgun" | "forwardemail" | "loops"

/**
 * How a preset sends its mails: over SMTP, or with a request to a service.
 *
 * @category models
 * @since 0.1.0
 */
export type MailTransport =
  | {
      readonly _tag: "Smtp"
      /** A connection URL, or the options of a Nodemailer transport. */
      readonly server: string | object
      /** Loads the package that sends. */
      readonly nodemailer: () => Promise<unknown>
    }
  | {
      readonly _tag: "Http"
      readonly service: MailServiceName
      readonly apiKey: Redacted.Redacted
      /** Display name of a sender that has none (Mailgun). */
      readonly name?: string | undefined
      /** Mailgun: where the domain is. */
      readonly region?: "us" | "eu" | undefined
      /** Loops: the template that is filled in. */
      readonly transactionalId?: string | undefined
    }

/**
 * What `sendVerificationRequest` is given.
 *
 * @category models
 * @since 0.1.0
 */
export interface VerificationRequestParams {
  readonly identifier: string
  readonly url: string
  readonly expires: Date
  /** The provider as configured, all members included. */
  readonly provider: {
    readonly id: string
    readonly name: string
    readonly from?: string | undefined
    /** For `createTransport` of Nodemailer. */
    readonly server?: Unchecked
    readonly apiKey?: string | undefined
    readonly maxAge?: number | undefined
  }
  readonly token: string
  readonly theme: {
    readonly colorScheme?: "auto" | "dark" | "light" | undefined
    readonly logo?: string | undefined
    readonly brandColor?: string | undefined
    readonly buttonText?: string | undefined
  }
  readonly request: Request
}

/**
 * A provider that sends a link to the person's mailbox.
 *
 * @category models
 * @since 0.1.0
 */
export interface EmailProvider {
  readonly _tag: "Email"
  readonly type: "email"
  readonly id: string
  readonly name: string
  readonly style: ProviderStyle | undefined
  readonly from: string | undefined
  /** Seconds for which a link is good. */
  readonly maxAge: number
  /** Hashes links in place of the configuration's secrets. */
  readonly secret: Redacted.Redacted | undefined
  /** Which request uses a link up: the press of a button (`post`), or the visit of the link itself (`get`). */
  readonly consumeOn: "get" | "post"
  readonly normalizeIdentifier: ((identifier: string) => Answer<unknown>) | undefined
  readonly generateVerificationToken: (() => Answer<unknown>) | undefined
  /** Sends the mail itself; without it `transport` does, or the configuration's mailer. */
  readonly sendVerificationRequest: ((params: VerificationRequestParams) => Answer<unknown>) | undefined
  readonly transport: MailTransport | undefined
  /** The merged options, for functions of the provider that ask for them. Never logged. */
  readonly source: Readonly<Record<string, unknown>>
}

/**
 * Who asks for keys; what is `undefined` follows from the site's address.
 *
 * @category models
 * @since 0.1.0
 */
export interface RelyingPartyOptions {
  /** The domain that keys belong to. */
  readonly id: string | undefined
  readonly name: string | undefined
  /** Where ceremonies may take place. Empty for the site's own origin. */
  readonly origins: ReadonlyArray<string>
  /** Pages that may hold this site in a frame while a ceremony takes place. */
  readonly topOrigins: ReadonlyArray<string>
}

/**
 * How a ceremony of Web Authentication treats the person.
 *
 * @category models
 * @since 0.1.0
 */
export type UserVerification = "required" | "preferred" | "discouraged"

/**
 * How a person proves to have a key.
 *
 * @category models
 * @since 0.1.0
 */
export interface WebAuthnAuthentication {
  /** Milliseconds that the browser gives the person. */
  readonly timeout: number
  /** What the browser is asked for. */
  readonly userVerification: UserVerification
  /** What the answer must have. */
  readonly requireUserVerification: boolean
  readonly extensions: Readonly<Record<string, unknown>> | undefined
}

/**
 * How a key is made.
 *
 * @category models
 * @since 0.1.0
 */
export interface WebAuthnRegistration extends WebAuthnAuthentication {
  readonly residentKey: "required" | "preferred" | "discouraged"
  readonly authenticatorAttachment: "platform" | "cross-platform" | undefined
  readonly preferredAuthenticatorType: "securityKey" | "localDevice" | "remoteDevice" | undefined
  /** With anything but `none` only keys are taken whose maker is known (`SettingsService.setRootCertificates`). */
  readonly attestation: "none" | "direct" | "enterprise"
  /** COSE numbers of the algorithms that are offered, the best first. */
  readonly algorithms: ReadonlyArray<number>
}

/**
 * A provider that knows a person by a key of theirs (Web Authentication).
 *
 * @category models
 * @since 0.1.0
 */
export interface WebAuthnProvider {
  readonly _tag: "WebAuthn"
  readonly type: "webauthn"
  readonly id: string
  readonly name: string
  readonly style: ProviderStyle | undefined
  readonly relyingParty: RelyingPartyOptions
  readonly enableConditionalUI: boolean
  /** Answers signed-out visitors with the ids of the keys of an address, for keys that the browser cannot find by itself. */
  readonly usernameFirst: boolean
  /** The form of the sign-in page; empty for a page without one. */
  readonly fields: ReadonlyArray<CredentialField>
  readonly authentication: WebAuthnAuthentication
  readonly registration: WebAuthnRegistration
  /** Of the application's own; `undefined` for the built-in ways. */
  readonly getUserInfo: ((options: unknown, request: unknown) => Answer<unknown>) | undefined
  readonly getRelayingParty: ((options: unknown, request: unknown) => Answer<unknown>) | undefined
  /** Loads the package that verifies, and its helpers. */
  readonly simpleWebAuthn: () => Promise<unknown>
  /** The merged options, for functions of the provider that ask for them. Never logged. */
  readonly source: Readonly<Record<string, unknown>>
}

/**
 * Every kind of provider.
 *
 * @category models
 * @since 0.1.0
 */
export type Provider = RedirectProvider | CredentialsProvider | EmailProvider | WebAuthnProvider

/**
 * Type guard for providers that send the browser away.
 *
 * @category guards
 * @since 0.1.0
 */
export const isRedirectProvider = (provider: Provider): provider is RedirectProvider =>
  provider._tag === "OAuth" || provider._tag === "Oidc"

/**
 * Does the provider ask the store about an address that a signed-out visitor names? The time of its answers must not tell what
 * was found.
 *
 * @category guards
 * @since 0.1.0
 */
export const looksUpAddress = ({ getUserInfo, usernameFirst }: WebAuthnProvider): boolean =>
  usernameFirst || getUserInfo !== undefined
