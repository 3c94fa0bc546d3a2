/**
 * Which sessions a provider can end: those that began with an ID token of it, by its session (`sid`) and by its person (`sub`).
 *
 * The shared state keeps the list, because no adapter has a column for it and a provider calls any process. It holds ids of
 * sessions and users. Only for adapters that cannot end a session by its id, it holds the token of the session, sealed.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { asSessionId, UserId } from "../models/Id.ts"
import { note, userOf } from "../telemetry/AuditEmitter.ts"
import { type AdapterError, type SharedStateError, SignOutError } from "../Errors.ts"
import { Jwt } from "../Jwt.ts"
import { Seal } from "../browser/Seal.ts"
import { Settings } from "../config/Settings.ts"
import { SharedState } from "../SharedState.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { Adapter, storageOf } from "../storage/Storage.ts"

/**
 * A session of this site.
 *
 * @category models
 * @since 0.1.0
 */
export interface SiteSession {
  readonly id: string
  readonly userId: UserId | undefined
  /** The token of a session in a database. */
  readonly token?: string | undefined
}

/**
 * A session, or a person, at a provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderSession {
  readonly provider: string
  readonly issuer: string
  readonly sub?: string | undefined
  readonly sid?: string | undefined
}

const text = Schema.optionalKey(Schema.String)

const Entries = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      until: Schema.Number,
      userId: Schema.optionalKey(UserId),
      sub: text,
      sealed: text
    })
  )
)
type Entry = (typeof Entries.Type)[number]

const decode = Schema.decodeUnknownOption(Entries)

const purpose = "provider-session"

/** Most sessions of one person or one session at a provider; older ones give way. */
const mostEntries = 64

/**
 * Seconds for which a session without an absolute end can be ended by its provider, and for which its ID token is kept: the
 * longest life of a cookie (RFC 6265bis section 5.5).
 */
export const longestLife = 400 * 24 * 60 * 60

/** How long sessions of a configuration can last at most, in seconds. */
export const lifeOf = ({ session }: Settings["Service"]): number => session.absoluteMaxAge ?? longestLife

const keysOf = ({ issuer, provider, sid, sub }: ProviderSession): ReadonlyArray<string> =>
  [["sid", sid] as const, ["sub", sub] as const].flatMap(([kind, value]) =>
    value === undefined ? [] : [JSON.stringify([provider, issuer, kind, value])]
  )

/** A store takes values of ASCII. */
const written = (entries: ReadonlyArray<Entry>): string =>
  JSON.stringify(entries).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

const read = (value: string | undefined, now: number): ReadonlyArray<Entry> =>
  Option.getOrElse(decode(value), (): ReadonlyArray<Entry> => []).filter(({ until }) => until > now)

/**
 * Remembers that a session began with an ID token of a provider. A memory that is full is logged as an error, and the session
 * can then be ended by all but its provider.
 *
 * @category combinators
 * @since 0.1.0
 */
export const remember = Effect.fnUntraced(function* (
  at: ProviderSession,
  { id, token, userId }: SiteSession
): Effect.fn.Return<void, SharedStateError, Adapter | Settings | Seal> {
  const { set } = yield* SharedState
  const adapter = storageOf(yield* Adapter)
  const life = lifeOf(yield* Settings)
  const { seal } = yield* Seal
  const now = yield* Clock.currentTimeMillis
  const needsToken = token !== undefined && adapter?.methods.has("endSession") !== true
  const entry: Entry = {
    id,
    until: now + life * 1000,
    ...(userId === undefined ? {} : { userId }),
    ...(at.sub === undefined ? {} : { sub: at.sub }),
    ...(needsToken ? { sealed: yield* seal(purpose, { token }, life) } : {})
  }
  const add = (before: string | undefined) => written([...read(before, now), entry].slice(-mostEntries))
  yield* Effect.forEach(keysOf(at), (key) => set(purpose, key, add, Duration.seconds(life)), { discard: true }).pipe(
    Effect.catch((failure) => (failure.reason === "full" ? Effect.logError(failure) : Effect.fail(failure)))
  )
})

