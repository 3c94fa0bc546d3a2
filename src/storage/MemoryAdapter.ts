/**
 * Storage in this process: complete, ordered and forgetful. For tests and demonstrations.
 *
 * Every method runs in one turn, so that of many callers one wins. A transaction keeps a journal of what its own calls
 * changed and takes it back when the program fails, dies or is interrupted. While one is open, calls from elsewhere wait, so
 * no caller sees half of it. A transaction inside another is a part of it that can be taken back alone.
 *
 * The store grows with what is put into it, up to a number of rows of each kind; after that, creating fails. What has an
 * end is removed after it, by `sweep`, and from a thousand rows on a little with every row that is added.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { AdapterError, type AdapterFault } from "../Errors.ts"
import type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser, VerificationToken } from "../Models.ts"
import type {
  AccountMethods,
  AdapterMethod,
  AdapterShape,
  AuthenticatorMethods,
  SessionMethods,
  UserMethods
} from "./AdapterShape.ts"
import { detailsOf, listed, type SessionDetails, sessionIdOf } from "./Details.ts"
import { make as makeAdapter } from "./MakeAdapter.ts"

/** The store itself, or a transaction in it. */
interface Level {
  /** The level of the store itself: distinguishes one store from another. */
  readonly root: Level | undefined
  /** The outer transaction: of this store or of another. */
  readonly around: Level | undefined
  /** How to take back what was done, last first. */
  readonly journal: Array<() => void>
  /** Transactions in this level take turns. */
  readonly turn: Semaphore.Semaphore
  /** Is there a transaction in this level? Then its other callers wait. */
  busy: boolean
  open: boolean
}

class Within extends Context.Service<Within, Level>()("effect-doorman/storage/MemoryAdapter/Within") {}

const makeLevel = (root: Level | undefined, around: Level | undefined): Level => ({
  root,
  around,
  journal: [],
  turn: Semaphore.makeUnsafe(1),
  busy: false,
  open: true
})

const aroundOf = (context: Context.Context<never>): Level | undefined =>
  Option.getOrUndefined(Context.getOption(context, Within))

/** The innermost open level of this store that a program is in. */
const levelOf = (root: Level, around: Level | undefined): Level => {
  for (let at = around; at !== undefined; at = at.around) if (at.root === root && at.open) return at
  return root
}

/** A step of one turn, which answers a value or a failure; `undo` reverses it. */
type Run<A> = (undo: Undo, now: number) => A | AdapterError
type Undo = (back: () => void) => void

const forgotten: Undo = () => undefined

const step =
  (root: Level) =>
  <A>(run: Run<A>): Effect.Effect<A, AdapterError> =>
    Effect.withFiber((fiber) => {
      const level = levelOf(root, aroundOf(fiber.context))
      return level.busy
        ? level.turn.withPermits(1)(Effect.suspend(() => ran(level, fiber, run)))
        : ran(level, fiber, run)
    })

const ran = <A>(level: Level, fiber: Fiber.Fiber<unknown, unknown>, run: Run<A>): Effect.Effect<A, AdapterError> => {
  const answer = run(
    level.root === undefined ? forgotten : (back) => void level.journal.push(back),
    Context.get(fiber.context, Clock.Clock).currentTimeMillisUnsafe()
  )
  return answer instanceof AdapterError ? Effect.fail(answer) : Effect.succeed(answer)
}

const transaction =
  (root: Level) =>
  <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const around = aroundOf(fiber.context)
      const level = levelOf(root, around)
      return level.turn.withPermits(1)(
        Effect.acquireUseRelease(
          Effect.sync(() => {
            level.busy = true
            return makeLevel(root, around)
          }),
          (own) => Effect.provideService(program, Within, own),
          (own, exit) =>
            Effect.sync(() => {
              own.open = false
              level.busy = false
              if (Exit.isFailure(exit)) for (const back of own.journal.reverse()) back()
              else if (level.root !== undefined) level.journal.push(...own.journal)
            })
        )
      )
    })

const fault = (method: AdapterMethod, reason: AdapterFault, detail: string): AdapterError =>
  new AdapterError({ method, reason, detail })

const set = <V>(map: Map<string, V>, key: string, value: V, undo: Undo): void => {
  const before = map.get(key)
  map.set(key, value)
  undo(() => (before === undefined ? map.delete(key) : map.set(key, before)))
}

