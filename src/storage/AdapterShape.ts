/**
 * Storage for the library: the methods of an adapter, as Effects.
 *
 * The first nineteen are those of an Auth.js adapter, with `Option` where there a `null` says that nothing was found. The
 * rest is what only some stores offer: one unit of work around several calls, use of a key exactly once, and the ends of a
 * user's sessions and accounts. The rules that every method keeps are laws, written down and checked in
 * `testing/AdapterLaws.ts`.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AdapterError } from "../Errors.ts"
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  SessionId,
  UserId,
  VerificationToken
} from "../Models.ts"
import type { StateStore } from "../SharedState.ts"
import type { KeyDetails, ListedSession, SessionDetails } from "./Details.ts"

/**
 * Names an account: the id that a person has at a provider. Compared byte by byte.
 *
 * @category models
 * @since 0.1.0
 */
export interface AccountKey {
  readonly provider: string
  readonly providerAccountId: string
}

/**
 * A user to be created. The store may give it another id.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewUser {
  readonly id: UserId
  /** `undefined` for users whose provider sends no address. */
  readonly email: string | undefined
  readonly emailVerified: Date | null
  readonly name?: string | null | undefined
  readonly image?: string | null | undefined
  readonly [member: string]: unknown
}

/**
 * The changes of a user.
 *
 * @category models
 * @since 0.1.0
 */
export interface UserChange {
  readonly id: UserId
  readonly name?: string | null | undefined
  /** `null` removes the address. */
  readonly email?: string | null | undefined
  readonly emailVerified?: Date | null | undefined
  readonly image?: string | null | undefined
  readonly [member: string]: unknown
}

/**
 * The changes of an account. An absent member stays, and `null` removes one.
 *
 * @category models
 * @since 0.1.0
 */
export interface AccountChange extends AccountKey {
  readonly access_token?: string | null | undefined
  readonly refresh_token?: string | null | undefined
  readonly id_token?: string | null | undefined
  readonly token_type?: Lowercase<string> | null | undefined
  readonly scope?: string | null | undefined
  readonly expires_at?: number | null | undefined
}

