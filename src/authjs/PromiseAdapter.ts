/**
 * Storage from an Auth.js adapter: an object, or an instance of a class, whose methods answer promises.
 *
 * Only the methods that it has count. They are called on the object itself, with the values that they are given in
 * Auth.js, for at most ten seconds. What they answer is read with care, and what they throw becomes an `AdapterError`.
 * Several calls in one unit of work are not possible this way, so there is no `transaction` here.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AdapterError } from "../Errors.ts"
import type { Plain } from "../internal/Untyped.ts"
import { withTimeout } from "../internal/Timeout.ts"
import type { AdapterUser } from "../Models.ts"
import {
  type AccountChange,
  type AdapterMethod,
  type AdapterShape,
  authJsMethods,
  furtherMethods,
  type UserChange,
  type AccountMethods,
  type AuthenticatorMethods,
  type SessionMethods,
  type UserMethods
} from "../storage/AdapterShape.ts"
import { withCheckedRows } from "../storage/AskedRow.ts"
import { debuggedCall } from "../storage/CallLog.ts"
import { isSessionId, type KeyDetails, listed, type SessionDetails } from "../storage/Details.ts"
import { functionOf, methodsIn } from "../storage/MakeAdapter.ts"
import {
  isNothing,
  isWholeUser,
  makeIds,
  toAccount,
  toAuthenticator,
  toList,
  toListedSession,
  toSession,
  toSessionAndUser,
  toUser,
  toVerificationToken
} from "./AdapterRow.ts"
import { fault, faultOf } from "../storage/StoreFault.ts"

/** A user as a method receives it: further members come along. */
type GivenUser = {
  readonly id: string
  readonly email: string
  readonly emailVerified: Date | null
  readonly name?: string | null | undefined
  readonly image?: string | null | undefined
}
type GivenKey = { readonly provider: string; readonly providerAccountId: string }
/** An account as a method receives it, with the tokens of the provider. */
type GivenAccount = GivenKey & { readonly userId: string; readonly type: "oauth" | "oidc" | "email" | "webauthn" }
type GivenSession = { readonly sessionToken: string; readonly userId: string; readonly expires: Date } & SessionDetails
type GivenToken = { readonly identifier: string; readonly token: string; readonly expires: Date }
type GivenAuthenticator = {
  readonly userId: string
  readonly credentialID: string
  readonly providerAccountId: string
  readonly credentialPublicKey: string
  readonly counter: number
  readonly credentialDeviceType: string
  readonly credentialBackedUp: boolean
  readonly transports?: string | null | undefined
}

/**
 * An adapter as Auth.js defines it, with any of the methods, and with those that only this library knows. Answers are
 * promises or plain values, and no Effects; they are read at run time, so their types are open.
 *
 * @category models
 * @since 0.1.0
 */
export interface PromiseAdapter {
  createUser?(user: GivenUser): Plain
  getUser?(id: string): Plain
  getUserByEmail?(email: string): Plain
  getUserByAccount?(key: GivenKey): Plain
  updateUser?(change: Partial<GivenUser> & { readonly id: string }): Plain
  deleteUser?(id: string): Plain
  linkAccount?(account: GivenAccount): Plain
  unlinkAccount?(key: GivenKey): Plain
  createSession?(session: GivenSession): Plain
  getSessionAndUser?(sessionToken: string): Plain
  updateSession?(change: Pick<GivenSession, "sessionToken" | "expires">): Plain
  deleteSession?(sessionToken: string): Plain
  createVerificationToken?(token: GivenToken): Plain
  useVerificationToken?(key: Pick<GivenToken, "identifier" | "token">): Plain
  getAccount?(providerAccountId: string, provider: string): Plain
  getAuthenticator?(credentialID: string): Plain
  createAuthenticator?(authenticator: GivenAuthenticator): Plain
  listAuthenticatorsByUserId?(userId: string): Plain
  updateAuthenticatorCounter?(credentialID: string, counter: number): Plain
  useOnce?(key: string, expires: Date): Plain
  listAccounts?(userId: string): Plain
  /** `true` when the account, with the refresh token of `before` where that is given, was there; else `false`. */
  updateAccount?(change: AccountChange, before?: { refresh_token: string | undefined }): Plain
  /** The sessions of a user: `id`, which is `sessionIdOf` of the token, `expires`, and the details where there are any. */
  listSessions?(userId: string): Plain
  /** `true` when there was a session of this id and user, which then is gone; else `false`. */
  endSession?(userId: string, id: string): Plain
  deleteSessions?(userId: string, except?: string): Plain
  /** An adapter with this method gets every detail of a session in `createSession`, and answers them in `getSessionAndUser`. */
  touchSession?(sessionToken: string, lastSeenAt: Date): Plain
  /** An adapter with this method gets every detail of a credential in `createAuthenticator`. `true` when there was such a credential. */
  describeAuthenticator?(credentialID: string, details: Pick<KeyDetails, "label" | "lastUsedAt">): Plain
  sweep?(before: Date, limit: number): Plain
}