const remove = <V>(map: Map<string, V>, key: string, undo: Undo): V | undefined => {
  const before = map.get(key)
  if (before !== undefined) {
    map.delete(key)
    undo(() => map.set(key, before))
  }
  return before
}

/** From so many rows on, adding one removes what has ended. */
const tidy = 1000

/** Checks the two rows whose last check is the oldest: removes expired ones and moves the others to the back. */
const removeSomeEnded = <V>(map: Map<string, V>, ends: (row: V) => number, now: number): void => {
  if (map.size < tidy) return
  for (const [key, row] of take(map, 2)) {
    map.delete(key)
    if (ends(row) > now) map.set(key, row)
  }
}

function* take<A>(all: Iterable<A>, count: number): Generator<A> {
  let left = count
  for (const one of all) {
    if (left-- <= 0) return
    yield one
  }
}

const endOf = (row: { readonly expires: Date }): number => row.expires.getTime()

/** Parts of a key that cannot run together. */
const joinKey = (...parts: ReadonlyArray<string>): string => JSON.stringify(parts)

/** Callers get copies: what they do with a row is theirs. */
const copy = <A extends object>(row: A): A => {
  const twin = { ...row }
  for (const [name, value] of Object.entries(twin)) {
    if (typeof value !== "object" || value === null) continue
    const duplicate: unknown = value instanceof Date ? new Date(value.getTime()) : structuredClone(value)
    Object.defineProperty(twin, name, { value: duplicate, configurable: true, enumerable: true, writable: true })
  }
  return twin
}

const copyOption = <A extends object>(row: A | undefined): Option.Option<A> =>
  row === undefined ? Option.none() : Option.some(copy(row))

/** The rows of a store. */
interface Tables {
  readonly users: Map<string, AdapterUser>
  readonly emails: Map<string, string>
  readonly accounts: Map<string, AdapterAccount>
  readonly sessions: Map<string, AdapterSession & SessionDetails>
  readonly tokens: Map<string, VerificationToken>
  readonly authenticators: Map<string, AdapterAuthenticator>
  /** When the use of a key is forgotten, in milliseconds since 1970. */
  readonly usedKeys: Map<string, number>
  /** The largest number of rows of each kind. */
  readonly capacity: number
  /** Runs a step in the transaction around it. */
  readonly once: ReturnType<typeof step>
}

const makeTables = (root: Level, capacity: number): Tables => ({
  users: new Map(),
  emails: new Map(),
  accounts: new Map(),
  sessions: new Map(),
  tokens: new Map(),
  authenticators: new Map(),
  usedKeys: new Map(),
  capacity,
  once: step(root)
})

/** Why there can be no further row for this user. */
const refusal = (
  tables: Tables,
  method: AdapterMethod,
  map: ReadonlyMap<string, unknown>,
  key: string,
  userId: string
): AdapterError | undefined => {
  if (map.has(key)) return fault(method, "unique", "There is such a row already")
  if (!tables.users.has(userId)) return fault(method, "missing", "There is no such user")
  return full(tables, method, map)
}

/** Is there no room for a further row? */
const full = ({ capacity }: Tables, method: AdapterMethod, map: ReadonlyMap<string, unknown>) =>
  map.size < capacity ? undefined : fault(method, "unavailable", "The store in memory is full")

const userOf = ({ users }: Tables, id: string | undefined): Option.Option<AdapterUser> =>
  id === undefined ? Option.none() : copyOption(users.get(id))

const rowsOf = <V extends { readonly userId: string }>(map: Map<string, V>, userId: string): ReadonlyArray<V> =>
  [...map.values()].filter((row) => row.userId === userId).map(copy)

const forget = <V extends { readonly userId: string }>(
  map: Map<string, V>,
  userId: string,
  undo: Undo,
  except?: string
): void => {
  for (const [key, row] of map) if (row.userId === userId && key !== except) remove(map, key, undo)
}

const sweepOf = <V>(map: Map<string, V>, ends: (row: V) => number, before: Date, limit: number, undo: Undo) => {
  const keys: Array<string> = []
  for (const [key, row] of map) {
    if (keys.length >= limit) break
    if (ends(row) < before.getTime()) keys.push(key)
  }
  for (const key of keys) remove(map, key, undo)
  return keys.length
}

