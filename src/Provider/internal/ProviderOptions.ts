/**
 * The shapes in which providers are configured: provider objects as applications write them and as Auth.js factories
 * return them.
 *
 * These are types only. What an object means once it has been read stands in `Provider.ts`; reading it is the work
 * of `ReadProvider.ts`.
 *
 * @since 0.1.0
 */
import type * as Redacted from "effect/Redacted"
import type { conformInternal, customFetch, fromOptions, platformLogo } from "../../internal/Markers.ts"
import type { AnswerKind, Answers } from "../../internal/Answer.ts"
import type { Plain, Unchecked } from "../../internal/Untyped.ts"
import type { ProviderType, TokenSet, User } from "../../Models.ts"
import type { MembersInLayer, Spelt } from "./LayerValues.ts"
import type {
  ClientPrivateKey,
  MailServiceName,
  ProfileContext,
  ProviderStyle,
  TokenRequestContext,
  UserinfoContext,
  VerificationRequestParams,
  UserVerification
} from "./Provider.ts"

/**
 * What every provider object has.
 *
 * @category models
 * @since 0.1.0
 */
export interface CommonProviderOptions {
  /** Stands in the paths of this provider: letters, digits, `.`, `_`, `~` and `-`. */
  id: string
  /** What the sign-in page calls it. */
  name: string
  type: ProviderType
}

/**
 * An endpoint with more than an address.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndpointHandler {
  /** Absolute URL. Discovered from the issuer, or the one of the preset, when absent. */
  url?: string | URL | undefined
  /** Query parameters added to the URL; `claims` may be an object. */
  params?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The authorization endpoint, with what only it can have.
 *
 * @category models
 * @since 0.1.0
 */
export interface AuthorizationHandler extends EndpointHandler {
  /** Rewrites the address of the authorization request, for a platform that compares it as a string. */
  conform?(address: string): string
}

/**
 * The token endpoint, with what only it can have.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenEndpointHandler<Kind extends AnswerKind = "effect" | "value"> extends EndpointHandler {
  /** Performs the token request itself. */
  request?(context: TokenRequestContext): Answers<{ readonly tokens: TokenSet }>[Kind]
  /** May replace the token response before it is read; `isRefresh` says that it answers a refresh, not a sign-in. */
  conform?(response: Response, isRefresh?: boolean): Answers<Response | undefined>[Kind]
  /** Key for the client authentication method `private_key_jwt` (RFC 7523 section 2.2). */
  clientPrivateKey?: ClientPrivateKey["key"] | ClientPrivateKey | undefined
}

/**
 * The userinfo endpoint, with what only it can have.
 *
 * @category models
 * @since 0.1.0
 */
export interface UserinfoEndpointHandler<Kind extends AnswerKind = "effect" | "value"> extends EndpointHandler {
  /** Fetches the profile itself. */
  // What a fetched response holds is of no known type.
  request?(context: UserinfoContext): Answers<ProviderProfile>[Kind] | PromiseLike<unknown>
}

/**
 * A profile as a provider sends it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderProfile {
  readonly [member: string]: unknown
}

/**
 * A person, as functions of a provider may describe them.
 *
 * @category models
 * @since 0.1.0
 */
export type UserFields =
  | User
  | {
      readonly id?: string | undefined
      readonly name?: string | null | undefined
      readonly email?: string | null | undefined
      readonly image?: string | null | undefined
      readonly [member: string]: unknown
    }

/**
 * Turns a profile into a user. The `id` must be the provider's stable id of the person.
 *
 * @category models
 * @since 0.1.0
 */
export type ProfileCallback<P, Kind extends AnswerKind = "effect" | "value"> = {
  // A method, so that a provider of any profile is a provider.
  call(profile: P, tokens: TokenSet, context?: ProfileContext): Answers<UserFields>[Kind]
}["call"]

/**
 * Picks what of a token response is kept with a linked account.
 *
 * @category models
 * @since 0.1.0
 */
export type AccountCallback = {
  call(tokens: TokenSet): TokenSet | undefined | void
}["call"]

/**
 * Client metadata (OIDC Registration section 2), such as `token_endpoint_auth_method`.
 *
 * @category models
 * @since 0.1.0
 */
