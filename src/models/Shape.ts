/**
 * The shapes of users, accounts, sessions and profiles as plain interfaces: those that applications for Auth.js import.
 *
 * Nothing here imports Effect, so that the declarations of the function `Auth` can do without it. `Models.ts` has the Schemas.
 * An application adds members by augmentation of
 * `effect-doorman/types`.
 *
 * @since 0.1.0
 */
import type { Unchecked } from "../internal/Untyped.ts"

/**
 * A person, as the application sees them.
 *
 * @category models
 * @since 0.1.0
 */
export interface User extends DefaultUser {}

/**
 * The members of every user.
 *
 * @category models
 * @since 0.1.0
 */
export interface DefaultUser {
  id?: string | undefined
  name?: string | null | undefined
  email?: string | null | undefined
  image?: string | null | undefined
}

/**
 * The session for clients: the user, and the end (ISO 8601).
 *
 * @category models
 * @since 0.1.0
 */
export interface Session extends DefaultSession {}

/**
 * The members of every session.
 *
 * @category models
 * @since 0.1.0
 */
export interface DefaultSession {
  user?: User | undefined
  expires: string
}

/**
 * The kinds of provider.
 *
 * @category models
 * @since 0.1.0
 */
export type ProviderType = "oauth" | "oidc" | "email" | "credentials" | "webauthn"

/**
 * A value of JSON (RFC 8259 section 3).
 *
 * @category models
 * @since 0.1.0
 */
export type JsonValue = string | number | boolean | null | JsonObject | Array<JsonValue>

/**
 * An object of JSON (RFC 8259 section 4).
 *
 * @category models
 * @since 0.1.0
 */
export type JsonObject = { [member: string]: JsonValue | undefined }

/**
 * Permissions of a client in detail (RFC 9396 section 2): `type` names the kind of the authorization, and the kind says which
 * further members it has.
 *
 * @category models
 * @since 0.1.0
 */
export interface AuthorizationDetails {
  readonly type: string
  readonly locations?: Array<string>
  readonly actions?: Array<string>
  readonly datatypes?: Array<string>
  readonly privileges?: Array<string>
  readonly identifier?: string
  readonly [member: string]: JsonValue | undefined
}

/**
 * The response of a token endpoint (RFC 6749 section 5.1) with `expires_at`, an absolute time in seconds. What the provider
 * sent is read-only; `expires_at` is computed, so an application that refreshes tokens may change it.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenSet {
  readonly access_token?: string | undefined
  readonly refresh_token?: string | undefined
  readonly id_token?: string | undefined
  /** Always lower case: the value is case-insensitive (RFC 6749 section 5.1). */
  readonly token_type?: Lowercase<string> | undefined
  readonly scope?: string | undefined
  /** The grant in detail (RFC 9396 section 7). */
  readonly authorization_details?: Array<AuthorizationDetails> | undefined
  /** Seconds, as the provider sent it. */
  readonly expires_in?: number | undefined
  /** Seconds since 1970, computed from `expires_in`. */
  expires_at?: number | undefined
  readonly [member: string]: JsonValue | undefined
}

/**
 * An account of a user: a provider, and the id that the user has there.
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

/**
 * A postal address (OIDC Core section 5.1.1).
 *
 * @category models
 * @since 0.1.0
 */
export interface Address {
  country?: string | null | undefined
  formatted?: string | null | undefined
  locality?: string | null | undefined
  postal_code?: string | null | undefined
  region?: string | null | undefined
  street_address?: string | null | undefined
}

/**
 * Identity data from a provider (OIDC Core section 5.1); further claims are kept.
 *
 * @category models
 * @since 0.1.0
 */
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
  /** Some platforms send an object. */
  picture?: Unchecked
  website?: string | null | undefined
  email?: string | null | undefined
  email_verified?: boolean | null | undefined
  gender?: string | null | undefined
  birthdate?: string | null | undefined
  zoneinfo?: string | null | undefined
  locale?: string | null | undefined
  phone_number?: string | null | undefined
  updated_at?: string | number | Date | null | undefined
  address?: Address | null | undefined
  [claim: string]: unknown
}

/**
 * A user of the store. `emailVerified` is when the address was first proven, `null` while it never was.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdapterUser extends User {
  id: string
  email: string
  emailVerified: Date | null
}

/**
 * A sign-in method of a user. Tokens of the provider are kept beside it.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdapterAccount extends Account {
  userId: string
  type: Exclude<ProviderType, "credentials">
}

/**
 * A session of the store.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdapterSession {
  sessionToken: string
  userId: string
  expires: Date
}

/**
 * A link that was sent and not yet used. `token` is a hash of what the mail holds.
 *
 * @category models
 * @since 0.1.0
 */
export interface VerificationToken {
  identifier: string
  token: string
  expires: Date
}

/**
 * A WebAuthn credential, ids and keys in base64 (RFC 4648 section 4).
 *
 * @category models
 * @since 0.1.0
 */
export interface Authenticator {
  /** The credential's id. */
  credentialID: string
  /** Id of the account that the credential is: the same as `credentialID`. */
  providerAccountId: string
  /** Public key in COSE format (RFC 9052 section 7). */
  credentialPublicKey: string
  /** Signature counter (WebAuthn section 6.1.1); 0 for credentials that do not count. */
  counter: number
  credentialDeviceType: string
  credentialBackedUp: boolean
  /** How the browser reaches the authenticator, joined by commas. */
  transports?: string | null | undefined
  userId?: string | undefined
}

/**
 * A WebAuthn credential of a user of the store.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdapterAuthenticator extends Authenticator {
  userId: string
}

/**
 * The public description of a configured provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface PublicProvider {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly signinUrl: string
  readonly callbackUrl: string
}

/**
 * The look of the built-in pages.
 *
 * @category models
 * @since 0.1.0
 */
export interface Theme {
  readonly colorScheme?: "auto" | "dark" | "light" | undefined
  readonly brandColor?: string | undefined
  readonly buttonText?: string | undefined
  readonly logo?: string | undefined
}

/**
 * Paths of the application's own pages; each replaces a built-in one.
 *
 * @category models
 * @since 0.1.0
 */
export interface PagesOptions {
  signIn: string
  signOut: string
  /** Reads `?error=`, see `ErrorPageParam`. */
  error: string
  verifyRequest: string
  /** The page after a user's first sign-in. */
  newUser: string
}

/**
 * The claims that every session token may carry.
 *
 * @category models
 * @since 0.1.0
 */
export interface DefaultJWT extends Record<string, unknown> {
  name?: string | null | undefined
  email?: string | null | undefined
  picture?: string | null | undefined
  sub?: string | undefined
  /** Issued at, in seconds since the epoch (RFC 7519 section 4.1.6). */
  iat?: number | undefined
  /** Expires at, in seconds since the epoch (RFC 7519 section 4.1.4). */
  exp?: number | undefined
  /** Identifier of the token (RFC 7519 section 4.1.7). */
  jti?: string | undefined
}

/**
 * Payload of a session token; an interface, so that an application can add claims of its own by declaration merging.
 *
 * @category models
 * @since 0.1.0
 */
export interface JWT extends Record<string, unknown>, DefaultJWT {}
