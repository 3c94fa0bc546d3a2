/**
 * The stores of the tests: one in memory that a test can look into, in the three forms that stores have.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { asUserId, type UserId } from "../../src/models/Id.ts"
import { make as makeMemory } from "../../src/storage/MemoryAdapter.ts"
import { AdapterError } from "../../src/Errors.ts"
import type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser } from "../../src/Models.ts"
import {
  type AccountKey,
  type AdapterMethod,
  type AdapterShape,
  authJsMethods,
  type NewUser
} from "../../src/storage/AdapterShape.ts"
import { allMethods } from "../../src/storage/MethodTable.ts"
import type { PromiseAdapter } from "../../src/authjs/PromiseAdapter.ts"
import type { Injector, Ways } from "./Injector.ts"

/**
 * `transactions`: the store in memory as it is. `steps`: the same, without transactions. `promises`: an object with the
 * methods of an Auth.js adapter alone, which gives users ids of its own.
 */
export const storeKinds = ["transactions", "steps", "promises"] as const
export type StoreKind = (typeof storeKinds)[number]

/** All that is in a store. */
export interface Rows {
  readonly users: ReadonlyArray<AdapterUser>
  readonly accounts: ReadonlyArray<AdapterAccount>
  readonly sessions: ReadonlyArray<AdapterSession>
  readonly authenticators: ReadonlyArray<AdapterAuthenticator>
}

/** A store and all keys that it ever had. */
export interface Vault {
  /** The store itself: nothing goes wrong in it. */
  readonly store: AdapterShape
  readonly rows: Effect.Effect<Rows, AdapterError>
  /** Users that the application made. */
  readonly own: Set<string>
  /** Tokens of sessions whose user is gone. Deletes them. */
  readonly strays: Effect.Effect<ReadonlyArray<string>, AdapterError>
}

const present = <A>(found: ReadonlyArray<Option.Option<A>>): ReadonlyArray<A> =>
  found.flatMap((one) => (Option.isSome(one) ? [one.value] : []))

export const makeVault = (): Vault => {
  const memory = makeMemory()
  const users = new Set<UserId>()
  const accounts = new Map<string, AccountKey>()
  const sessions = new Set<string>()
  const keys = new Set<string>()
  const store: AdapterShape = {
    ...memory,
    createUser: (user) =>
      Effect.suspend(() => {
        users.add(user.id)
        return memory.createUser(user)
      }),
    linkAccount: (account) =>
      Effect.suspend(() => {
        accounts.set(`${account.provider} ${account.providerAccountId}`, account)
        return memory.linkAccount(account)
      }),
    createSession: (session) =>
      Effect.suspend(() => {
        sessions.add(session.sessionToken)
        return memory.createSession(session)
      }),
    createAuthenticator: (authenticator) =>
      Effect.suspend(() => {
        keys.add(authenticator.credentialID)
        return memory.createAuthenticator(authenticator)
      })
  }
  return {
    store,
    own: new Set(),
    rows: Effect.gen(function* () {
      return {
        users: present(yield* Effect.forEach([...users], memory.getUser)),
        accounts: present(
          yield* Effect.forEach([...accounts.values()], (key) => memory.getAccount(key.providerAccountId, key.provider))
        ),
        sessions: present(yield* Effect.forEach([...sessions], memory.getSessionAndUser)).map(({ session }) => session),
        authenticators: present(yield* Effect.forEach([...keys], memory.getAuthenticator))
      }
    }),
    strays: Effect.gen(function* () {
      const found: Array<string> = []
      for (const token of sessions) {
        if (Option.isSome(yield* memory.getSessionAndUser(token))) continue
        if (Option.isSome(yield* memory.deleteSession(token))) found.push(token)
      }
      return found
    })
  }
}

/** A driver that repeats in its errors what it was given. */
const talkative = (method: string, args: ReadonlyArray<unknown>): Error =>
  new Error(`${method} of ${JSON.stringify(args)} failed`)

const unavailable = (method: AdapterMethod) =>
  new AdapterError({ method, reason: "unavailable", detail: "The test says so" })

/** Makes the ways of a call. `rival` writes what another request has written. */
const waysOf = <A>(
  method: AdapterMethod,
  args: ReadonlyArray<unknown>,
  more: Pick<Ways<A, AdapterError>, "nothing" | "rival"> = {}
): Ways<A, AdapterError> => ({
  part: "store",
  failure: Effect.failSync(() => unavailable(method)),
  defect: () => talkative(method, args),
  patience: 13,
  ...more
})