export interface ClientMetadata {
  token_endpoint_auth_method?: string | undefined
  id_token_signed_response_alg?: string | undefined
  userinfo_signed_response_alg?: string | undefined
  default_max_age?: number | undefined
  require_auth_time?: boolean | undefined
  [member: string]: unknown
}

/**
 * An OAuth 2.0 provider: the profile comes from a userinfo call. `Kind` says what its functions may answer.
 *
 * @category models
 * @since 0.1.0
 */
export interface OAuth2Config<P, Kind extends AnswerKind = "effect" | "value"> extends CommonProviderOptions {
  type: "oauth"
  /** Issuer identifier (RFC 8414 section 2): `https`, without query and fragment. */
  issuer?: string | undefined
  /** Kept for compatibility: the discovery document is found from the issuer. */
  wellKnown?: string | undefined
  authorization?: string | URL | AuthorizationHandler | undefined
  token?: string | URL | TokenEndpointHandler<Kind> | undefined
  userinfo?: string | URL | UserinfoEndpointHandler<Kind> | undefined
  profile?: ProfileCallback<P, Kind> | undefined
  account?: AccountCallback | undefined
  /**
   * Key pair for signatures that access tokens are bound to (DPoP, RFC 9449). Without the private key the tokens are of no use.
   * With it, a token that is not bound is refused.
   */
  dpop?: { readonly privateKey: ClientPrivateKey["key"]; readonly publicKey: ClientPrivateKey["key"] } | undefined
  /**
   * Push authorization requests to the provider (RFC 9126): `true` always, `false` never. Default: where the metadata of the
   * issuer says `require_pushed_authorization_requests`.
   */
  pushedAuthorizationRequests?: boolean | undefined
  /**
   * What the platform does not take, where a sign-in fails because of it: PKCE, or a nonce. The state and the sealed record bind
   * an answer to its attempt in any case.
   */
  refuses?: ReadonlyArray<"pkce" | "nonce"> | undefined
  /** Kept for compatibility: state, PKCE and, with OpenID Connect, nonce are used whatever it says; see `refuses`. */
  checks?: ReadonlyArray<"pkce" | "state" | "nonce" | "none"> | undefined
  clientId?: string | undefined
  clientSecret?: string | undefined
  client?: ClientMetadata | undefined
  style?: Omit<ProviderStyle, "outline"> | undefined
  /** Sign in people whose email address belongs to another user as that user. */
  allowDangerousEmailAccountLinking?: boolean | undefined
  /**
   * Let a browser choose the `scope` of the authorization request, by the third argument of `signIn`. Default `false`: what is
   * granted is the decision of the server.
   */
  allowScopeFromBrowser?: boolean | undefined
  /** Address of the redirect proxy, up to and including its base path. */
  redirectProxyUrl?: string | undefined
  /** Replaces `fetch` for calls to this provider. */
  [customFetch]?: typeof globalThis.fetch | undefined
  /** Set by presets: the adaptation that the platform needs. */
  [conformInternal]?: string | undefined
  /** Set by presets: the platform's logo, as the outline of a 24 by 24 drawing. */
  [platformLogo]?: string | undefined
  /** Set by presets: computes members that depend on options which the environment may still fill. */
  [fromOptions]?: ((options: Readonly<Record<string, unknown>>, given?: object) => object) | undefined
  /** What the application gave the factory. */
  options?: OAuthUserConfig<P, Kind> | undefined
}

/**
 * An OpenID Connect provider: the profile comes from a signed ID token.
 *
 * @category models
 * @since 0.1.0
 */
export interface OIDCConfig<P, Kind extends AnswerKind = "effect" | "value"> extends Omit<
  OAuth2Config<P, Kind>,
  "type" | "options"
