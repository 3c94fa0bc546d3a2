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
import { UserId } from "../models/Id.ts"
import { sha256 } from "../crypto/Sha256.ts"
import { flowMaxAge } from "../http/Cookie.ts"
import { note, userOf } from "../telemetry/AuditEmitter.ts"
import { type AdapterError, type SharedStateError, SignOutError } from "../Errors.ts"
import { Seal } from "../browser/Seal.ts"
import { Settings } from "../config/Settings.ts"
import { SharedState } from "../SharedState.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { Adapter, storageOf } from "../storage/Storage.ts"
import { type SessionServices, SessionStore, type SiteSession } from "./SessionStore.ts"

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

/** Sessions in the order of their beginning, and how many pages of older ones there are. */
const Page = Schema.fromJsonString(
  Schema.Struct({
    older: Schema.Number,
    entries: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        until: Schema.Number,
        userId: Schema.optionalKey(UserId),
        sub: text,
        sealed: text,
        lists: Schema.optionalKey(Schema.Array(Schema.String))
      })
    )
  })
)
type Page = typeof Page.Type
type Entry = Page["entries"][number]

const decode = Schema.decodeUnknownOption(Page)

/** Purposes in the shared state: the sessions, and when a provider ended some. */
const [purpose, logouts] = ["provider-session", "provider-logout"] as const

/** Most sessions on one page. A further one moves them to a page of older ones: a session that can go on is not forgotten. */
const mostOnPage = 64

/** Most pages of older sessions in one list. A logout reads all of them, and ends each session. */
const mostPages = 100

/**
 * Seconds for which a session without an absolute end can be ended by its provider, and for which its ID token is kept: the
 * longest life of a cookie (RFC 6265bis section 5.5).
 */
const longestLife = 400 * 24 * 60 * 60

/** How long sessions of a configuration can last at most, in seconds. */
export const lifeOf = ({ session }: Settings["Service"]): number => session.absoluteMaxAge ?? longestLife

/** The lists of a session, named by digests: of its session at the provider, and of its person there. */
const keysOf = ({ issuer, provider, sid, sub }: ProviderSession): ReadonlyArray<string> =>
  [["sid", sid] as const, ["sub", sub] as const].flatMap(([kind, value]) =>
    value === undefined ? [] : [sha256(JSON.stringify([provider, issuer, kind, value]), "base64url")]
  )

/** The list of the sessions of a user, each with the lists that it is in. */
const userList = (userId: UserId): string => sha256(JSON.stringify(["user", userId]), "base64url")

const pageKey = (list: string, page: number): string => `${list} ${page}`

/** A store takes values of ASCII. */
const written = (page: Page): string =>
  JSON.stringify(page).replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const read = (value: string | undefined, now: number): Page => {
  const { entries, older } = Option.getOrElse(decode(value), (): Page => ({ older: 0, entries: [] }))
  return { older, entries: entries.filter(({ until }) => until > now) }
}

/** Adds a session to a list. The page is copied before it is emptied: a crash between leaves its sessions twice. */
const add = Effect.fnUntraced(function* (
  list: string,
  entry: Entry,
  now: number,
  life: number
): Effect.fn.Return<void, SharedStateError> {
  const { set } = yield* SharedState
  let full: Page | undefined
  for (;;) {
    const copied: Page | undefined = full
    if (copied !== undefined) {
      yield* set(purpose, pageKey(list, copied.older), written(copied), Duration.seconds(life))
      yield* drop(pageKey(list, copied.older - mostPages), now)
    }
    full = undefined
    const next = (value: string | undefined): string | undefined => {
      const page = read(value, now)
      full = page.entries.length < mostOnPage || page.older === copied?.older ? undefined : page
      if (full !== undefined) return value
      return page.entries.length < mostOnPage
        ? written({ ...page, entries: [...page.entries, entry] })
        : written({ older: page.older + 1, entries: [entry] })
    }
    yield* set(purpose, list, next, Duration.seconds(life))
    if (full === undefined) return
  }
})