/** Milliseconds that a method may take. */
const longest = 10_000

/** Every method that can be a function which answers a promise. */
const names: ReadonlyArray<AdapterMethod> = [
  ...authJsMethods,
  ...furtherMethods.filter((name) => name !== "transaction")
]

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  ((typeof value === "object" && value !== null) || typeof value === "function") &&
  "then" in value &&
  typeof value.then === "function"

/** The given members that say something: some stores take a member without a value for a value. */
const definiteMembers = (row: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))

/** What names an account, and nothing else: some stores take every member for a condition. */
const keyOf = ({ provider, providerAccountId }: GivenKey): GivenKey => ({ provider, providerAccountId })

/** Removing what is not there is no failure. */
const orNothing = (call: Effect.Effect<unknown, AdapterError>): Effect.Effect<unknown, AdapterError> =>
  Effect.catch(call, (error) => (error.reason === "missing" ? Effect.void : Effect.fail(error)))

/** The same for an answer that says whether it was there. */
const orFalse = (call: Effect.Effect<boolean, AdapterError>): Effect.Effect<boolean, AdapterError> =>
  Effect.catch(call, (error) => (error.reason === "missing" ? Effect.succeed(false) : Effect.fail(error)))

const toBoolean = (answer: unknown): boolean | undefined => (typeof answer === "boolean" ? answer : undefined)

const read = <A>(method: AdapterMethod, decode: () => A | undefined): Effect.Effect<A, AdapterError> => {
  const row = Result.getOrUndefined(Result.try(decode))
  return row === undefined ? Effect.fail(fault(method, "invalid")) : Effect.succeed(row)
}