> {
  type: "oidc"
  /**
   * Where the profile comes from: the ID token alone (`true`), or userinfo alone (`false`). Default: the ID token, and userinfo for
   * the claims of the scopes `profile` and `email` where the ID token has none of them.
   */
  idToken?: boolean | undefined
  /**
   * Private key to which the provider encrypts ID tokens (OpenID Connect Core section 10.2), or a list of keys while they
   * change. With it, an ID token that is not encrypted is refused.
   */
  idTokenDecryption?: ClientPrivateKey["key"] | ReadonlyArray<ClientPrivateKey["key"]> | undefined
  /**
   * Where a sign-out ends (OpenID Connect RP-Initiated Logout 1.0): `"provider"` goes on to the `end_session_endpoint` of the
   * provider, `"local"` does so only where the form has `logout=provider`. With either one the browser keeps the ID token,
   * sealed. Default: a sign-out ends the session of this site, and no ID token is kept.
   */
  logout?: "provider" | "local" | undefined
  /**
   * Accept logout tokens at `{basePath}/backchannel-logout/{id}` (OpenID Connect Back-Channel Logout 1.0). `"strict"` refuses
   * a token that does not say `typ: logout+jwt`, or that lives longer than two minutes. Sessions that are tokens need
   * `session.revocation`.
   */
  backchannelLogout?: boolean | "strict" | undefined
  options?: OIDCUserConfig<P, Kind> | undefined
}

/**
 * A provider that sends the browser away.
 *
 * @category models
 * @since 0.1.0
 */
export type OAuthConfig<P> = OAuth2Config<P> | OIDCConfig<P>

/**
 * What an application gives a factory of an OAuth 2.0 provider; it wins over the preset member by member.
 *
 * @category models
 * @since 0.1.0
 */
export interface OAuthUserConfig<P, Kind extends AnswerKind = "effect" | "value"> extends Partial<
  Omit<OAuth2Config<P, Kind>, "type" | "options">
> {
  idToken?: boolean | undefined
}

/**
 * What an application gives a factory of an OpenID Connect provider; it wins over the preset member by member.
 *
 * @category models
 * @since 0.1.0
 */
export interface OIDCUserConfig<P, Kind extends AnswerKind = "effect" | "value"> extends Partial<
  Omit<OIDCConfig<P, Kind>, "type" | "options">
> {}

/**
 * One input of a credentials form: its label, and further attributes of the input element.
 *
 * @category models
 * @since 0.1.0
 */
export interface CredentialInput {
  label?: string | undefined
  type?: string | undefined
  placeholder?: string | undefined
  value?: string | undefined
  /**
   * Of a form that is given to `Credentials`: `authorize` gets the text as `Redacted`, and the `signIn` callback does not get
   * it. A layer asks for it where the `type` is `password`.
   */
  redacted?: boolean | undefined
  [attribute: string]: unknown
}

/**
 * What `authorize` is given: the texts of the fields by their names, as `Redacted` where the field says so.
 *
 * @category models
 * @since 0.1.0
 */
export type SubmittedCredentials<Fields> = {
  // What may be anything is no field that says so.
  readonly [Name in keyof Fields & string]?: 0 extends 1 & Fields[Name]
    ? string
    : Fields[Name] extends { readonly redacted: true }
      ? Redacted.Redacted
      : string
}

/**
 * The answer of `authorize`: the user, or nothing where the credentials are wrong.
 *
 * @category models
 * @since 0.1.0
 */
export type Authorization = UserFields | null | undefined | false

/**
 * A provider that checks what the person typed with a function of the application. `Authorized` is what `authorize` returns.
 *
 * @category models
 * @since 0.1.0
 */
export interface CredentialsConfig<
  Fields extends Record<string, object> = Record<string, CredentialInput>,
  Authorized = Answers<Authorization>["effect" | "value"]
> extends CommonProviderOptions {
  type: "credentials"
  style?: ProviderStyle | undefined
  /**
   * The form. What is declared here reaches `authorize`; another text can be read by its name, and is not copied with the
   * rest. `{}` accepts every text, for custom forms.
   */
  credentials: Fields
  /** Answers the user, or `null` when the credentials are wrong. */
  authorize?(credentials: SubmittedCredentials<Fields>, request: Request): Authorized
  options?: Partial<Omit<CredentialsConfig<Fields, Authorized>, "type" | "options">> | undefined
}

/**
 * A connection URL, or the options of a Nodemailer transport. What only a layer can read is neither.
 *
 * @category models
 * @since 0.1.0
 */