/** Removes the page that is one too many, if there is one. The sessions on it can be ended by all but their provider. */
const drop = Effect.fnUntraced(function* (key: string, now: number): Effect.fn.Return<void, SharedStateError> {
  const { get, set } = yield* SharedState
  const page = yield* get(purpose, key)
  if (page === undefined) return
  yield* set(purpose, key, undefined, Duration.zero)
  const { length } = read(page, now).entries
  if (length > 0)
    yield* Effect.logWarning(`A person has too many sessions at a provider: it can no longer end the ${length} oldest`)
})

/** All sessions of a list. Older pages end first, so the ones behind a page that has ended are over too. */
const entriesOf = Effect.fnUntraced(function* (
  list: string,
  now: number
): Effect.fn.Return<ReadonlyArray<Entry>, SharedStateError> {
  const { get } = yield* SharedState
  const newest = read(yield* get(purpose, list), now)
  const entries = [...newest.entries]
  for (let page = newest.older - 1; page >= 0; page--) {
    const value = yield* get(purpose, pageKey(list, page))
    if (value === undefined) break
    entries.push(...read(value, now).entries)
  }
  return entries
})

/**
 * Remembers that a session began with an ID token of a provider. A memory that is full is logged as an error, and the session
 * can then be ended by all but its provider.
 *
 * `begun` is when the browser was sent to the provider, in milliseconds since 1970. `false`: the provider has ended the session
 * since then, and it is over here too.
 *
 * @category combinators
 * @since 0.1.0
 */
export const remember = Effect.fnUntraced(function* (
  at: ProviderSession,
  { id, token, userId }: SiteSession,
  begun: number
): Effect.fn.Return<boolean, AdapterError | SharedStateError | SignOutError, Adapter | SessionServices | Seal> {
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
  const lists = keysOf(at)
  const ofUser = { id, until: entry.until, lists }
  yield* Effect.forEach(lists, (list) => add(list, entry, now, life), { discard: true }).pipe(
    Effect.andThen(userId === undefined ? Effect.void : add(userList(userId), ofUser, now, life)),
    Effect.catch((failure) => (failure.reason === "full" ? Effect.logError(failure) : Effect.fail(failure)))
  )
  // A logout marks first and reads the lists then, so one of the two finds the other.
  if (!(yield* hasEnded(at, begun))) return true
  yield* Effect.catchTag(endSiteSession({ id, token, userId }), "SignOutError", () => Effect.void)
  yield* note({ _tag: "SessionsRevoked", which: "one", ...userOf(userId) })
  return false
})

/** What a logout ends: a session at the provider, of whichever person where it names none, or all of a person. */
const logoutKey = ({ issuer, provider, sid, sub }: ProviderSession): string =>
  JSON.stringify([provider, issuer, sid ?? null, sub ?? null])

/** Seconds for which a logout is remembered: no sign-in that began before takes longer. */
const logoutLife = flowMaxAge + 60

/** Did a logout of this session, or of this person, come after `begun`? */
const hasEnded = Effect.fnUntraced(function* (
  { sid, sub, ...at }: ProviderSession,
  begun: number
): Effect.fn.Return<boolean, SharedStateError> {
  const { get } = yield* SharedState
  const names = [...(sid === undefined ? [] : [{ sid }, { sid, sub }]), ...(sub === undefined ? [] : [{ sub }])]
  const times = yield* Effect.forEach(names, (name) => get(logouts, logoutKey({ ...at, ...name })))
  return times.some((time) => time !== undefined && Number(time) > begun)
})

/**
 * Ends the sessions that a provider names: those of its session, or, where it names a person alone, all of that person. One that
 * has ended already is no failure. Where `isProven`, a sign-in
 * that is on its way makes no session either: what a browser asks for without a proof leaves nothing in the shared state.
 *
 * @category combinators
 * @since 0.1.0
 */
