/**
 * What database adapters for Auth.js import: the types of storage, and the test for dates in text.
 *
 * Adapters for programs with Effect are made of `Adapter.ts`; both kinds may stand as `adapter` in the options.
 *
 * @since 0.1.0
 */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  ProviderType,
  VerificationToken
} from "../Models.ts"
import type { Awaitable } from "./Settings.ts"

export type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser, VerificationToken } from "../Models.ts"

/**
 * The kinds of provider whose accounts are kept.
 *
 * @category models
 * @since 0.1.0
 */
export type AdapterAccountType = Extract<ProviderType, "oauth" | "oidc" | "email" | "webauthn">

/**
 * Storage: the methods that a feature needs stand in `docs/adapters.md`. An unknown row is `null`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Adapter {
  /** Stores a user, and answers them with the id that they have. */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>
  /** The user of an id. */
  getUser?(id: string): Awaitable<AdapterUser | null>
  /** The user of an address. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  /** The user that an account belongs to. */
  getUserByAccount?(
    providerAccountId: Pick<AdapterAccount, "provider" | "providerAccountId">
  ): Awaitable<AdapterUser | null>
  /** Changes the given members, and answers the whole user. */
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, "id">): Awaitable<AdapterUser>
  /** Removes a user with everything of theirs. */
  deleteUser?(userId: string): Promise<void> | Awaitable<AdapterUser | null | undefined>
  /** Links an account to the user of its `userId`. */
  linkAccount?(account: AdapterAccount): Promise<void> | Awaitable<AdapterAccount | null | undefined>
  /** Removes an account. */
  unlinkAccount?(
    providerAccountId: Pick<AdapterAccount, "provider" | "providerAccountId">
  ): Promise<void> | Awaitable<AdapterAccount | undefined>
  /** Stores a session; the answer's `sessionToken` and `expires` are what the cookie gets. */
  createSession?(session: { sessionToken: string; userId: string; expires: Date }): Awaitable<AdapterSession>
  /** The session of a token with its user. */
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  /** Changes the given members of a session. */
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">
  ): Awaitable<AdapterSession | null | undefined>
  /** Removes a session. */
  deleteSession?(sessionToken: string): Promise<void> | Awaitable<AdapterSession | null | undefined>
  /** Stores a link that was sent. */
  createVerificationToken?(verificationToken: VerificationToken): Awaitable<VerificationToken | null | undefined>
  /** Takes a link out of the store: one of many callers at once gets it. */
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>
  /** The account of an id at a provider. */
  getAccount?(
    providerAccountId: AdapterAccount["providerAccountId"],
    provider: AdapterAccount["provider"]
  ): Awaitable<AdapterAccount | null>
  /** The key of an id. */
  getAuthenticator?(credentialID: AdapterAuthenticator["credentialID"]): Awaitable<AdapterAuthenticator | null>
  /** Stores a key. */
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  /** The keys of a user. */
  listAuthenticatorsByUserId?(userId: AdapterAuthenticator["userId"]): Awaitable<Array<AdapterAuthenticator>>
  /** Stores how often a key was used; fails for one that is not known. */
  updateAuthenticatorCounter?(
    credentialID: AdapterAuthenticator["credentialID"],
    newCounter: AdapterAuthenticator["counter"]
  ): Awaitable<AdapterAuthenticator>
}

/** A date and a time with a zone (RFC 3339 section 5.6), the whole text; years may have six digits and a sign. */
const dateTime = /^(?:\d{4}|[+-]\d{6})-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/

/**
 * Is this text a date and a time with a zone, as JSON has it for a `Date`?
 *
 * @category guards
 * @since 0.1.0
 */
export const isDate = (value: unknown): value is string =>
  typeof value === "string" && dateTime.test(value) && !Number.isNaN(Date.parse(value))