/**
 * The methods of storage.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdapterShape {
  /** The methods that this store has; calling another one fails. */
  readonly methods: ReadonlySet<AdapterMethod>

  /** Creates a user and answers it with the id that it has. Fails as a unique violation when the address is taken. */
  readonly createUser: (user: NewUser) => Effect.Effect<AdapterUser, AdapterError>
  readonly getUser: (id: UserId) => Effect.Effect<Option.Option<AdapterUser>, AdapterError>
  /** The user of an address, which is in the form of `EmailAddress`. */
  readonly getUserByEmail: (email: string) => Effect.Effect<Option.Option<AdapterUser>, AdapterError>
  readonly getUserByAccount: (key: AccountKey) => Effect.Effect<Option.Option<AdapterUser>, AdapterError>
  /** Changes the members that are given and answers the whole user. Fails when there is none. */
  readonly updateUser: (change: UserChange) => Effect.Effect<AdapterUser, AdapterError>
  /** Removes a user with their accounts, sessions and authenticators. Nothing happens when there is none. */
  readonly deleteUser: (id: UserId) => Effect.Effect<void, AdapterError>
  /** Links an account to a user. Fails as a unique violation when it is linked already. */
  readonly linkAccount: (account: AdapterAccount) => Effect.Effect<void, AdapterError>
  /** Unlinks an account; one of the type `webauthn` takes its authenticator with it. Nothing happens when there is none. */
  readonly unlinkAccount: (key: AccountKey) => Effect.Effect<void, AdapterError>
  /** Creates a session, with its details where the store has `touchSession`; the answer's `sessionToken` and `expires` are what the cookie gets. */
  readonly createSession: (session: AdapterSession & SessionDetails) => Effect.Effect<AdapterSession, AdapterError>
  /** The session of a token with its user, expired or not. */
  readonly getSessionAndUser: (
    sessionToken: string
  ) => Effect.Effect<Option.Option<{ readonly session: AdapterSession; readonly user: AdapterUser }>, AdapterError>
  /** Moves the end of a session; `None` when it has been deleted meanwhile, which it then stays. */
  readonly updateSession: (
    change: Pick<AdapterSession, "sessionToken" | "expires">
  ) => Effect.Effect<Option.Option<AdapterSession>, AdapterError>
  /** Deletes a session and answers it, as far as the store returns it. Nothing happens when there is none. */
  readonly deleteSession: (sessionToken: string) => Effect.Effect<Option.Option<AdapterSession>, AdapterError>
  /** Stores a link. Earlier ones of the same address may end with it. */
  readonly createVerificationToken: (token: VerificationToken) => Effect.Effect<void, AdapterError>
  /** Takes a token out of the store: of many callers at once, one gets it. */
  readonly useVerificationToken: (
    key: Pick<VerificationToken, "identifier" | "token">
  ) => Effect.Effect<Option.Option<VerificationToken>, AdapterError>
  readonly getAccount: (
    providerAccountId: string,
    provider: string
  ) => Effect.Effect<Option.Option<AdapterAccount>, AdapterError>
  readonly getAuthenticator: (credentialID: string) => Effect.Effect<Option.Option<AdapterAuthenticator>, AdapterError>
  /**
   * Stores a credential, with its details where the store has `describeAuthenticator`. Fails as a unique violation when the
   * credential is registered already, to whomever.
   */
  readonly createAuthenticator: (
    authenticator: AdapterAuthenticator & KeyDetails
  ) => Effect.Effect<AdapterAuthenticator, AdapterError>
  readonly listAuthenticatorsByUserId: (
    userId: UserId
  ) => Effect.Effect<ReadonlyArray<AdapterAuthenticator>, AdapterError>
  /** Stores a counter. Of many callers with the same one, one succeeds where the store can tell; fails when there is none. */
  readonly updateAuthenticatorCounter: (
    credentialID: string,
    counter: number
  ) => Effect.Effect<AdapterAuthenticator, AdapterError>

  /** Runs a program as one unit of work: all of its calls count, or none. Without transactions, the program as it is. */
  readonly transaction: <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E | AdapterError, R>
  /** `true` for the first caller with that key until `expires`, `false` for all others. */
  readonly useOnce: (key: string, expires: Date) => Effect.Effect<boolean, AdapterError>
  readonly listAccounts: (userId: UserId) => Effect.Effect<ReadonlyArray<AdapterAccount>, AdapterError>
  /**
   * Changes the tokens of an account: `true` when there was such an account. With `before`, only one that has this refresh token
   * or none: of many callers with the same one, one changes it.
   */
  readonly updateAccount: (
    change: AccountChange,
    before?: { readonly refresh_token: string | undefined }
  ) => Effect.Effect<boolean, AdapterError>
  /**
   * The sessions of a user that have not ended by the clock of this process, the one that ends last first, at most 1000.
   * Their ids are those of `sessionIdOf`.
   */
  readonly listSessions: (userId: UserId) => Effect.Effect<ReadonlyArray<ListedSession>, AdapterError>
  /**
   * Ends the session of this id if it is the user's: `true` when there was one. Of concurrent callers, one gets `true`.
   * Every session that is listed can be ended.
   */
  readonly endSession: (userId: UserId, id: SessionId) => Effect.Effect<boolean, AdapterError>
  /** Ends every session of a user, but for the one that is named. */
  readonly deleteSessions: (userId: UserId, except?: string) => Effect.Effect<void, AdapterError>
  /**
   * Writes when a session was last seen. Nothing happens when there is none. A store with this method keeps all details of a session,
   * and answers them as members of it.
   */
  readonly touchSession: (sessionToken: string, lastSeenAt: Date) => Effect.Effect<void, AdapterError>
  /**
   * Changes details of a credential: `true` when there was one. A store with this method keeps all details of a credential, and
   * answers them as members of it.
   */
  readonly describeAuthenticator: (
    credentialID: string,
    details: Pick<KeyDetails, "label" | "lastUsedAt">
  ) => Effect.Effect<boolean, AdapterError>
  /** Removes at most `limit` rows of each kind that ended before `before`; answers how many went. */
  readonly sweep: (before: Date, limit: number) => Effect.Effect<number, AdapterError>
  /** A store of `SharedState`, for processes that share this one: it is used unless another one is given. */
  readonly sharedState?: StateStore | undefined
}

/**
 * The name of a method.
 *
 * @category models
 * @since 0.1.0
 */
export type AdapterMethod = Exclude<keyof AdapterShape, "methods" | "sharedState">

/** The methods of an Auth.js adapter, in the order of its documentation. */
export const authJsMethods = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "deleteUser",
  "linkAccount",
  "unlinkAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
  "getAccount",
  "getAuthenticator",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter"
] as const satisfies ReadonlyArray<AdapterMethod>

/**
 * The methods of an adapter for sessions.
 *
 * @category models
 * @since 0.1.0
 */
export type SessionMethods = Pick<
  AdapterShape,
  | "createSession"
  | "getSessionAndUser"
  | "updateSession"
  | "deleteSession"
  | "listSessions"
  | "endSession"
  | "deleteSessions"
  | "touchSession"
>

/**
 * The methods for users.
 *
 * @category models
 * @since 0.1.0
 */
export type UserMethods = Pick<
  AdapterShape,
  "createUser" | "getUser" | "getUserByEmail" | "getUserByAccount" | "updateUser" | "deleteUser"
>

/**
 * The methods for accounts.
 *
 * @category models
 * @since 0.1.0
 */
export type AccountMethods = Pick<
  AdapterShape,
  "linkAccount" | "unlinkAccount" | "getAccount" | "listAccounts" | "updateAccount"
>

/**
 * The methods for passkeys.
 *
 * @category models
 * @since 0.1.0
 */
export type AuthenticatorMethods = Pick<
  AdapterShape,
  | "getAuthenticator"
  | "createAuthenticator"
  | "listAuthenticatorsByUserId"
  | "updateAuthenticatorCounter"
  | "describeAuthenticator"
>