export const end = Effect.fnUntraced(function* (
  at: ProviderSession,
  isProven: boolean
): Effect.fn.Return<void, AdapterError | SharedStateError | SignOutError, Adapter | SessionServices | Seal> {
  const { set } = yield* SharedState
  const now = yield* Clock.currentTimeMillis
  const latest = (time: string | undefined) => String(Math.max(now, Number(time ?? 0)))
  if (isProven) yield* set(logouts, logoutKey(at), latest, Duration.seconds(logoutLife))
  const [list] = keysOf(at)
  const entries = list === undefined ? [] : yield* entriesOf(list, now)
  const named = entries.filter(({ sub }) => at.sub === undefined || sub === at.sub)
  const adapter = storageOf(yield* Adapter)
  if (at.sid === undefined && at.sub !== undefined && adapter !== undefined)
    yield* endUser(adapter, at.provider, at.sub)
  yield* endAll(named)
  const subs = new Set([at.sub, ...named.map(({ sub }) => sub)])
  if (adapter !== undefined)
    for (const sub of subs) if (sub !== undefined) yield* forgetTokens(adapter, at.provider, sub)
})

/**
 * Removes what the lists hold of a user who was removed.
 *
 * @category combinators
 * @since 0.1.0
 */
export const forgetUser = Effect.fnUntraced(function* (
  userId: UserId
): Effect.fn.Return<void, SharedStateError, Settings> {
  const { get, set } = yield* SharedState
  const life = Duration.seconds(lifeOf(yield* Settings))
  const now = yield* Clock.currentTimeMillis
  const change = Effect.fnUntraced(function* (list: string, next: (page: Page) => Page | undefined) {
    const { older } = read(yield* get(purpose, list), now)
    let isMissing = false
    const changed = (value: string | undefined) => {
      isMissing = value === undefined
      const page = value === undefined ? undefined : next(read(value, now))
      return page === undefined ? undefined : written(page)
    }
    yield* set(purpose, list, changed, life)
    for (let page = older - 1; page >= 0 && !isMissing; page--) yield* set(purpose, pageKey(list, page), changed, life)
  })
  const own = userList(userId)
  const lists = new Set((yield* entriesOf(own, now)).flatMap((entry) => entry.lists ?? []))
  // A page that is empty stays: the pages behind it are read past it.
  for (const list of lists)
    yield* change(list, (page) => ({ ...page, entries: page.entries.filter((entry) => entry.userId !== userId) }))
  yield* change(own, () => undefined)
})

/** Ends all sessions of the user whom the store knows by an account. Adapters without the method have the list alone. */
const endUser = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  provider: string,
  providerAccountId: string
): Effect.fn.Return<void, AdapterError | SharedStateError, SessionServices> {
  const user = Option.getOrUndefined(yield* adapter.getUserByAccount({ provider, providerAccountId }))
  if (user === undefined) return
  yield* Effect.catchTags((yield* SessionStore).endAll(user.id), {
    MissingAdapterMethods: () => Effect.void,
    UnsupportedStrategy: () => Effect.void
  })
  yield* note({ _tag: "SessionsRevoked", which: "all", ...userOf(user.id) })
})

/** Ends every session, and fails afterwards where one could not be ended: it must not keep the others. */
const endAll = (entries: ReadonlyArray<Entry>) =>
  Effect.flatMap(
    Effect.forEach(entries, (entry) => Effect.result(endEntry(entry))),
    (ended) => Effect.forEach(ended, (one) => Effect.fromResult(one), { discard: true })
  )

/** Ends a session that a provider named. */
const endSiteSession = (session: SiteSession) =>
  Effect.flatMap(SessionStore, (store) => store.end(session)).pipe(
    Effect.catchTags({
      MissingAdapterMethods: (cause) =>
        Effect.fail(new SignOutError({ detail: "The adapter cannot end a session by its id", cause })),
      UnsupportedStrategy: () => Effect.fail(new SignOutError({ detail: "Token sessions need session.revocation" }))
    })
  )

const endEntry = Effect.fnUntraced(function* ({
  id,
  sealed,
  userId
}: Entry): Effect.fn.Return<void, AdapterError | SharedStateError | SignOutError, SessionServices | Seal> {
  const opened = sealed === undefined ? undefined : yield* (yield* Seal).open(purpose, sealed)
  const token = opened?.ok === true ? opened.claims["token"] : undefined
  if (opened !== undefined && typeof token !== "string")
    return yield* new SignOutError({ detail: "The session was sealed with another secret" })
  yield* endSiteSession({ id, userId, token: typeof token === "string" ? token : undefined })
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