const taken = (method: AdapterMethod) =>
  Effect.failSync(() => new AdapterError({ method, reason: "unique", detail: "There is such a row already" }))

/** The rows that another request of the person wrote before this one. */
export interface Rivals {
  /** The account that people of this flow come with. */
  account: AdapterAccount | undefined
  /** Users who were there before the flow began. */
  readonly known: Set<string>
}

const twinId = "the user of a twin"

const twinOfUser =
  ({ own, store }: Vault, rivals: Rivals): ((user: NewUser) => Effect.Effect<unknown, AdapterError>) =>
  (user) =>
    Effect.andThen(
      store.createUser({ ...user, id: asUserId(twinId) }),
      Effect.suspend(() => {
        if (rivals.account !== undefined) return store.linkAccount({ ...rivals.account, userId: asUserId(twinId) })
        own.add(twinId)
        return Effect.void
      })
    )

const twinOfAccount =
  ({ own, store }: Vault, rivals: Rivals): ((account: AdapterAccount) => Effect.Effect<unknown, AdapterError>) =>
  (account) => {
    if (rivals.known.has(account.userId)) return store.linkAccount(account)
    // The twin of a key is still on the way to making it.
    if (account.type === "webauthn") own.add(twinId)
    return Effect.andThen(
      store.createUser({ id: asUserId(twinId), email: undefined, emailVerified: null }),
      store.linkAccount({ ...account, userId: asUserId(twinId) })
    )
  }

/** The store with an injector around every call. */
const faultyShape = (vault: Vault, injector: Injector, rivals: Rivals, transactions: boolean): AdapterShape => {
  const { store } = vault
  /** Changes of a rival during a transaction are visible after it. */
  let afterwards: Effect.Effect<unknown, AdapterError> | undefined
  const overtaken = (method: AdapterMethod, twin: Effect.Effect<unknown, AdapterError>) =>
    Effect.andThen(
      transactions
        ? Effect.sync(() => {
            afterwards = twin
          })
        : twin,
      taken(method)
    )
  const plain =
    <Args extends ReadonlyArray<unknown>, A>(
      method: AdapterMethod,
      call: (...args: Args) => Effect.Effect<A, AdapterError>,
      more: (...args: Args) => Pick<Ways<A, AdapterError>, "nothing" | "rival"> = () => ({})
    ) =>
    (...args: Args): Effect.Effect<A, AdapterError> =>
      injector.around(
        method,
        waysOf<A>(method, args, more(...args)),
        Effect.suspend(() => call(...args))
      )
  const none = () => ({ nothing: Effect.succeedNone })
  const empty = () => ({ nothing: Effect.succeed([]) })
  const end = { part: "store", failure: Effect.failSync(() => unavailable("transaction")), patience: 28 } as const
  return {
    methods: transactions ? allMethods : new Set([...allMethods].filter((method) => method !== "transaction")),
    createUser: plain("createUser", store.createUser, (user) => ({
      rival: overtaken("createUser", twinOfUser(vault, rivals)(user))
    })),
    getUser: plain("getUser", store.getUser, none),
    getUserByEmail: plain("getUserByEmail", store.getUserByEmail, none),
    getUserByAccount: plain("getUserByAccount", store.getUserByAccount, none),
    updateUser: plain("updateUser", store.updateUser),
    deleteUser: plain("deleteUser", store.deleteUser),
    linkAccount: plain("linkAccount", store.linkAccount, (account) => ({
      rival: overtaken("linkAccount", twinOfAccount(vault, rivals)(account))
    })),
    unlinkAccount: plain("unlinkAccount", store.unlinkAccount),
    createSession: plain("createSession", store.createSession),
    getSessionAndUser: plain("getSessionAndUser", store.getSessionAndUser, none),
    updateSession: plain("updateSession", store.updateSession, ({ sessionToken }) => ({
      nothing: Effect.andThen(store.deleteSession(sessionToken), Effect.succeedNone)
    })),
    deleteSession: plain("deleteSession", store.deleteSession, (sessionToken) => ({
      nothing: Effect.andThen(store.deleteSession(sessionToken), Effect.succeedNone)
    })),
    createVerificationToken: plain("createVerificationToken", store.createVerificationToken),
    useVerificationToken: plain("useVerificationToken", store.useVerificationToken, (key) => ({
      nothing: Effect.andThen(store.useVerificationToken(key), Effect.succeedNone)
    })),
    getAccount: plain("getAccount", store.getAccount, none),
    getAuthenticator: plain("getAuthenticator", store.getAuthenticator, none),
    createAuthenticator: plain("createAuthenticator", store.createAuthenticator),
    listAuthenticatorsByUserId: plain("listAuthenticatorsByUserId", store.listAuthenticatorsByUserId, empty),
    updateAuthenticatorCounter: plain("updateAuthenticatorCounter", store.updateAuthenticatorCounter),
    useOnce: plain("useOnce", store.useOnce, () => ({ nothing: Effect.succeed(false) })),
    listAccounts: plain("listAccounts", store.listAccounts, empty),
    updateAccount: plain("updateAccount", store.updateAccount),
    listSessions: plain("listSessions", store.listSessions, empty),
    endSession: plain("endSession", store.endSession, (userId, id) => ({
      nothing: Effect.as(store.endSession(userId, id), false)
    })),
    deleteSessions: plain("deleteSessions", store.deleteSessions),
    touchSession: plain("touchSession", store.touchSession),
    describeAuthenticator: plain("describeAuthenticator", store.describeAuthenticator),
    sweep: plain("sweep", store.sweep),
    transaction: (program) =>
      transactions
        ? Effect.andThen(
            injector.around("begin", { ...end, defect: () => talkative("begin", []), empty: true }, Effect.void),
            Effect.ensuring(
              // The commit is where the store in memory comes to its end: before it, nothing counts; after it, all does.
              injector.aroundEnd(
                "commit",
                { ...end, defect: () => talkative("commit", []) },
                program,
                store.transaction
              ),
              Effect.suspend(() => {
                const twin = afterwards
                afterwards = undefined
                return twin === undefined ? Effect.void : Effect.ignore(twin)
              })
            )
          )
        : program
  }
}

