/**
 * The types of providers, as custom providers for Auth.js import them: their functions answer values and promises, and no Effects.
 * Nothing here is there at run time.
 *
 * @since 0.1.0
 */
import type { Awaitable, Unchecked } from "../internal/Untyped.ts"
import type { User } from "../Models.ts"
import type * as Preset from "../Provider/Preset.ts"
import type { EndpointHandler as Endpoint, VerificationRequestParams } from "../Provider/Preset.ts"
import type { OAuthProviderId } from "./ProviderIds.ts"

export type { OAuthProviderId } from "./ProviderIds.ts"
export type { ProviderStyle as OAuthProviderButtonStyles } from "../Provider/Preset.ts"
export type { ProviderType } from "../Models.ts"
export type { Awaitable } from "../internal/Untyped.ts"
export type { AccountCallback, Authorization, CommonProviderOptions, CredentialInput } from "../Provider/Preset.ts"

/** Turns a profile into a user. @category models @since 0.1.0 */
export type ProfileCallback<P> = Preset.ProfileCallback<P, "value">

/** The token endpoint. @category models @since 0.1.0 */
export type TokenEndpointHandler = Preset.TokenEndpointHandler<"value">

/** The userinfo endpoint. @category models @since 0.1.0 */
export type UserinfoEndpointHandler = Preset.UserinfoEndpointHandler<"value">

/** An OAuth 2.0 provider. @category models @since 0.1.0 */
export type OAuth2Config<P> = Preset.OAuth2Config<P, "value">

/** An OpenID Connect provider. @category models @since 0.1.0 */
export type OIDCConfig<P> = Preset.OIDCConfig<P, "value">

/** A provider that sends the browser away. @category models @since 0.1.0 */
export type OAuthConfig<P> = OAuth2Config<P> | OIDCConfig<P>

/** The options of a factory of an OAuth 2.0 provider. @category models @since 0.1.0 */
export type OAuthUserConfig<P> = Preset.OAuthUserConfig<P, "value">

/** The options of a factory of an OpenID Connect provider. @category models @since 0.1.0 */
export type OIDCUserConfig<P> = Preset.OIDCUserConfig<P, "value">

/** A provider that sends a sign-in link by email. @category models @since 0.1.0 */
export type EmailConfig = Preset.EmailConfig<VerificationRequestParams, "value">

/** The options of a factory of an email provider. @category models @since 0.1.0 */
export type EmailUserConfig = Preset.EmailUserConfig<"value">

/** A provider that checks what the person typed with a function of the application. @category models @since 0.1.0 */
export type CredentialsConfig<Fields extends Record<string, object> = Record<string, Preset.CredentialInput>> =
  Preset.CredentialsConfig<Fields, Awaitable<Preset.Authorization>>

/** A provider that knows a person by a key of theirs. @category models @since 0.1.0 */
export type WebAuthnConfig = Preset.WebAuthnConfig<"value">

/** The options of a factory of a WebAuthn provider. @category models @since 0.1.0 */
export type WebAuthnUserConfig = Preset.WebAuthnUserConfig<"value">

/** The authorization endpoint. @category models @since 0.1.0 */
export type AuthorizationEndpointHandler = Endpoint

/**
 * An endpoint with parameters `P`, whose `request` is given `C` and answers `R`.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndpointHandler<P = Record<string, unknown>, C = object, R = unknown> {
  url?: string | URL | undefined
  params?: P | undefined
  /** Performs the request itself. */
  request?(
    context: C & { provider: OAuthConfigInternal<Unchecked> & { signinUrl: string; callbackUrl: string } }
  ): Awaitable<R>
  /** May replace the response before it is read. */
  conform?(response: Response): Awaitable<Response | undefined>
}

/** Which checks an answer passed. @category models @since 0.1.0 */
export type OAuthChecks = Unchecked

/** The endpoints of an OAuth server that may be given. @category models @since 0.1.0 */
export type OAuthEndpointType = "authorization" | "token" | "userinfo"

/**
 * A provider at work, as functions of providers see it.
 *
 * @category models
 * @since 0.1.0
 */
export type OAuthConfigInternal<P> = Omit<
  OAuthConfig<P>,
  OAuthEndpointType | "redirectProxyUrl" | "checks" | "profile" | "account"
> & {
  authorization?: { url: URL }
  token?: { url: URL } & Pick<TokenEndpointHandler, "request" | "clientPrivateKey" | "conform">
  userinfo?: { url: URL } & Pick<UserinfoEndpointHandler, "request">
  redirectProxyUrl?: string
  checks: ReadonlyArray<"pkce" | "state" | "nonce" | "none">
  profile: ProfileCallback<P>
  account: Preset.AccountCallback
}

/**
 * A provider of OpenID Connect at work, as functions of providers see it.
 *
 * @category models
 * @since 0.1.0
 */
