/**
 * How a preset is written: data about a platform, the Schema of its profile, and the mapping to a user.
 *
 * A preset is one file with one call of {@link oauth} or {@link oidc}. What depends on options of the application, such as an
 * address below its issuer, is written as a function of the options: it is asked again when the environment has filled them,
 * so that a preset behaves the same whether it was called by the application or given bare.
 *
 * @since 0.1.0
 */
import { conformInternal, fromOptions, platformLogo } from "../internal/Markers.ts"
import type { AnswerKind } from "../internal/Answer.ts"
import type { TokenSet } from "../Models.ts"
import { computing, givenOptions, plainOptions } from "./internal/Computed.ts"
import {
  describeProfile,
  type EmailStatement,
  type Shape,
  StandardProfile,
  standardUser,
  type Vouching
} from "./internal/ProfileMapping.ts"
import type { Awaitable } from "../internal/Untyped.ts"
import type { ProviderStyle } from "./internal/Provider.ts"
import type {
  AuthorizationHandler,
  ClientMetadata,
  Factory,
  OAuth2Config,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
  ProfileCallback,
  TokenEndpointHandler,
  UserFields,
  UserinfoEndpointHandler
} from "./internal/ProviderOptions.ts"

export type { Answer, AnswerKind, Answers } from "../internal/Answer.ts"
export type { Awaitable } from "../internal/Untyped.ts"
export type {
  ClientPrivateKey,
  ConfiguredProvider,
  ProfileContext,
  TokenRequestContext,
  UserinfoContext
} from "./internal/Context.ts"
export {
  type EmailStatement,
  optionalText,
  PersonId,
  type Shape,
  type Shapes,
  StandardProfile,
  type Vouching
} from "./internal/ProfileMapping.ts"
export type {
  MailServiceName,
  ProviderStyle,
  UserVerification,
  VerificationRequestParams
} from "./internal/Provider.ts"
export type {
  AccountCallback,
  Authorization,
  AuthorizationHandler,
  ClientMetadata,
  CommonProviderOptions,
  CredentialInput,
  CredentialsConfig,
  EmailConfig,
  EmailFactory,
  EmailUserConfig,
  EndpointHandler,
  Factory,
  KeyOwner,
  Made,
  MailServer,
  OAuth2Config,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
  ProfileCallback,
  ProviderProfile,
  RelyingPartyFields,
  SubmittedCredentials,
  TokenEndpointHandler,
  UserFields,
  UserinfoEndpointHandler,
  WebAuthnConfig,
  WebAuthnUserConfig
} from "./internal/ProviderOptions.ts"

/**
 * A profile as applications see it: the members of its shape, and whatever else the platform sent.
 *
 * @category models
 * @since 0.1.0
 */
export type ProfileOf<S extends Shape> = Fields<S> & { readonly [member: string]: unknown }

/** The members of a shape. */
type Fields<S extends Shape> = ReturnType<S>["Type"]

/** The facts about every platform. */
interface Platform {
  readonly id: string
  readonly name: string
  /** Issuer identifier, where the platform has one for all applications. */
  readonly issuer?: string | undefined
  /** `undefined` while an option that it depends on is missing, or where it is discovered. */
  readonly authorization?: string | AuthorizationHandler | undefined
  readonly token?: string | TokenEndpointHandler<"value"> | undefined
  readonly userinfo?: string | UserinfoEndpointHandler<"value"> | undefined
  /** Client metadata, such as `token_endpoint_auth_method`. */
  readonly client?: ClientMetadata | undefined
  /** The checks whose cookies Auth.js looks for, for sign-ins that begin here and may end there; default PKCE. */
  readonly checks?: ReadonlyArray<"pkce" | "state" | "nonce"> | undefined
  /** The parameters that the platform rejects: PKCE, or a nonce. */
  readonly refuses?: ReadonlyArray<"pkce" | "nonce"> | undefined
  readonly style?: Omit<ProviderStyle, "outline"> | undefined
  /** The platform's logo, from `logos/`: the outline of a 24 by 24 drawing. */
  readonly logo?: string | undefined
  /** The adaptation that the platform needs; see `Definition.ts`. */
  readonly conform?: string | undefined
}

/**
 * A platform of OAuth 2.0: the profile comes from a userinfo call.
 *
 * @category models
 * @since 0.1.0
 */
export interface OAuthPreset<S extends Shape> extends Platform {
  /** The Schema of the used members of a profile. Unused members are not named, so that they cannot be wrong. */
  readonly profile: S
  /** The user that a profile makes; `id` is the platform's stable id of the person. */
  readonly user: (profile: Fields<S>, tokens: TokenSet) => Awaitable<UserFields>
  /** Whether the address of the user is verified, and where the platform says so. */
  readonly emailVerified: EmailStatement<Fields<S>>
  /**
   * The platform returns verified addresses only: an address is proven unless the profile denies it. The same holds for the
   * address of a user whom Auth.js stored with such an account. With `"stated"` the profile has to say so.
   */
  readonly vouchesForEmail?: Vouching | undefined
}

/**
 * A platform of OpenID Connect with claims of its own.
 *
 * @category models
 * @since 0.1.0
 */