/** Runs what a promise stands for. */
export type Run = <A, E>(program: Effect.Effect<A, E>) => Promise<A>

/** The store as an Auth.js adapter: nineteen methods, promises, `null` for nothing, ids of its own, talkative errors. */
const faultyPromises = (vault: Vault, injector: Injector, rivals: Rivals, run: Run): PromiseAdapter => {
  const { store } = vault
  let users = 0
  const twins: { readonly [method: string]: (...args: ReadonlyArray<never>) => Effect.Effect<unknown, AdapterError> } =
    { createUser: twinOfUser(vault, rivals), linkAccount: twinOfAccount(vault, rivals) }
  const gone: { readonly [method: string]: (...args: ReadonlyArray<never>) => Effect.Effect<unknown, AdapterError> } = {
    updateSession: ({ sessionToken }: { readonly sessionToken: string }) => store.deleteSession(sessionToken),
    deleteSession: store.deleteSession,
    useVerificationToken: store.useVerificationToken
  }
  const findsNothing = /^get|^list|^use|^updateSession|^deleteSession/
  const entries = authJsMethods.map((method) => {
    const real = store[method] as (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, AdapterError>
    const call = (...given: ReadonlyArray<unknown>): Promise<unknown> => {
      const args = method === "createUser" ? [{ ...Object(given[0]), id: `row ${++users}` }, ...given.slice(1)] : given
      const failure = Effect.failSync(() => talkative(method, args))
      const twin = twins[method]
      const vanish = gone[method] ?? (() => Effect.void)
      const unique = Effect.failSync(() => Object.assign(talkative(method, args), { code: "23505" }))
      return run(
        injector.around<unknown, unknown, never>(
          method,
          {
            part: "store",
            failure,
            defect: () => talkative(method, args),
            patience: 11,
            ...(findsNothing.test(method)
              ? { nothing: Effect.as(vanish(...(args as ReadonlyArray<never>)), method.startsWith("list") ? [] : null) }
              : {}),
            ...(twin === undefined ? {} : { rival: Effect.andThen(twin(...(args as ReadonlyArray<never>)), unique) })
          },
          Effect.map(
            Effect.suspend(() => real(...args)),
            (answer) => (Option.isOption(answer) ? Option.getOrNull(answer) : answer)
          )
        )
      )
    }
    return [method, call] as const
  })
  return Object.fromEntries(entries)
}

export const adapterOf = (
  kind: StoreKind,
  vault: Vault,
  injector: Injector,
  rivals: Rivals,
  run: Run
): AdapterShape | PromiseAdapter =>
  kind === "promises"
    ? faultyPromises(vault, injector, rivals, run)
    : faultyShape(vault, injector, rivals, kind === "transactions")
