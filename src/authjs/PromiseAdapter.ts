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
import { type AccountChange, type AdapterMethod, type AdapterShape, type UserChange } from "../storage/AdapterShape.ts"
import { withCheckedRows } from "../storage/AskedRow.ts"
import { debuggedCall } from "../storage/CallLog.ts"
import { isSessionId, type KeyDetails, listed, type SessionDetails } from "../storage/Details.ts"
import { functionOf, methodsIn } from "../storage/MakeAdapter.ts"
import {
  type Argument,
  makeMethods,
  type Method,
  methodTable,
  type RowKind,
  type TableMethod,
  tableMethods
} from "../storage/MethodTable.ts"
import {
  isNothing,
  type Ids,
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

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  ((typeof value === "object" && value !== null) || typeof value === "function") &&
  "then" in value &&
  typeof value.then === "function"

/** The given members that say something: some stores take a member without a value for a value. */
const definiteMembers = (row: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))

/** The key of an account alone: some stores take every member for a condition. */
const keyOf = ({ provider, providerAccountId }: GivenKey): GivenKey => ({ provider, providerAccountId })

/** Removing what is not there is no failure. */
const orNothing = (call: Effect.Effect<unknown, AdapterError>): Effect.Effect<unknown, AdapterError> =>
  Effect.catch(call, (error) => (error.reason === "missing" ? Effect.void : Effect.fail(error)))

/** An adapter need not say what became of a session: an answer that cannot be read counts as none. */
const orNone = <A>(
  call: Effect.Effect<Option.Option<A>, AdapterError>
): Effect.Effect<Option.Option<A>, AdapterError> =>
  Effect.catch(call, (error) => (error.reason === "invalid" ? Effect.succeedNone : Effect.fail(error)))

const toNumber = (answer: unknown): number | undefined => (typeof answer === "number" ? answer : undefined)

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

type Read = (row: unknown, asked: unknown) => object | null | undefined

/** How rows are read. `null` counts as absent. */
const readersOf = (ids: Ids): Readonly<Record<RowKind, Read>> => ({
  user: (row) => toUser(row, ids),
  account: (row) => toAccount(row, ids),
  session: (row) => toSession(row, ids),
  sessionAndUser: (row, token) => toSessionAndUser(row, ids, String(token)),
  listedSession: toListedSession,
  verificationToken: toVerificationToken,
  authenticator: (row) => toAuthenticator(row, ids)
})

/** Reads the answer of a method, as the table says. */
const readAnswer = (
  name: TableMethod,
  call: Effect.Effect<unknown, AdapterError>,
  decode: (row: unknown) => object | null | undefined
): Effect.Effect<unknown, AdapterError> => {
  switch (methodTable[name].gives) {
    case "row":
      return Effect.flatMap(call, (answer) => read(name, () => decode(answer)))
    case "change":
      return Effect.flatMap(call, (answer) =>
        isNothing(answer) ? Effect.fail(fault(name, "missing")) : read(name, () => decode(answer))
      )
    case "option":
      return Effect.flatMap(orNothing(call), (answer) =>
        isNothing(answer)
          ? Effect.succeedNone
          : read(name, () => {
              const row = decode(answer)
              return row === undefined ? undefined : Option.fromNullOr(row)
            })
      )
    case "list":
      return Effect.flatMap(orNothing(call), (answer) => read(name, () => toList(answer, decode)))
    case "boolean":
      return Effect.catch(
        Effect.flatMap(call, (answer) => read(name, () => toBoolean(answer))),
        (error) => (error.reason === "missing" ? Effect.succeed(false) : Effect.fail(error))
      )
    case "number":
      return Effect.flatMap(call, (answer) => read(name, () => toNumber(answer)))
    case "void":
      return Effect.asVoid(call)
    case "absence":
      return Effect.asVoid(orNothing(call))
  }
}

