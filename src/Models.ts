/**
 * The shapes of people, accounts, sessions and profiles, as Schemas.
 *
 * These are the words in which providers, callbacks, events and clients talk. Records that may carry further members (a
 * profile with claims of its own, an account with tokens of a platform) keep them. What a shape means on the wire is said
 * in `docs/configuration.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

const anyMember = Schema.Record(Schema.String, Schema.Unknown)
const text = Schema.optional(Schema.NullOr(Schema.String))

/**
 * A person, as the application sees them.
 *
 * @category models
 * @since 0.1.0
 */
export const User = Schema.StructWithRest(
  Schema.Struct({ id: Schema.optional(Schema.String), name: text, email: text, image: text }),
  [anyMember]
)
/** @category models @since 0.1.0 */
export interface User {
  id?: string | undefined
  name?: string | null | undefined
  email?: string | null | undefined
  image?: string | null | undefined
  [member: string]: unknown
}

/**
 * What a client may know of a session: who, and until when (ISO 8601).
 *
 * @category models
 * @since 0.1.0
 */
export const Session = Schema.StructWithRest(Schema.Struct({ user: Schema.optional(User), expires: Schema.String }), [
  anyMember
])
/** @category models @since 0.1.0 */
export interface Session {
  user?: User | undefined
  expires: string
  [member: string]: unknown
}

/**
 * The kinds of provider.
 *
 * @category models
 * @since 0.1.0
 */
export type ProviderType = "oauth" | "oidc" | "email" | "credentials" | "webauthn"

/**
 * The answer of a token endpoint (RFC 6749 section 5.1) with `expires_at`, an absolute time in seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenSet {
  access_token?: string | undefined
  refresh_token?: string | undefined
  id_token?: string | undefined
  /** Always lower case: the value is case-insensitive (RFC 6749 section 5.1). */
  token_type?: Lowercase<string> | undefined
  scope?: string | undefined
  /** Seconds, as the provider said. */
  expires_in?: number | undefined
  /** Seconds since 1970, computed from `expires_in`. */
  expires_at?: number | undefined
  [member: string]: unknown
}

/**
 * Where a person comes from: a provider and the id they have there.
 *
 * @category models
 * @since 0.1.0
 */
export interface Account extends TokenSet {
  provider: string
  providerAccountId: string
  type: ProviderType
  userId?: string | undefined
}

const address = Schema.Struct({
  country: text,
  formatted: text,
  locality: text,
  postal_code: text,
  region: text,
  street_address: text
})

/**
 * Identity data from a provider (OIDC Core section 5.1); further claims are kept.
 *
 * @category models
 * @since 0.1.0
 */
export const Profile = Schema.StructWithRest(
  Schema.Struct({
    id: text,
    sub: text,
    name: text,
    given_name: text,
    family_name: text,
    middle_name: text,
    nickname: text,
    preferred_username: text,
    profile: text,
    picture: Schema.optional(Schema.Unknown),
    website: text,
    email: text,
    email_verified: Schema.optional(Schema.NullOr(Schema.Boolean)),
    gender: text,
    birthdate: text,
    zoneinfo: text,
    locale: text,
    phone_number: text,
    updated_at: Schema.optional(Schema.NullOr(Schema.Union([Schema.String, Schema.Number, Schema.Date]))),
    address: Schema.optional(Schema.NullOr(address))
  }),
  [anyMember]
)
/** @category models @since 0.1.0 */
export interface Profile {
  id?: string | null | undefined
  sub?: string | null | undefined
  name?: string | null | undefined
  given_name?: string | null | undefined
  family_name?: string | null | undefined
  middle_name?: string | null | undefined
  nickname?: string | null | undefined
  preferred_username?: string | null | undefined
  profile?: string | null | undefined
  picture?: unknown
  website?: string | null | undefined
  email?: string | null | undefined
  email_verified?: boolean | null | undefined
  gender?: string | null | undefined
  birthdate?: string | null | undefined
  zoneinfo?: string | null | undefined
  locale?: string | null | undefined
  phone_number?: string | null | undefined
  updated_at?: string | number | Date | null | undefined
  address?: typeof address.Type | null | undefined
  [claim: string]: unknown
}

/**
 * A WebAuthn credential of a user, ids and keys in base64.
 *
 * @category models
 * @since 0.1.0
 */
export const Authenticator = Schema.Struct({
  credentialID: Schema.String,
  credentialPublicKey: Schema.String,
  counter: Schema.Number,
  credentialDeviceType: Schema.String,
  credentialBackedUp: Schema.Boolean,
  providerAccountId: Schema.String,
  transports: Schema.optional(Schema.NullOr(Schema.String)),
  userId: Schema.optional(Schema.String)
})
/** @category models @since 0.1.0 */
export type Authenticator = typeof Authenticator.Type

/**
 * What everybody may know of a configured provider.
 *
 * @category models
 * @since 0.1.0
 */
export const PublicProvider = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  type: Schema.String,
  signinUrl: Schema.String,
  callbackUrl: Schema.String
})
/** @category models @since 0.1.0 */
export type PublicProvider = typeof PublicProvider.Type

/**
 * The look of the built-in pages.
 *
 * @category models
 * @since 0.1.0
 */
export const Theme = Schema.Struct({
  colorScheme: Schema.optional(Schema.Literals(["auto", "dark", "light"])),
  brandColor: Schema.optional(Schema.String),
  buttonText: Schema.optional(Schema.String),
  logo: Schema.optional(Schema.String)
})
/** @category models @since 0.1.0 */
export type Theme = typeof Theme.Type

/**
 * Paths of the application's own pages; each replaces a built-in one.
 *
 * @category models
 * @since 0.1.0
 */
export const PagesOptions = Schema.Struct({
  signIn: Schema.optional(Schema.String),
  signOut: Schema.optional(Schema.String),
  error: Schema.optional(Schema.String),
  verifyRequest: Schema.optional(Schema.String),
  newUser: Schema.optional(Schema.String)
})
/** @category models @since 0.1.0 */
export type PagesOptions = typeof PagesOptions.Type

/**
 * Payload of a session token.
 *
 * @category models
 * @since 0.1.0
 */
export interface JWT {
  name?: string | null | undefined
  email?: string | null | undefined
  picture?: string | null | undefined
  sub?: string | undefined
  iat?: number | undefined
  exp?: number | undefined
  jti?: string | undefined
  [claim: string]: unknown
}