/** Users by their id and by their address; with a user goes all that is theirs. */
const usersMethods = (tables: Tables): UserMethods => {
  const { users, emails, accounts, sessions, authenticators, once } = tables
  return {
    createUser: (user) =>
      once((undo) => {
        const email = user.email ?? ""
        if (users.has(user.id) || (email !== "" && emails.has(email)))
          return fault("createUser", "unique", "There is a user with this id or address")
        const row: AdapterUser = copy({ ...user, email })
        const rejection = full(tables, "createUser", users)
        if (rejection !== undefined) return rejection
        set(users, row.id, row, undo)
        if (email !== "") set(emails, email, row.id, undo)
        return copy(row)
      }),
    getUser: (id) => once(() => userOf(tables, id)),
    getUserByEmail: (email) => once(() => userOf(tables, emails.get(email))),
    getUserByAccount: ({ provider, providerAccountId }) =>
      once(() => userOf(tables, accounts.get(joinKey(provider, providerAccountId))?.userId)),
    updateUser: (change) =>
      once((undo) => {
        const before = users.get(change.id)
        if (before === undefined) return fault("updateUser", "missing", "There is no such user")
        const changes = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
        const after: AdapterUser = copy({
          ...before,
          ...changes,
          email: change.email === null ? "" : (change.email ?? before.email)
        })
        if (after.email !== before.email) {
          if (after.email !== "" && emails.has(after.email))
            return fault("updateUser", "unique", "There is a user with this address")
          remove(emails, before.email, undo)
          if (after.email !== "") set(emails, after.email, after.id, undo)
        }
        set(users, after.id, after, undo)
        return copy(after)
      }),
    deleteUser: (id) =>
      once((undo) => {
        forget(accounts, id, undo)
        forget(authenticators, id, undo)
        forget(sessions, id, undo)
        const user = remove(users, id, undo)
        if (user !== undefined) remove(emails, user.email, undo)
      })
  }
}

/** Accounts by provider and the id there. */
const accountsMethods = (tables: Tables): AccountMethods => {
  const { accounts, authenticators, once } = tables
  return {
    linkAccount: (account) =>
      once((undo) => {
        const key = joinKey(account.provider, account.providerAccountId)
        const rejection = refusal(tables, "linkAccount", accounts, key, account.userId)
        return rejection ?? set(accounts, key, copy(account), undo)
      }),
    unlinkAccount: ({ provider, providerAccountId }) =>
      once((undo) => {
        const account = remove(accounts, joinKey(provider, providerAccountId), undo)
        // An account that is a key takes the key with it: one that stayed could not be registered again.
        if (account?.type !== "webauthn") return
        for (const [id, key] of authenticators) {
          if (key.userId === account.userId && key.providerAccountId === providerAccountId)
            remove(authenticators, id, undo)
        }
      }),
    getAccount: (providerAccountId, provider) =>
      once(() => copyOption(accounts.get(joinKey(provider, providerAccountId)))),
    listAccounts: (userId) => once(() => rowsOf(accounts, userId)),
    updateAccount: (change, expected) =>
      once((undo) => {
        const key = joinKey(change.provider, change.providerAccountId)
        const row = accounts.get(key)
        const isExpected = expected === undefined || row?.refresh_token === expected.refresh_token
        if (row === undefined || !isExpected) return false
        const after = Object.entries<string | number | null | undefined>({ ...change }).reduce<AdapterAccount>(
          (account, [name, value]) => (value === undefined ? account : { ...account, [name]: value ?? undefined }),
          row
        )
        set(accounts, key, copy(after), undo)
        return true
      })
  }
}