/** The answer about a user whom the store cannot have. */
const absenceOf = ({ gives }: Method): unknown => {
  if (gives === "option") return Option.none()
  if (gives === "list") return []
  return gives === "boolean" ? false : undefined
}

const build = (adapter: object, methods: ReadonlySet<AdapterMethod>): AdapterShape => {
  const ids = makeIds()
  const call = makeCall(adapter, methods)
  const readers = readersOf(ids)
  const same = (value: unknown) => value
  const given: Readonly<Record<Argument, (value: never) => unknown>> = {
    userId: ids.given,
    accountKey: keyOf,
    ownedRow: (row: { readonly userId: string }) => ({ ...definiteMembers(row), userId: ids.given(row.userId) }),
    members: definiteMembers,
    secret: same,
    plain: same
  }
  const derived = makeMethods((name) => {
    const method = methodTable[name]
    const { row, takes } = method
    return (...args) =>
      Effect.suspend(() => {
        const id = takes[0] === "userId" ? String(args[0]) : undefined
        // Where ids are numbers, no user has another id; a store would fail on it, or take 01 for 1.
        if (id !== undefined && !ids.possible(id)) return Effect.succeed(absenceOf(method))
        const values = args
          .filter((arg) => arg !== undefined)
          // The table names the kind of each argument.
          .map((arg, place) => given[takes[place] ?? "plain"](arg as never))
        // The first id may come from a token, before a row has shown that ids are numbers: strict stores refuse it as text.
        const answer = Effect.catch(call(name, ...values), (error) => {
          const number = id !== undefined && error.reason === "missing" ? ids.asNumber(id) : undefined
          return number === undefined ? Effect.fail(error) : call(name, number, ...values.slice(1))
        })
        return readAnswer(name, answer, (one) => (row === undefined ? undefined : readers[row](one, args[0])))
      })
  })
  /** Some stores answer a change and not the row: then the row is looked at. */
  const readChange = (change: UserChange, answer: unknown): Effect.Effect<AdapterUser, AdapterError> =>
    isWholeUser(answer) || !methods.has("getUser")
      ? read("updateUser", () => toUser(answer, ids))
      : Effect.flatMap(
          derived.getUser(change.id),
          Option.match({ onNone: () => Effect.fail(fault("updateUser", "missing")), onSome: Effect.succeed })
        )
  return {
    ...derived,
    methods,
    transaction: (program) => program,
    updateUser: (change) =>
      Effect.flatMap(call("updateUser", { ...definiteMembers(change), id: ids.given(change.id) }), (answer) =>
        isNothing(answer) ? Effect.fail(fault("updateUser", "missing")) : readChange(change, answer)
      ),
    updateSession: (change) =>
      Effect.flatMap(orNone(derived.updateSession(change)), (session) =>
        Option.isSome(session)
          ? Effect.succeed(session)
          : Effect.map(
              derived.getSessionAndUser(change.sessionToken),
              Option.map((found) => found.session)
            )
      ),
    deleteSession: (sessionToken) => orNone(derived.deleteSession(sessionToken)),
    listSessions: (userId) =>
      Effect.zipWith(derived.listSessions(userId), Clock.currentTimeMillis, (sessions, now) => listed(sessions, now)),
    endSession: (userId, id) => (isSessionId(id) ? derived.endSession(userId, id) : Effect.succeed(false)),
    createAuthenticator: (authenticator) =>
      Effect.flatMap(call("createAuthenticator", given.ownedRow(authenticator as never)), (answer) =>
        isNothing(answer)
          ? Effect.succeed(authenticator)
          : read("createAuthenticator", () => toAuthenticator(answer, ids))
      )
  }
}

/** The adapter of each object, so that a configuration that is made anew for every request costs nothing. */
const adapters = new WeakMap<object, AdapterShape>()

/**
 * Makes storage of an Auth.js adapter.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (adapter: PromiseAdapter): AdapterShape => {
  const methods = methodsIn(adapter, tableMethods)
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