type Call = (method: AdapterMethod, ...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, AdapterError>

/** Calls the methods of the adapter. */
const makeCall = (adapter: object, methods: ReadonlySet<AdapterMethod>): Call => {
  const ask = (method: AdapterMethod, args: ReadonlyArray<unknown>): Effect.Effect<unknown, AdapterError> => {
    const toFailure = (thrown: unknown): AdapterError => faultOf(method, args, thrown)
    const call = Result.try({
      try: () => {
        const run = functionOf(adapter, method)
        const answer: unknown = run === undefined ? undefined : Reflect.apply(run, adapter, args)
        return isThenable(answer) ? { later: Promise.resolve(answer) } : { now: answer }
      },
      catch: toFailure
    })
    if (Result.isFailure(call)) return Effect.fail(call.failure)
    const { later, now } = call.success
    return later === undefined
      ? Effect.succeed(now)
      : withTimeout(later, { milliseconds: longest, failed: toFailure, late: () => fault(method, "timeout") })
  }

  return (method, ...args) =>
    methods.has(method)
      ? debuggedCall(method, args)(Effect.suspend(() => ask(method, args)))
      : Effect.fail(fault(method, "unsupported"))
}

/** Calls whose answers are read. */
const makeQueries = (adapter: object, methods: ReadonlySet<AdapterMethod>) => {
  const ids = makeIds()
  const call = makeCall(adapter, methods)
  const withOwner = <A extends { readonly userId: string }>(row: A) => ({
    ...definiteMembers(row),
    userId: ids.given(row.userId)
  })

  /** A row that must be there. */
  const row = <A>(method: AdapterMethod, decode: (row: unknown) => A | undefined, ...args: ReadonlyArray<unknown>) =>
    Effect.flatMap(call(method, ...args), (answer) => read(method, () => decode(answer)))

  /** A row that may be there. */
  const find = <A>(
    method: AdapterMethod,
    decode: (row: unknown) => A | undefined,
    ...args: ReadonlyArray<unknown>
  ): Effect.Effect<Option.Option<A>, AdapterError> => readOptional(method, decode, orNothing(call(method, ...args)))

  const readOptional = <A>(
    method: AdapterMethod,
    decode: (row: unknown) => A | undefined,
    asked: Effect.Effect<unknown, AdapterError>
  ): Effect.Effect<Option.Option<A>, AdapterError> =>
    Effect.flatMap(asked, (answer) =>
      isNothing(answer)
        ? Effect.succeedNone
        : read(method, () => {
            const row = decode(answer)
            return row === undefined ? undefined : Option.some(row)
          })
    )

  const list = <A>(
    method: AdapterMethod,
    decode: (row: unknown) => A | undefined,
    userId: string
  ): Effect.Effect<ReadonlyArray<A>, AdapterError> =>
    ifPossible(
      userId,
      row(method, (answer) => toList(answer, decode), ids.given(userId)),
      []
    )

  /** Where ids are numbers, no user has another id; a store would fail on it, or take 01 for 1. */
  const ifPossible = <A>(
    id: string,
    ask: Effect.Effect<A, AdapterError>,
    otherwise: A
  ): Effect.Effect<A, AdapterError> => Effect.suspend(() => (ids.possible(id) ? ask : Effect.succeed(otherwise)))

  return { methods, ids, call, withOwner, row, find, readOptional, list, ifPossible }
}

type Queries = ReturnType<typeof makeQueries>

/** Users. */
const userMethods = (queries: Queries): UserMethods => {
  const { call, find, ids, ifPossible, methods, readOptional, row } = queries
  const user = (row: unknown) => toUser(row, ids)
  const getUser: AdapterShape["getUser"] = (id) =>
    ifPossible(id, readOptional("getUser", user, askedById("getUser", id)), Option.none())

  /** The first id may come from a token, before a row has shown that ids are numbers: strict stores refuse it as text. */
  const askedById = (method: "getUser" | "deleteUser", id: string): Effect.Effect<unknown, AdapterError> =>
    Effect.catch(call(method, ids.given(id)), (error) => {
      const number = ids.asNumber(id)
      return orNothing(number !== undefined && error.reason === "missing" ? call(method, number) : Effect.fail(error))
    })

  /** Some stores answer a change and not the row: then the row is looked at. */
  const readChange = (change: UserChange, answer: unknown): Effect.Effect<AdapterUser, AdapterError> =>
    isWholeUser(answer) || !methods.has("getUser")
      ? read("updateUser", () => user(answer))
      : Effect.flatMap(
          getUser(change.id),
          Option.match({
            onNone: () => Effect.fail(fault("updateUser", "missing")),
            onSome: Effect.succeed
          })
        )

  return {
    createUser: (newUser) => row("createUser", user, definiteMembers(newUser)),
    getUser,
    getUserByEmail: (email) => find("getUserByEmail", user, email),
    getUserByAccount: (key) => find("getUserByAccount", user, keyOf(key)),
    updateUser: (change) =>
      Effect.flatMap(call("updateUser", { ...definiteMembers(change), id: ids.given(change.id) }), (answer) =>
        isNothing(answer) ? Effect.fail(fault("updateUser", "missing")) : readChange(change, answer)
      ),
    deleteUser: (id) => Effect.asVoid(ifPossible(id, askedById("deleteUser", id), undefined))
  }
}

/** Accounts. */
const accountMethods = (queries: Queries): AccountMethods => {
  const { call, find, ids, list, row, withOwner } = queries
  const account = (row: unknown) => toAccount(row, ids)
  return {
    linkAccount: (newAccount) => Effect.asVoid(call("linkAccount", withOwner(newAccount))),
    unlinkAccount: (key) => Effect.asVoid(orNothing(call("unlinkAccount", keyOf(key)))),
    getAccount: (providerAccountId, provider) => find("getAccount", account, providerAccountId, provider),
    listAccounts: (userId) => list("listAccounts", account, userId),
    updateAccount: (change, before) =>
      orFalse(row("updateAccount", toBoolean, definiteMembers(change), ...(before === undefined ? [] : [before])))
  }
}

/** Sessions. */
const sessionMethods = (queries: Queries): SessionMethods => {
  const { call, ids, ifPossible, row, withOwner } = queries
  const session = (row: unknown) => toSession(row, ids)
  const getSessionAndUser: AdapterShape["getSessionAndUser"] = (sessionToken) =>
    Effect.flatMap(orNothing(call("getSessionAndUser", sessionToken)), (answer) =>
      isNothing(answer)
        ? Effect.succeedNone
        : read("getSessionAndUser", () => {
            const both = toSessionAndUser(answer, ids, sessionToken)
            return both === undefined ? undefined : Option.fromNullOr(both)
          })
    )

  return {
    createSession: (newSession) => row("createSession", session, withOwner(newSession)),
    getSessionAndUser,
    updateSession: (change) =>
      Effect.flatMap(orNothing(call("updateSession", change)), (answer) => {
        const validSession = Result.getOrUndefined(Result.try(() => session(answer)))
        // An adapter need not say what became of the row, so the row is looked at.
        return validSession === undefined
          ? Effect.map(
              getSessionAndUser(change.sessionToken),
              Option.map((found) => found.session)
            )
          : Effect.succeed(Option.some(validSession))
      }),
    deleteSession: (sessionToken) =>
      Effect.map(orNothing(call("deleteSession", sessionToken)), (answer) =>
        Option.fromUndefinedOr(Result.getOrUndefined(Result.try(() => session(answer))))
      ),
    listSessions: (userId) =>
      ifPossible(
        userId,
        Effect.flatMap(
          row("listSessions", (answer) => toList(answer, toListedSession), ids.given(userId)),
          (sessions) => Effect.map(Clock.currentTimeMillis, (now) => listed(sessions, now))
        ),
        []
      ),
    endSession: (userId, id) =>
      isSessionId(id)
        ? ifPossible(userId, orFalse(row("endSession", toBoolean, ids.given(userId), id)), false)
        : Effect.succeed(false),
    deleteSessions: (userId, except) =>
      Effect.asVoid(call("deleteSessions", ids.given(userId), ...(except === undefined ? [] : [except]))),
    touchSession: (sessionToken, lastSeenAt) => Effect.asVoid(orNothing(call("touchSession", sessionToken, lastSeenAt)))
  }
}

/** Passkeys. */
const authenticatorMethods = (queries: Queries): AuthenticatorMethods => {
  const { call, find, ids, list, row, withOwner } = queries
  const authenticator = (row: unknown) => toAuthenticator(row, ids)
  return {
    getAuthenticator: (credentialID) => find("getAuthenticator", authenticator, credentialID),
    createAuthenticator: (newAuthenticator) =>
      Effect.flatMap(call("createAuthenticator", withOwner(newAuthenticator)), (answer) =>
        isNothing(answer) ? Effect.succeed(newAuthenticator) : read("createAuthenticator", () => authenticator(answer))
      ),
    listAuthenticatorsByUserId: (userId) => list("listAuthenticatorsByUserId", authenticator, userId),
    updateAuthenticatorCounter: (credentialID, counter) =>
      Effect.flatMap(call("updateAuthenticatorCounter", credentialID, counter), (answer) =>
        isNothing(answer)
          ? Effect.fail(fault("updateAuthenticatorCounter", "missing"))
          : read("updateAuthenticatorCounter", () => authenticator(answer))
      ),
    describeAuthenticator: (credentialID, details) =>
      orFalse(row("describeAuthenticator", toBoolean, credentialID, definiteMembers(details)))
  }
}

const build = (adapter: object, methods: ReadonlySet<AdapterMethod>): AdapterShape => {
  const queries = makeQueries(adapter, methods)
  const { call, find, row } = queries
  return {
    methods,
    ...userMethods(queries),
    ...accountMethods(queries),
    ...sessionMethods(queries),
    ...authenticatorMethods(queries),
    createVerificationToken: (token) => Effect.asVoid(call("createVerificationToken", token)),
    useVerificationToken: (key) => find("useVerificationToken", toVerificationToken, key),
    transaction: (program) => program,
    useOnce: (key, expires) => row("useOnce", toBoolean, key, expires),
    sweep: (before, limit) => row("sweep", (answer) => (typeof answer === "number" ? answer : undefined), before, limit)
  }
}

/** What was made for an object, so that a configuration that is made anew for every request costs nothing. */
const adapters = new WeakMap<object, AdapterShape>()

/**
 * Makes storage of an Auth.js adapter.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (adapter: PromiseAdapter): AdapterShape => {
  const methods = methodsIn(adapter, names)
  const before = adapters.get(adapter)
  if (
    before !== undefined &&
    before.methods.size === methods.size &&
    [...methods].every((name) => before.methods.has(name))
  )
    return before
  const storage = withCheckedRows(build(adapter, methods))
  adapters.set(adapter, storage)
  return storage
}