export interface OidcPreset<S extends Shape> extends OAuthPreset<S> {
  /** Take the profile from userinfo when `false`. */
  readonly idToken?: boolean | undefined
}

/**
 * A platform of OpenID Connect with the standard claims.
 *
 * @category models
 * @since 0.1.0
 */
export interface StandardPreset extends Platform {
  /** Take the profile from userinfo when `false`. */
  readonly idToken?: boolean | undefined
}

/**
 * The factory of a preset of OAuth 2.0. `O` are options of its own.
 *
 * @category models
 * @since 0.1.0
 */
export interface OAuthFactory<P, O = {}> extends Factory<
  OAuth2Config<P, "value">,
  OAuthUserConfig<P, AnswerKind> & O,
  OAuthUserConfig<P, "value"> & O
> {}

/**
 * The factory of a preset of OpenID Connect. `O` are options of its own.
 *
 * @category models
 * @since 0.1.0
 */
export interface OidcFactory<P, O = {}> extends Factory<
  OIDCConfig<P, "value">,
  OIDCUserConfig<P, AnswerKind> & O,
  OIDCUserConfig<P, "value"> & O
> {}

/**
 * Options of every preset, from the application or from the environment.
 *
 * @category models
 * @since 0.1.0
 */
export interface Filled {
  readonly issuer?: string | undefined
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
}

const profileOf = <S extends Shape>({ emailVerified, profile, user, vouchesForEmail }: OAuthPreset<S>) =>
  describeProfile((fields: Fields<S>, tokens: TokenSet) => user(fields, tokens), {
    shape: profile,
    emailVerified,
    vouches: vouchesForEmail
  })

const standardProfile = () =>
  describeProfile((claims: StandardProfile) => standardUser(claims), { shape: StandardProfile, emailVerified: "claim" })

/** The members that a preset gives a provider object, apart from what identifies it. */
const membersOf = (
  platform: Platform & { readonly idToken?: boolean | undefined },
  profile: ProfileCallback<never, "value">
) => {
  const { authorization, checks, client, idToken, issuer, refuses, token, userinfo } = platform
  return {
    ...(issuer === undefined ? undefined : { issuer }),
    ...(authorization === undefined ? undefined : { authorization }),
    ...(token === undefined ? undefined : { token }),
    ...(userinfo === undefined ? undefined : { userinfo }),
    ...(client === undefined ? undefined : { client }),
    ...(idToken === undefined ? undefined : { idToken }),
    ...(checks === undefined ? undefined : { checks }),
    ...(refuses === undefined ? undefined : { refuses }),
    profile
  }
}

const identityOf = ({ conform, id, logo, name, style }: Platform) => ({
  id,
  name,
  ...(logo === undefined ? undefined : { [platformLogo]: logo }),
  ...(style === undefined ? undefined : { style }),
  ...(conform === undefined ? undefined : { [conformInternal]: conform })
})

/** The data of a preset, or how it follows from the options: a method, so that a preset may ask for options of its own. */
type Written<A> = A | { from(options: Filled): A }["from"]

/** The object of a preset: its data, and the function of the options again for those that have one. */
const made = <A extends Platform>(
  written: Written<A>,
  members: (preset: A) => ReturnType<typeof membersOf>,
  options: object
) => {
  if (typeof written !== "function") return { ...identityOf(written), ...members(written) }
  const preset = written(plainOptions(options))
  const platformMembers = members(preset)
  return {
    ...identityOf(preset),
    ...platformMembers,
    [fromOptions]: computing(platformMembers, (complete: object) => members(written(plainOptions(complete))))
  }
}

/**
 * Writes a preset of OAuth 2.0: data, or a function from the options to data.
 *
 * @category constructors
 * @since 0.1.0
 */
export const oauth =
  <S extends Shape>(preset: Written<OAuthPreset<S>>): OAuthFactory<ProfileOf<S>> =>
  (options) => ({
    type: "oauth",
    ...made(preset, (data) => membersOf(data, profileOf(data)), options ?? {}),
    options: givenOptions(options)
  })

/**
 * Writes a preset of OpenID Connect whose profile has the standard claims and their mapping.
 *
 * @category constructors
 * @since 0.1.0
 */
export const standard =
  (preset: Written<StandardPreset>): OidcFactory<ProfileOf<typeof StandardProfile>> =>
  (options) => ({
    type: "oidc",
    ...made(preset, (data) => membersOf(data, standardProfile()), options ?? {}),
    options: givenOptions(options)
  })

/**
 * Writes a preset of OpenID Connect with claims of its own: data, or a function from the options to data.
 *
 * @category constructors
 * @since 0.1.0
 */
export const oidc =
  <S extends Shape>(preset: Written<OidcPreset<S>>): OidcFactory<ProfileOf<S>> =>
  (options) => ({
    type: "oidc",
    ...made(preset, (data) => membersOf(data, profileOf(data)), options ?? {}),
    options: givenOptions(options)
  })

/**
 * The address of `path` below a base that an option names; `undefined` while there is none.
 *
 * @category getters
 * @since 0.1.0
 */
export const below = (base: string | undefined, path: `/${string}`): string | undefined =>
  base === undefined || base === "" ? undefined : `${base.replace(/\/+$/, "")}${path}`
