/**
 * An adapter as Auth.js defines it, and the stores of this library in that form.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isSessionId, type KeyDetails, type ListedSession } from "../storage/Details.ts"
import * as Option from "effect/Option"
import type { AdapterError } from "../Errors.ts"
import type { Awaitable } from "../internal/Untyped.ts"
import { asUserId } from "../models/Id.ts"
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  ProviderType,
  VerificationToken
} from "../models/Shape.ts"
import type { AccountChange, AccountKey, AdapterShape } from "../storage/AdapterShape.ts"
import type { StateStore } from "../SharedState.ts"
import { fromAnswer } from "../internal/Answer.ts"
import { callByName, tableMethods } from "../storage/MethodTable.ts"
import type { PromiseStateStore } from "../storage/PromiseState.ts"

/**
 * The kinds of provider whose accounts are kept.
 *
 * @category models
 * @since 0.1.0
 */
export type AdapterAccountType = Extract<ProviderType, "oauth" | "oidc" | "email" | "webauthn">

/**
 * Storage: `docs/adapters.md` lists the methods that a feature needs. An unknown row is `null`.
 *
 * @category models
 * @since 0.1.0
 */
export interface AuthJsAdapter {
  /** Stores a user, and returns them with their id. */
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
  /** Removes a user with all rows of theirs. */
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

/**
 * A store of this library as an object of promises: the methods of an Auth.js adapter, and those that only this library has.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoreAdapter extends AuthJsAdapter {
  useOnce?(key: string, expires: Date): Promise<boolean>
  listAccounts?(userId: string): Promise<ReadonlyArray<AdapterAccount>>
  updateAccount?(change: AccountChange, before?: { readonly refresh_token: string | undefined }): Promise<boolean>
  listSessions?(userId: string): Promise<ReadonlyArray<ListedSession>>
  endSession?(userId: string, id: string): Promise<boolean>
  deleteSessions?(userId: string, except?: string): Promise<void>
  touchSession?(sessionToken: string, lastSeenAt: Date): Promise<void>
  describeAuthenticator?(credentialID: string, details: Pick<KeyDetails, "label" | "lastUsedAt">): Promise<boolean>
  sweep?(before: Date, limit: number): Promise<number>
  sharedState?: PromiseStateStore | undefined
}

const keyOf = ({ provider, providerAccountId }: AccountKey): AccountKey => ({ provider, providerAccountId })

/** Runs a call; an absent row is `null`. */
const run = <A>(call: Effect.Effect<A, AdapterError>): Promise<unknown> =>
  Effect.runPromise(Effect.map(call, (answer) => (Option.isOption(answer) ? Option.getOrNull(answer) : answer)))

/** Every method of a store, those that it does not have included. Ids that code with promises writes have no brand. */
const promisesOf = (store: AdapterShape): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(
    tableMethods.map((name) => [name, (...args: ReadonlyArray<unknown>) => run(callByName(store, name, args))])
  ),
  getUserByAccount: (key: AccountKey) => run(store.getUserByAccount(keyOf(key))),
  unlinkAccount: (key: AccountKey) => run(store.unlinkAccount(keyOf(key))),
  linkAccount: (account: AdapterAccount) =>
    run(Effect.as(store.linkAccount({ ...account, userId: asUserId(account.userId) }), account)),
  updateSession: ({ expires, sessionToken }: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">) =>
    run(
      expires === undefined
        ? Effect.map(
            store.getSessionAndUser(sessionToken),
            Option.map(({ session }) => session)
          )
        : store.updateSession({ sessionToken, expires })
    ),
  createVerificationToken: (token: VerificationToken) => run(Effect.as(store.createVerificationToken(token), token)),
  endSession: (userId: string, id: string) =>
    isSessionId(id) ? run(store.endSession(asUserId(userId), id)) : Promise.resolve(false)
})

const promisesOfState = (store: StateStore): PromiseStateStore => ({
  get: (key) => Effect.runPromise(fromAnswer("get", () => store.get(key))),
  swap: (change) => Effect.runPromise(fromAnswer("swap", () => store.swap(change)))
})

/** The stores behind objects of promises, and the members that these had. */
const stores = new WeakMap<object, { readonly store: AdapterShape; readonly members: ReadonlyArray<unknown> }>()

const membersOf = (adapter: object): ReadonlyArray<unknown> => Object.entries(adapter).flat()

/**
 * The store of which `make` made this object, while the object is as it was made. The engine of the same copy asks the store itself,
 * which has units of work; promises have none.
 *
 * @internal
 */
export const storeBehind = (adapter: object): AdapterShape | undefined => {
  const behind = stores.get(adapter)
  const members = behind === undefined ? [] : membersOf(adapter)
  return behind?.members.length === members.length && behind.members.every((member, at) => member === members[at])
    ? behind.store
    : undefined
}

/** An object of promises, with members beside those of a store. @internal */
export const make = (store: AdapterShape, more: object = {}): StoreAdapter => {
  const methods: ReadonlySet<string> = store.methods
  const calls = Object.fromEntries(Object.entries(promisesOf(store)).filter(([name]) => methods.has(name)))
  const { sharedState } = store
  const adapter: StoreAdapter =
    sharedState === undefined ? { ...calls, ...more } : { ...calls, ...more, sharedState: promisesOfState(sharedState) }
  stores.set(adapter, { store, members: membersOf(adapter) })
  return adapter
}