/**
 * Ends the sessions that a provider names: those of its session, or, where it names a person alone, all of that person. One that
 * has ended already is no failure.
 *
 * @category combinators
 * @since 0.1.0
 */
export const end = Effect.fnUntraced(function* (
  at: ProviderSession
): Effect.fn.Return<void, AdapterError | SharedStateError | SignOutError, Adapter | Jwt | Settings | Seal> {
  const { get } = yield* SharedState
  const now = yield* Clock.currentTimeMillis
  const [key] = keysOf(at)
  const entries = key === undefined ? [] : read(yield* get(purpose, key), now)
  const named = entries.filter(({ sub }) => at.sub === undefined || sub === at.sub)
  const adapter = storageOf(yield* Adapter)
  if (at.sid === undefined && at.sub !== undefined && adapter !== undefined)
    yield* endUser(adapter, at.provider, at.sub)
  yield* endAll(adapter, named)
  const subs = new Set([at.sub, ...named.map(({ sub }) => sub)])
  if (adapter !== undefined)
    for (const sub of subs) if (sub !== undefined) yield* forgetTokens(adapter, at.provider, sub)
})

/** Ends all sessions of the user whom the store knows by an account. Adapters without the method have the list alone. */
const endUser = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  provider: string,
  providerAccountId: string
): Effect.fn.Return<void, AdapterError | SharedStateError, Jwt | Settings> {
  const user = Option.getOrUndefined(yield* adapter.getUserByAccount({ provider, providerAccountId }))
  if (user === undefined) return
  const { revocation } = yield* Jwt
  const { session } = yield* Settings
  if (session.strategy === "jwt") yield* revocation?.revokeAll(user.id) ?? Effect.void
  else if (adapter.methods.has("deleteSessions")) yield* adapter.deleteSessions(user.id)
  yield* note({ _tag: "SessionsRevoked", which: "all", ...userOf(user.id) })
})

/** Ends every session, and fails afterwards where one could not be ended: it must not keep the others. */
const endAll = (adapter: AdapterShape | undefined, entries: ReadonlyArray<Entry>) =>
  Effect.flatMap(
    Effect.forEach(entries, (entry) => Effect.result(endEntry(adapter, entry))),
    (ended) => Effect.forEach(ended, (one) => Effect.fromResult(one), { discard: true })
  )

const endEntry = Effect.fnUntraced(function* (
  adapter: AdapterShape | undefined,
  { id, sealed, userId }: Entry
): Effect.fn.Return<void, AdapterError | SharedStateError | SignOutError, Jwt | Settings | Seal> {
  const { session } = yield* Settings
  const { revocation } = yield* Jwt
  if (session.strategy === "jwt") {
    if (revocation === undefined) return yield* new SignOutError({ detail: "Token sessions need session.revocation" })
    yield* revocation.end(id)
  } else if (adapter !== undefined && sealed !== undefined) {
    const opened = yield* (yield* Seal).open(purpose, sealed)
    const token = opened.ok ? opened.claims["token"] : undefined
    if (typeof token !== "string")
      return yield* new SignOutError({ detail: "The session was sealed with another secret" })
    yield* adapter.deleteSession(token)
  } else if (adapter !== undefined && userId !== undefined) yield* adapter.endSession(userId, asSessionId(id))
  yield* note({ _tag: "SessionsRevoked", which: "one", ...userOf(userId) })
})

/** Refresh tokens end with the session, unless the person agreed to access without one (section 2.7). */
const forgetTokens = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  provider: string,
  providerAccountId: string
): Effect.fn.Return<void, AdapterError> {
  if (!adapter.methods.has("updateAccount") || !adapter.methods.has("getAccount")) return
  const account = Option.getOrUndefined(yield* adapter.getAccount(providerAccountId, provider))
  if (account?.refresh_token === undefined || account.scope?.split(" ").includes("offline_access") === true) return
  yield* adapter.updateAccount({ provider, providerAccountId, refresh_token: null })
})