export type OIDCConfigInternal<P> = OAuthConfigInternal<P> & {
  checks: OIDCConfig<P>["checks"]
  idToken: OIDCConfig<P>["idToken"]
}

/** What the application gave a factory. */
interface WithOptions {
  options?: Record<string, Unchecked> | undefined
}

type ProviderObject<P> =
  | (OIDCConfig<P> & WithOptions)
  | (OAuth2Config<P> & WithOptions)
  | (EmailConfig & WithOptions)
  // Which fields a form has matters to its own `authorize` alone.
  | (CredentialsConfig<Unchecked> & WithOptions)
  | (WebAuthnConfig & WithOptions)

/**
 * What `providers` takes: provider objects, and factories that are called without options.
 *
 * @category models
 * @since 0.1.0
 */
export type Provider<P = Unchecked> = (ProviderObject<P> | ((...args: Unchecked) => ProviderObject<P>)) & WithOptions

/**
 * A provider as the sign-in page shows it.
 *
 * @category models
 * @since 0.1.0
 */
export interface AppProvider {
  id: string
  name: string
  type: "oauth" | "oidc" | "email" | "credentials" | "webauthn"
  signinUrl: string
  callbackUrl: string
}

/** The type of credentials providers, which is their id. @category models @since 0.1.0 */
export type CredentialsProviderId = "credentials"

/** The type of email providers. @category models @since 0.1.0 */
export type EmailProviderType = "email"

/** The ids of the email presets, and that of passkeys. @category models @since 0.1.0 */
export type EmailProviderId =
  | "email"
  | "forwardemail"
  | "mailgun"
  | "nodemailer"
  | "passkey"
  | "postmark"
  | "resend"
  | "sendgrid"

/** The type of providers of Web Authentication. @category models @since 0.1.0 */
export type WebAuthnProviderType = "webauthn"

/** The relying party. @category models @since 0.1.0 */
export interface RelayingParty {
  /** The domain that keys belong to. */
  id: string
  name: string
  /** Where ceremonies may take place. */
  origin: string
}

/**
 * Says who wants a key or names theirs.
 *
 * @category models
 * @since 0.1.0
 */
export type GetUserInfo = (
  options: Unchecked,
  request: Unchecked
) => Promise<{ user: User; exists: true } | { user: Omit<User, "id">; exists: false } | null>

/** Ids of providers: those of the presets, or any other. @category models @since 0.1.0 */
export type ProviderId =
  | CredentialsProviderId
  | EmailProviderId
  | OAuthProviderId
  | WebAuthnProviderType
  | (string & {})

/** Ids of the presets. @category models @since 0.1.0 */
export type BuiltInProviderType = CredentialsProviderId | EmailProviderId | OAuthProviderId | WebAuthnProviderType

/** Ids of the presets whose sign-in answers to the page that asked for it. @category models @since 0.1.0 */
export type RedirectableProviderType = CredentialsProviderId | EmailProviderType

/**
 * The factories of the presets, by id.
 *
 * @category models
 * @since 0.1.0
 */
export type BuiltInProviders = Record<
  OAuthProviderId,
  (config: Partial<OAuthConfig<Unchecked>>) => OAuthConfig<Unchecked>
> &
  Record<CredentialsProviderId, (config: Partial<CredentialsConfig<Unchecked>>) => CredentialsConfig> &
  Record<EmailProviderId, (config: Partial<EmailConfig>) => EmailConfig> &
  Record<WebAuthnProviderType, (config: Partial<WebAuthnConfig>) => WebAuthnConfig>

/** A list of providers. @category models @since 0.1.0 */
export type AppProviders = Array<Provider | ReturnType<BuiltInProviders[keyof BuiltInProviders]>>

/**
 * What `sendVerificationRequest` of an email provider is given.
 *
 * @category models
 * @since 0.1.0
 */
export type EmailProviderSendVerificationRequestParams = VerificationRequestParams

/** The fields of a form that are redacted. */
type RedactedIn<Fields> = string extends keyof Fields
  ? never
  : {
      [Name in keyof Fields]-?: Fields[Name] extends { readonly redacted: true }
        ? `${Name & string}: a field is redacted in a layer alone`
        : never
    }[keyof Fields]

type RefusedOf<Given> = Given extends { readonly options: { readonly credentials?: infer Fields } }
  ? RedactedIn<NonNullable<Fields>>
  : Given extends { readonly credentials: infer Fields }
    ? RedactedIn<Fields>
    : never

/**
 * Anything, or a type that no value has where a provider has a field that is redacted.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlainChecks<Providers extends ReadonlyArray<unknown>> {
  readonly providers: {
    readonly [Place in keyof Providers]: [RefusedOf<Providers[Place]>] extends [never]
      ? unknown
      : RefusedOf<Providers[Place]>
  }
}