/** Sessions by their token. */
const sessionsMethods = (tables: Tables): SessionMethods => {
  const { users, sessions, once } = tables
  return {
    createSession: (session) =>
      once((undo, now) => {
        removeSomeEnded(sessions, endOf, now)
        const rejection = refusal(tables, "createSession", sessions, session.sessionToken, session.userId)
        if (rejection !== undefined) return rejection
        set(sessions, session.sessionToken, copy(session), undo)
        return copy(session)
      }),
    getSessionAndUser: (sessionToken) =>
      once(() => {
        const session = sessions.get(sessionToken)
        const user = session === undefined ? undefined : users.get(session.userId)
        return session === undefined || user === undefined
          ? Option.none()
          : Option.some({ session: copy(session), user: copy(user) })
      }),
    updateSession: ({ expires, sessionToken }) =>
      once((undo) => {
        const before = sessions.get(sessionToken)
        if (before === undefined) return Option.none()
        const after = copy({ ...before, expires })
        set(sessions, sessionToken, after, undo)
        return copyOption(after)
      }),
    deleteSession: (sessionToken) => once((undo) => copyOption(remove(sessions, sessionToken, undo))),
    listSessions: (userId) =>
      once((_, now) => {
        const rows = rowsOf(sessions, userId)
        return listed(
          rows.map((row) => ({ id: sessionIdOf(row.sessionToken), expires: row.expires, ...detailsOf(row) })),
          now
        )
      }),
    endSession: (userId, id) =>
      once((undo) => {
        for (const [token, row] of sessions) {
          if (row.userId === userId && sessionIdOf(token) === id) return remove(sessions, token, undo) !== undefined
        }
        return false
      }),
    deleteSessions: (userId, except) =>
      once((undo) => {
        forget(sessions, userId, undo, except)
      }),
    touchSession: (sessionToken, lastSeenAt) =>
      once((undo) => {
        const row = sessions.get(sessionToken)
        if (row !== undefined) set(sessions, sessionToken, copy({ ...row, lastSeenAt }), undo)
      })
  }
}

/** Passkeys by the id of their credential. */
const authenticatorsMethods = (tables: Tables): AuthenticatorMethods => {
  const { authenticators, once } = tables
  return {
    getAuthenticator: (credentialID) => once(() => copyOption(authenticators.get(credentialID))),
    createAuthenticator: (authenticator) =>
      once((undo) => {
        const { credentialID, userId } = authenticator
        const rejection = refusal(tables, "createAuthenticator", authenticators, credentialID, userId)
        if (rejection !== undefined) return rejection
        set(authenticators, credentialID, copy(authenticator), undo)
        return copy(authenticator)
      }),
    listAuthenticatorsByUserId: (userId) => once(() => rowsOf(authenticators, userId)),
    updateAuthenticatorCounter: (credentialID, counter) =>
      once((undo) => {
        const before = authenticators.get(credentialID)
        if (before === undefined) return fault("updateAuthenticatorCounter", "missing", "There is no such credential")
        if (counter <= before.counter && !(counter === 0 && before.counter === 0))
          return fault("updateAuthenticatorCounter", "stale", "The counter has not grown")
        const after = { ...before, counter }
        set(authenticators, credentialID, after, undo)
        return copy(after)
      }),
    describeAuthenticator: (credentialID, details) =>
      once((undo) => {
        const row = authenticators.get(credentialID)
        if (row === undefined) return false
        set(authenticators, credentialID, copy({ ...row, ...details }), undo)
        return true
      })
  }
}

/** Single-use values: tokens of links, and keys. */
const oneTimeMethods = (
  tables: Tables
): Pick<AdapterShape, "createVerificationToken" | "useVerificationToken" | "useOnce" | "sweep"> => {
  const { sessions, tokens, usedKeys, once } = tables
  return {
    createVerificationToken: (token) =>
      once((undo, now) => {
        removeSomeEnded(tokens, endOf, now)
        const rejection = full(tables, "createVerificationToken", tokens)
        return rejection ?? set(tokens, joinKey(token.identifier, token.token), copy(token), undo)
      }),
    useVerificationToken: ({ identifier, token }) =>
      once((undo) => copyOption(remove(tokens, joinKey(identifier, token), undo))),
    useOnce: (key, expires) =>
      once((undo, now) => {
        removeSomeEnded(usedKeys, Number, now)
        if ((usedKeys.get(key) ?? 0) > now) return false
        const rejection = full(tables, "useOnce", usedKeys)
        if (rejection !== undefined) return rejection
        set(usedKeys, key, expires.getTime(), undo)
        return true
      }),
    sweep: (before, limit) =>
      once(
        (undo) =>
          sweepOf(sessions, endOf, before, limit, undo) +
          sweepOf(tokens, endOf, before, limit, undo) +
          sweepOf(usedKeys, Number, before, limit, undo)
      )
  }
}

/**
 * Makes an empty store. `capacity` is the largest number of rows of each kind, 100 000 unless it is said.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options?: { readonly capacity?: number }): AdapterShape => {
  const root = makeLevel(undefined, undefined)
  const tables = makeTables(root, options?.capacity ?? 100_000)
  return makeAdapter({
    ...usersMethods(tables),
    ...accountsMethods(tables),
    ...sessionsMethods(tables),
    ...authenticatorsMethods(tables),
    ...oneTimeMethods(tables),
    transaction: transaction(root)
  })
}