export type MailServer =
  | string
  | {
      readonly "~effect/Config"?: never
      readonly "~effect/Redacted"?: never
      // Options of Nodemailer, whose own type is an interface.
      readonly [option: string]: Unchecked
    }

/**
 * A provider that sends a sign-in link by email. `Send` is what `sendVerificationRequest` takes.
 *
 * @category models
 * @since 0.1.0
 */
export interface EmailConfig<
  Send = VerificationRequestParams,
  Kind extends AnswerKind = "effect" | "value"
> extends CommonProviderOptions {
  type: "email"
  style?: ProviderStyle | undefined
  /** The sender: an address, or `Name <address>`. Default: that of the mailer, else `no-reply@` the site's host. */
  from?: string | undefined
  /** Seconds for which a link is good. Default: 600. */
  maxAge?: number | undefined
  /** Hashes the links in place of the configuration's secret. */
  secret?: string | undefined
  /** Which request uses a link up: the press of a button (`post`, the default), or the visit of the link (`get`). */
  consumeOn?: "get" | "post" | undefined
  /** How presets send: over SMTP to `server`, or by a service with `apiKey`. Others are sent by the configuration's mailer. */
  transport?: "smtp" | MailServiceName | undefined
  /** Loads `nodemailer`; the preset of that name brings it. Elsewhere the runtime finds the package by its name. */
  nodemailer?: (() => Promise<unknown>) | undefined
  /** A connection URL, or the options of a Nodemailer transport. */
  server?: MailServer | undefined
  apiKey?: string | undefined
  /**
   * Replaces the rule of spelling; what it answers must still be an address. Hosts without a dot and letters beyond ASCII before
   * the `@` are accepted from it.
   */
  normalizeIdentifier?: { call(identifier: string): Answers<string>[Kind] }["call"] | undefined
  /** Makes the tokens of links. Default: 240 random bits. */
  generateVerificationToken?: { call(): Answers<string>[Kind] }["call"] | undefined
  /** Sends the mail itself. */
  sendVerificationRequest?: { call(params: Send): Answers<unknown, Plain>[Kind] }["call"] | undefined
  /** What the application gave the factory. */
  options?: EmailUserConfig<Kind> | undefined
}

/**
 * What an application gives a factory of an email provider; it wins over the preset member by member.
 *
 * @category models
 * @since 0.1.0
 */
export interface EmailUserConfig<Kind extends AnswerKind = "effect" | "value"> extends Partial<
  Omit<EmailConfig<VerificationRequestParams, Kind>, "type" | "options" | "transport">
> {}

/**
 * What a factory makes of a kind of provider: its object with the options that were given.
 *
 * @category models
 * @since 0.1.0
 */
export type Made<Config, Given> = Omit<Config, "options"> & {
  // With an id, which all options may have, options of one preset alone are options of a provider too.
  readonly options: Given & { readonly id?: string }
}

/**
 * A factory of providers. It takes the values of both faces and keeps the type of what it is given: `Auth` takes plain
 * values, `Doorman.layer` secrets that are `Redacted` and durations.
 *
 * @category models
 * @since 0.1.0
 */
export interface Factory<Config, Options, PlainOptions extends object> {
  // `Given` has no bound: what does not fit is then one mistake, there where it stands.
  <Given extends object = PlainOptions>(
    options?: Given & MembersInLayer<Options> & Spelt<Given, Options>
  ): Made<Config, NoInfer<Given>>
}

/**
 * A factory of an email provider. `O` are options of its own.
 *
 * @category models
 * @since 0.1.0
 */
export interface EmailFactory<O = {}> extends Factory<
  EmailConfig<VerificationRequestParams, "value">,
  EmailUserConfig<AnswerKind> & O,
  EmailUserConfig<"value"> & O
> {}

/**
 * A relying party, as `getRelayingParty` answers it.
 *
 * @category models
 * @since 0.1.0
 */
export interface RelyingPartyFields {
  readonly id: string
  readonly name: string
  readonly origin: string | ReadonlyArray<string>
}

/**
 * Who wants a key or names theirs, as `getUserInfo` answers it.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyOwner {
  readonly user: UserFields
  readonly exists: boolean
}

/**
 * A provider that knows a person by a key of theirs (Web Authentication).
 *
 * @category models
 * @since 0.1.0
 */
