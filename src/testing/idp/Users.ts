/**
 * The users of the provider, and its clients.
 *
 * @since 0.1.0
 */
import type { Members } from "./Signing.ts"

/**
 * A person at the provider: the claims that ID tokens and userinfo carry (OpenID Connect Core section 5.1).
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderUser {
  /** The provider's id of the person. */
  readonly sub: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly picture?: string
  /** Claims of any other name are handed out with every scope. */
  readonly [claim: string]: unknown
}

/**
 * A client of the provider, as it would be registered there.
 *
 * @category models
 * @since 0.1.0
 */
export interface Client {
  readonly clientId: string
  /** Without one the client is public: it does not authenticate (RFC 6749 section 2.1). */
  readonly clientSecret?: string
  /** Where browsers may be sent back to; anywhere when absent. */
  readonly redirectUris?: ReadonlyArray<string>
  /** Where browsers may be sent after signing out; anywhere when absent. */
  readonly postLogoutRedirectUris?: ReadonlyArray<string>
}

/** The default users. */
export const defaultUsers: readonly [ProviderUser, ...ReadonlyArray<ProviderUser>] = [
  {
    sub: "ada",
    name: "Ada Lovelace",
    given_name: "Ada",
    family_name: "Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://example.com/ada.png"
  },
  { sub: "grace", name: "Grace Hopper", email: "grace@example.com", email_verified: true },
  { sub: "eve", name: "Eve", email: "ada@example.com", email_verified: false }
]

/** The client that there is when none was named. */
export const defaultClient: Client = {
  clientId: "test-client",
  clientSecret: "test-client-secret-0123456789-abcdefghijklm"
}

/** Claims that only the scope `profile` shows. */
const ofProfile: ReadonlySet<string> = new Set([
  "name",
  "family_name",
  "given_name",
  "middle_name",
  "nickname",
  "preferred_username",
  "profile",
  "picture",
  "website",
  "gender",
  "birthdate",
  "zoneinfo",
  "locale",
  "updated_at"
])

/** Claims that only the scope `email` shows. */
const ofEmail: ReadonlySet<string> = new Set(["email", "email_verified"])

/** The claims that a scope shows of a person (OpenID Connect Core section 5.4). */
export const visibleMembers = (person: ProviderUser, scope: ReadonlySet<string>): Members =>
  Object.fromEntries(
    Object.entries(person).filter(
      ([name]) => (!ofProfile.has(name) || scope.has("profile")) && (!ofEmail.has(name) || scope.has("email"))
    )
  )
