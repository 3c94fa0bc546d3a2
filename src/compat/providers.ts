/**
 * The types of providers, as custom providers for Auth.js import them. Nothing here is there at run time.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { Answer } from "../internal/Answer.ts"
import type { Unchecked } from "../internal/Untyped.ts"
import type { User } from "../Models.ts"
import type {
  AccountCallback,
  CredentialsConfig,
  EmailConfig,
  EndpointHandler as Endpoint,
  OAuth2Config,
  OAuthConfig,
  OIDCConfig,
  ProfileCallback,
  TokenEndpointHandler,
  UserinfoEndpointHandler,
  WebAuthnConfig
} from "../Provider/Preset.ts"
import type { VerificationRequestParams } from "../Provider/Preset.ts"
import type { OAuthProviderId } from "./ProviderIds.ts"

export type { OAuthProviderId } from "./ProviderIds.ts"
export type { ProviderStyle as OAuthProviderButtonStyles } from "../Provider/Preset.ts"
export type { ProviderType } from "../Models.ts"
export type {
  AccountCallback,
  CommonProviderOptions,
  CredentialInput,
  CredentialsConfig,
  EmailConfig,
  EmailUserConfig,
  OAuth2Config,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
  ProfileCallback,
  TokenEndpointHandler,
  UserinfoEndpointHandler,
  WebAuthnConfig
} from "../Provider/Preset.ts"
export type { Done } from "../internal/Answer.ts"
export type { Answer } from "../internal/Answer.ts"

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
  ): Answer<R>
  /** May replace the response before it is read. */
  conform?(response: Response): Answer<Response | undefined>
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
  account: AccountCallback
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

/** The functions of a provider that answer an Effect. A member that is declared as optional says nothing about what was given. */
type EffectsIn<Given> = {
  [Name in keyof Given]-?: {} extends Pick<Given, Name>
    ? never
    : Given[Name] extends (...params: never) => infer Answered
      ? 0 extends 1 & Answered
        ? never
        : [Extract<Answered, Effect.Effect<unknown, unknown, unknown>>] extends [never]
          ? never
          : `${Name & string}: functions of createAuth answer a value or a promise, and no Effect`
      : never
}[keyof Given]

/** The fields of a form that are redacted. */
type RedactedIn<Fields> = string extends keyof Fields
  ? never
  : {
      [Name in keyof Fields]-?: Fields[Name] extends { readonly redacted: true }
        ? `${Name & string}: a field is redacted in a layer alone`
        : never
    }[keyof Fields]

type Refused<Given> =
  | EffectsIn<Given>
  | EffectsIn<Member<Given, "token">>
  | EffectsIn<Member<Given, "userinfo">>
  | RedactedIn<Member<Given, "credentials">>

type Member<Given, Name extends string> = Given extends { readonly [_ in Name]?: infer Value }
  ? Exclude<Value, string | undefined>
  : never

type RefusedOf<Given> = Given extends (options: never) => infer Made
  ? RefusedOf<Made>
  : Refused<Given> | Refused<Member<Given, "options">>

/**
 * Anything, or a type that no value has where a provider has a function that answers an Effect or a field that is redacted.
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