export interface WebAuthnConfig<Kind extends AnswerKind = "effect" | "value"> extends CommonProviderOptions {
  type: "webauthn"
  style?: ProviderStyle | undefined
  /** Who asks for keys; follows from the site's address where it is left out. Of a list of ids and names the first counts. */
  relayingParty?:
    | {
        /** The domain that keys belong to: that of the site, or one above it. */
        id?: string | ReadonlyArray<string> | undefined
        name?: string | ReadonlyArray<string> | undefined
        /** Where ceremonies may take place. */
        origin?: string | ReadonlyArray<string> | undefined
      }
    | undefined
  /** Works the relying party out for a request; answers `{ id, name, origin }`. */
  getRelayingParty?(options: never, request: never): Answers<RelyingPartyFields>[Kind]
  /** Says who wants a key or names theirs; answers `{ user: { email, … }, exists }` or `null`. */
  getUserInfo?(options: never, request: never): Answers<KeyOwner | null>[Kind]
  /** Offer keys in the fields of the sign-in page. One provider of a configuration may. */
  enableConditionalUI?: boolean | undefined
  /**
   * Answer a signed-out visitor with the ids of the keys of an address, for keys that the browser cannot find by itself. For
   * an address without a key the library answers an id that belongs to no key.
   */
  usernameFirst?: boolean | undefined
  /** The form of the sign-in page. */
  formFields?: Readonly<Record<string, CredentialInput>> | undefined
  authenticationOptions?:
    | {
        timeout?: number | undefined
        userVerification?: UserVerification | undefined
        extensions?: object | undefined
      }
    | undefined
  registrationOptions?:
    | {
        timeout?: number | undefined
        attestationType?: "none" | "indirect" | "direct" | "enterprise" | undefined
        authenticatorSelection?:
          | {
              authenticatorAttachment?: "platform" | "cross-platform" | undefined
              residentKey?: UserVerification | undefined
              requireResidentKey?: boolean | undefined
              userVerification?: UserVerification | undefined
            }
          | undefined
        preferredAuthenticatorType?: "securityKey" | "localDevice" | "remoteDevice" | undefined
        supportedAlgorithmIDs?: ReadonlyArray<number> | undefined
        extensions?: object | undefined
      }
    | undefined
  verifyAuthenticationOptions?:
    | {
        requireUserVerification?: boolean | undefined
        /** Pages that may hold this site in a frame while a ceremony takes place. */
        expectedTopOrigin?: string | ReadonlyArray<string> | undefined
      }
    | undefined
  verifyRegistrationOptions?: { requireUserVerification?: boolean | undefined } | undefined
  /** Checked and not used: the script of the page is the library's own. */
  simpleWebAuthnBrowserVersion?: string | false | undefined
  /**
   * Loads `@simplewebauthn/server` and its helpers; presets bring it. Of an object of the application the runtime finds the
   * package by its name. The functions that Auth.js keeps here are not used.
   */
  simpleWebAuthn?: unknown
  options?: WebAuthnUserConfig<Kind> | undefined
}

/**
 * What an application gives a factory of a WebAuthn provider; it wins over the preset member by member.
 *
 * @category models
 * @since 0.1.0
 */
export interface WebAuthnUserConfig<Kind extends AnswerKind = "effect" | "value"> extends Partial<
  Omit<WebAuthnConfig<Kind>, "type" | "options">
> {}

/**
 * Any provider object.
 *
 * @category models
 * @since 0.1.0
 */
export type ProviderObject<Kind extends AnswerKind = "effect" | "value"> =
  | OAuth2Config<never, Kind>
  | OIDCConfig<never, Kind>
  | CredentialsConfig<Record<string, object>, Answers<Authorization>[Kind]>
  | EmailConfig<VerificationRequestParams, Kind>
  | WebAuthnConfig<Kind>

/**
 * What `providers` takes: provider objects, and factories that are called without options.
 *
 * @category models
 * @since 0.1.0
 */
export type ProviderInput = ProviderObject | ((options: never) => CommonProviderOptions)
