/**
 * Access tokens of a provider for code of the application, refreshed before they end.
 *
 * Providers replace a refresh token when it is used, and many of them end all tokens of the person when an old one comes again
 * (RFC 9700 section 4.14.2). So each refresh token is sent once: one fiber of a process refreshes while the others wait, a lease
 * keeps other processes out, and the account in the store changes only while it has the refresh token that was sent. From the
 * moment when the refresh token is sent until the answer is stored nothing interrupts, and an answer that the store did not take
 * waits sealed in the shared state.
 *
 * @since 0.1.0
 */
import * as Brand from "effect/Brand"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { Seal } from "../browser/Seal.ts"
import { cookiesFor, Settings } from "../config/Settings.ts"
import { sha256 } from "../crypto/Sha256.ts"
import {
  type AdapterError,
  InvalidProvider,
  MissingAdapter,
  MissingAdapterMethods,
  ProviderTokenError,
  ReauthenticationRequired,
  type SharedStateError
} from "../Errors.ts"
import { Events } from "../Events.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { readCookie } from "../http/CookieHeader.ts"
import type { AccountId, AdapterAccount, TokenSet, UserId } from "../Models.ts"
import { isRedirectProvider, type RedirectProvider } from "../Provider/internal/Provider.ts"
import { forgetProviderTokens, makeRoom, roomOfRefresh } from "../session/SignOutCookie.ts"
import { SharedState } from "../SharedState.ts"
import type { AccountChange, AdapterShape } from "../storage/AdapterShape.ts"
import { type Adapter, storage } from "../storage/Storage.ts"
import { OAuthClient } from "./OAuthClient.ts"
import { openTokens, writeTokens } from "./ProviderSession.ts"

/**
 * An access token of a user at a provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderToken {
  readonly accessToken: Redacted.Redacted
  /** `bearer`, or `dpop` for a token that is bound to the key of the provider's `dpop` (RFC 9449). */
  readonly tokenType: string
  /** The grant of the provider. */
  readonly scopes: ReadonlyArray<string>
  /** When the token ends; absent where the provider does not say. */
  readonly expiresAt: DateTime.Utc | undefined
}

/**
 * Failures of asking for a token.
 *
 * @category models
 * @since 0.1.0
 */
export type TokenFailure =
  | AdapterError
  | InvalidProvider
  | MissingAdapter
  | MissingAdapterMethods
  | ProviderTokenError
  | ReauthenticationRequired
  | SharedStateError

/** Refreshes by account and refresh token. */
type Refreshes = Map<string, Fiber.Fiber<ProviderToken, TokenFailure>>

/** The refreshes that run in this process: callers that want the same one wait for it, and are all answered alike. */
export const RunningRefreshes: Context.Reference<Refreshes> = Context.Reference<Refreshes>(
  "effect-doorman/ProviderTokens/RunningRefreshes",
  { defaultValue: () => new Map() }
)

/**
 * The requested token: its user, and how long it must be valid.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenRequest {
  readonly userId: UserId
  /** Id of the provider in the configuration. */
  readonly provider: string
  /** Names the account of a user who has several at the provider. Default: the one whose token ends last. */
  readonly providerAccountId?: string | undefined
  /** Default: one minute. */
  readonly minimumValidity?: Duration.Input | undefined
}

type Services = Adapter | Events | OAuthClient | Seal | Settings

/** Longer than all that happens under a lease: two requests of ten seconds, and calls of the store. */
const leaseTime = "90 seconds"

/** Longest wait for the refresh of another process, in milliseconds. */
const longestWait = 15_000

/** How long an answer that was not stored waits. */
const pendingTime = Duration.days(30)

/** The purpose of a seal and of a lease. */
const purpose = "provider-tokens"

const providerOf = Effect.fnUntraced(function* (
  id: string
): Effect.fn.Return<RedirectProvider, InvalidProvider, Settings> {
  const { providers } = yield* Settings
  const provider = Result.getOrUndefined(providers.get(id))
  return provider !== undefined && isRedirectProvider(provider)
    ? provider
    : yield* new InvalidProvider({ detail: "No provider with tokens has this id, or its options cannot be used" })
})

/** The store of accounts whose tokens can be read and changed. */
const storeOf: Effect.Effect<AdapterShape, MissingAdapter | MissingAdapterMethods, Adapter> = Effect.gen(function* () {
  const adapter = yield* storage
  if (adapter === undefined) {
    return yield* new MissingAdapter({
      field: "adapter",
      detail: "Tokens of providers need an adapter, and the configuration has none"
    })
  }
  const missing = (["listAccounts", "updateAccount"] as const).filter((method) => !adapter.methods.has(method))
  return missing.length === 0
    ? adapter
    : yield* new MissingAdapterMethods({
        field: "adapter",
        detail: `ProviderTokens needs methods that the adapter lacks: ${missing.join(", ")}`
      })
})

/** When a token ends, in milliseconds since 1970. */
const endOf = ({ expires_at }: TokenSet): number =>
  typeof expires_at === "number" ? expires_at * 1000 : Number.POSITIVE_INFINITY

/** Is there an access token that is valid until `time`? */
const isValidUntil = (account: TokenSet, time: number): boolean =>
  typeof account.access_token === "string" && endOf(account) > time

const tokenOf = ({ access_token = "", expires_at, scope, token_type }: TokenSet): ProviderToken => ({
  accessToken: Redacted.make(access_token, { label: "access token" }),
  tokenType: token_type ?? "bearer",
  scopes: (scope ?? "").split(/[ ,]+/).filter((one) => one !== ""),
  expiresAt: typeof expires_at === "number" ? DateTime.makeUnsafe(expires_at * 1000) : undefined
})

const reauthentication = (provider: string, detail: string): ReauthenticationRequired =>
  new ReauthenticationRequired({ provider, detail })

const unavailable = ({ id }: RedirectProvider, detail: string): ProviderTokenError =>
  new ProviderTokenError({ provider: id, code: "provider_unavailable", retryable: true, detail: `${id}: ${detail}` })

const replaced = "the tokens were replaced meanwhile"
const notStored = "an earlier answer has not been stored yet"

/** Where the tokens of accounts are: in a store, or in a cookie. */
interface TokenStore extends Pick<AdapterShape, "updateAccount"> {
  readonly listAccounts: (
    userId: UserId
  ) => Effect.Effect<ReadonlyArray<AdapterAccount>, AdapterError | SharedStateError>
}

/** Reads the account that a request is about. */
const read = Effect.fnUntraced(function* (
  adapter: TokenStore,
  { provider, providerAccountId, userId }: TokenRequest
): Effect.fn.Return<AdapterAccount, AdapterError | ReauthenticationRequired | SharedStateError> {
  const [account] = (yield* adapter.listAccounts(userId))
    .filter(
      (one) =>
        one.provider === provider && (providerAccountId === undefined || one.providerAccountId === providerAccountId)
    )
    .sort((one, other) => (endOf(one) < endOf(other) ? 1 : -1))
  return account ?? (yield* reauthentication(provider, "The user has no account at this provider"))
})

/**
 * A token of the user that is valid for the time that is asked for, or that has just been issued. While the provider or the shared
 * state is down, one that has not ended is answered.
 *
 * @category combinators
 * @since 0.1.0
 */
export const getToken = Effect.fnUntraced(function* (
  request: TokenRequest
): Effect.fn.Return<ProviderToken, TokenFailure, Services> {
  const provider = yield* providerOf(request.provider)
  const adapter = yield* storeOf
  return yield* validToken(adapter, provider, request, yield* read(adapter, request))
})

/** The time until which the token of a request must be valid. */
const neededUntil = ({ minimumValidity = "1 minute" }: TokenRequest): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeMillis, (now) => now + Duration.toMillis(Duration.fromInputUnsafe(minimumValidity)))

/** The token of an account as it was read, or a new one. */
const validToken = Effect.fnUntraced(function* (
  adapter: TokenStore,
  provider: RedirectProvider,
  request: TokenRequest,
  account: AdapterAccount
): Effect.fn.Return<ProviderToken, TokenFailure, Services> {
  if (isValidUntil(account, yield* neededUntil(request))) return tokenOf(account)
  const { providerAccountId, refresh_token: refreshToken } = account
  if (typeof refreshToken !== "string") {
    return yield* reauthentication(provider.id, "The token has ended, and there is no refresh token")
  }
  const key = keyOf(provider, account)
  const refresh = { adapter, provider, request: { ...request, providerAccountId }, account, refreshToken, key }
  return yield* Effect.catch(joinRefresh(refresh), (failure) => unendedToken(account, failure))
})

/** The token of an account that has not ended, where something is down. */
const unendedToken = (account: AdapterAccount, failure: TokenFailure): Effect.Effect<ProviderToken, TokenFailure> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    failure._tag !== "ReauthenticationRequired" && isValidUntil(account, now)
      ? Effect.as(Effect.logWarning(failure), tokenOf(account))
      : Effect.fail(failure)
  )

/** Names what is done with the tokens of an account: a refresh and a revocation keep each other out. */
const keyOf = ({ clientId, id }: RedirectProvider, { providerAccountId, refresh_token }: AdapterAccount): string =>
  JSON.stringify([id, clientId, providerAccountId, refresh_token])

/** Runs a program under the lease of a key. Meanwhile `look` may find that another process has done it. */
const underLease = Effect.fnUntraced(function* <A, E, R>(
  provider: RedirectProvider,
  key: string,
  program: Effect.Effect<A, E, R>,
  look: Effect.Effect<A | undefined, E>
): Effect.fn.Return<A, E | ProviderTokenError | SharedStateError, R> {
  const state = yield* SharedState
  const until = (yield* Clock.currentTimeMillis) + longestWait
  for (;;) {
    const lease = yield* state.lease(purpose, key, leaseTime)
    if (Option.isSome(lease)) return yield* Effect.ensuring(program, lease.value.release)
    const found = yield* look
    if (found !== undefined) return found
    if ((yield* Clock.currentTimeMillis) > until) {
      return yield* unavailable(
        provider,
        "another process refreshes the token, and has not stored it within 15 seconds"
      )
    }
    yield* Effect.sleep("100 millis")
  }
})

/**
 * Revokes the tokens of an account at its provider (RFC 7009), the refresh token first, and removes them from the store. The
 * account stays: the user may sign in with it again. While a refresh runs this waits, and then revokes the tokens of its answer.
 *
 * @category combinators
 * @since 0.1.0
 */
export const revokeTokens = Effect.fnUntraced(function* (
  request: Omit<TokenRequest, "minimumValidity">
): Effect.fn.Return<void, TokenFailure, Services> {
  const provider = yield* providerOf(request.provider)
  const adapter = yield* storeOf
  // Sign-ins may replace the tokens again and again.
  for (let attempts = 0; attempts < 3; attempts++) {
    const account = yield* read(adapter, request)
    const program = revoked(adapter, provider, request, account)
    if (yield* underLease(provider, keyOf(provider, account), program, Effect.undefined)) return
  }
  return yield* unavailable(provider, replaced)
})

/** Revokes the tokens that an account was read with, under their lease. `false`: the account has others by now. */
const revoked = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  provider: RedirectProvider,
  request: TokenRequest,
  account: AdapterAccount
): Effect.fn.Return<boolean, TokenFailure, Services> {
  const { access_token: accessToken, providerAccountId, refresh_token: refreshToken } = account
  const pending =
    typeof refreshToken === "string"
      ? yield* storePending({ adapter, provider, request, account, refreshToken, key: keyOf(provider, account) })
      : undefined
  if (pending?.outcome === "failed") return yield* unavailable(provider, notStored)
  const current = yield* read(adapter, { ...request, providerAccountId })
  if (current.refresh_token !== refreshToken || current.access_token !== accessToken) return false
  const { revoke } = yield* OAuthClient
  return yield* Effect.uninterruptible(
    Effect.gen(function* () {
      if (typeof refreshToken === "string") yield* revoke(provider, "refresh_token", Redacted.make(refreshToken))
      if (typeof accessToken === "string") yield* revoke(provider, "access_token", Redacted.make(accessToken))
      return yield* adapter.updateAccount(
        { ...accountKey(account), access_token: null, refresh_token: null, expires_at: null },
        { refresh_token: refreshToken ?? undefined }
      )
    })
  )
})

/** The input of one refresh: the account as it was read before, and its refresh token. */
interface Refresh {
  readonly adapter: TokenStore
  readonly provider: RedirectProvider
  readonly request: TokenRequest
  readonly account: AdapterAccount
  readonly refreshToken: string
  /** Names the refresh: two accounts never share one, even where a provider gave both the same token. */
  readonly key: string
}

/** Starts a refresh in a fiber of its own, which no caller interrupts, or waits for the one that runs. */
const joinRefresh = Effect.fnUntraced(function* (
  refresh: Refresh
): Effect.fn.Return<ProviderToken, TokenFailure, Services> {
  const running = yield* RunningRefreshes
  const { key } = refresh
  const end = Effect.sync(() => running.delete(key))
  const start = Effect.tap(Effect.forkDetach(Effect.ensuring(refreshed(refresh), end)), (started) =>
    Effect.sync(() => running.set(key, started))
  )
  return yield* Fiber.join(running.get(key) ?? (yield* Effect.uninterruptible(start)))
})

/** The account with another token than before, which another process stored meanwhile. */
const renewed = Effect.fnUntraced(function* ({ account, adapter, request }: Refresh) {
  const current = yield* read(adapter, request)
  const isOther = current.access_token !== account.access_token || current.refresh_token !== account.refresh_token
  return isOther && isValidUntil(current, yield* Clock.currentTimeMillis) ? tokenOf(current) : undefined
})

/** Waits for the lease of the refresh token, and exchanges it unless another process did. */
const refreshed = Effect.fnUntraced(function* (
  refresh: Refresh
): Effect.fn.Return<ProviderToken, TokenFailure, Services> {
  const { key, provider } = refresh
  const send = yield* (yield* OAuthClient).refresh(provider)
  return yield* underLease(provider, key, exchanged(refresh, send), renewed(refresh))
})

/** Exchanges a refresh token under its lease. */
const exchanged = Effect.fnUntraced(function* (
  refresh: Refresh,
  send: Effect.Success<ReturnType<OAuthClient["Service"]["refresh"]>>
): Effect.fn.Return<ProviderToken, TokenFailure, Services> {
  const { account, adapter, provider, refreshToken, request } = refresh
  const before = yield* renewed(refresh)
  if (before !== undefined) return before
  const pending = yield* storePending(refresh)
  if (pending !== undefined) {
    const tokens = withChange(account, pending.change)
    if (isValidUntil(tokens, yield* Clock.currentTimeMillis)) return tokenOf(tokens)
    if (pending.outcome === "failed") return yield* unavailable(provider, notStored)
  }
  const current = yield* read(adapter, request)
  if (current.refresh_token !== refreshToken) return yield* unavailable(provider, replaced)
  const answer = yield* Effect.uninterruptible(
    Effect.gen(function* () {
      const fresh = yield* send(Redacted.make(refreshToken), account.id_token)
      if (Option.isNone(fresh)) return undefined
      const change = changeOf(account, fresh.value)
      return { change, outcome: yield* store(refresh, change) }
    })
  )
  if (answer === undefined) return yield* refusedToken(refresh)
  // A sign-in was faster: its tokens are in the store.
  const newest = answer.outcome === "lost" ? yield* renewed(refresh) : undefined
  return newest ?? tokenOf(withChange(account, answer.change))
})

const asAccount = Brand.nominal<AccountId>()

const accountKey = ({ provider, providerAccountId }: AdapterAccount): AccountId =>
  asAccount({ provider, providerAccountId })

/** A refusal counts when the store still has the token that was refused. Then it is removed: nothing sends it again. */
const refusedToken = Effect.fnUntraced(function* (
  refresh: Refresh
): Effect.fn.Return<ProviderToken, TokenFailure, Services> {
  const { account, adapter, provider, refreshToken, request } = refresh
  const key = accountKey(account)
  const isMarked = yield* adapter.updateAccount({ ...key, refresh_token: null }, { refresh_token: refreshToken })
  if (!isMarked) return (yield* renewed(refresh)) ?? (yield* unavailable(provider, replaced))
  yield* (yield* Events).emit("reauthenticationRequired", { userId: request.userId, account: key })
  return yield* reauthentication(provider.id, "The provider accepts the refresh token no more")
})

const changedText = Schema.optional(Schema.NullOr(Schema.String))

/** The changes of an account by an answer: `null` removes a member, and what is absent stays. */
const Change = Schema.Struct({
  provider: Schema.String,
  providerAccountId: Schema.String,
  access_token: changedText,
  expires_at: Schema.optional(Schema.NullOr(Schema.Number)),
  refresh_token: changedText,
  scope: changedText,
  token_type: Schema.optional(Schema.Literals(["bearer", "dpop"]))
})

const decodeChange = Schema.decodeUnknownOption(Change)

/** The end of the old access token says nothing of the new one. */
const changeOf = (
  account: AdapterAccount,
  { access_token, expires_at, refresh_token, scope, token_type }: TokenSet
): AccountChange => ({
  ...accountKey(account),
  access_token,
  expires_at: expires_at ?? null,
  refresh_token,
  scope,
  token_type: token_type === "dpop" ? "dpop" : "bearer"
})

const withChange = <A extends TokenSet>(account: A, change: AccountChange): A => ({
  ...account,
  ...Object.fromEntries(
    Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [[name, value ?? undefined]]))
  )
})

/** Times that an answer is offered to the store before it waits in the shared state. */
const patience = {
  times: 2,
  schedule: Schedule.exponential("100 millis"),
  while: ({ retryable }: AdapterError) => retryable === true
}

/** Stores an answer while the account has the refresh token that was sent. `lost`: it has another one, or is gone. */
const store = (
  { adapter, key, refreshToken }: Refresh,
  change: AccountChange
): Effect.Effect<"stored" | "lost" | "failed", never, Seal> =>
  Effect.matchEffect(Effect.retry(adapter.updateAccount(change, { refresh_token: refreshToken }), patience), {
    onSuccess: (isStored) => Effect.succeed(isStored ? ("stored" as const) : ("lost" as const)),
    onFailure: (failure) =>
      Effect.as(
        Effect.andThen(Effect.logError(failure), keepSealed(purpose, key, change, pendingTime)),
        "failed" as const
      )
  })

/** Keeps a change sealed in the shared state, under the key of its refresh. Where that is down, the log says so. */
const keepSealed = Effect.fnUntraced(function* (
  purpose: string,
  key: string,
  change: AccountChange,
  time: Duration.Duration
): Effect.fn.Return<void, never, Seal> {
  const claims = { ...change, key: sha256(key, "base64url") }
  const sealed = yield* (yield* Seal).seal(purpose, claims, Duration.toSeconds(time))
  const state = yield* SharedState
  yield* Effect.catch(state.set(purpose, key, sealed, time), (failure) => Effect.logError(failure))
})

/** The change that is kept under a key. A change that was sealed under another key belongs to another account. */
const openSealed = Effect.fnUntraced(function* (
  purpose: string,
  key: string
): Effect.fn.Return<AccountChange | undefined, SharedStateError, Seal> {
  const sealed = yield* (yield* SharedState).get(purpose, key)
  const opened = sealed === undefined ? undefined : yield* (yield* Seal).open(purpose, sealed)
  return opened?.ok === true && opened.claims["key"] === sha256(key, "base64url")
    ? Option.getOrUndefined(decodeChange(opened.claims))
    : undefined
})

/**
 * Removes an answer of the provider that waits for the store.
 *
 * @category combinators
 * @since 0.1.0
 */
export const forgetPending = Effect.fnUntraced(function* (
  account: AdapterAccount
): Effect.fn.Return<void, SharedStateError, Settings> {
  const provider = yield* Effect.option(providerOf(account.provider))
  const state = yield* SharedState
  if (Option.isSome(provider)) yield* state.set(purpose, keyOf(provider.value, account), undefined, 0)
})

/** Offers an answer that waits in the shared state to the store again; `undefined` when there is none. */
const storePending = Effect.fnUntraced(function* (refresh: Refresh) {
  const change = yield* openSealed(purpose, refresh.key)
  if (change === undefined) return undefined
  const outcome = yield* store(refresh, change)
  if (outcome !== "failed") yield* (yield* SharedState).set(purpose, refresh.key, undefined, 0)
  return { change, outcome }
})

/** Purpose of the answers that wait for browsers which still show the cookie from before. */
const cookiePurpose = "provider-tokens-cookie"

/** How long they wait. */
const cookieGrace = Duration.minutes(10)

/** Most answers that one cookie has missed. */
const mostMissed = 10

/**
 * The account of a cookie as a store. The cookie itself changes with the response of one request: the answers of the provider
 * wait in the shared state for requests that were sent before.
 */
const cookieStore = (provider: RedirectProvider, account: AdapterAccount, seal: Seal["Service"]): TokenStore => {
  let latest = account
  return {
    listAccounts: Effect.fnUntraced(
      function* () {
        for (let missed = 0; missed < mostMissed && latest.refresh_token !== undefined; missed++) {
          const change = yield* openSealed(cookiePurpose, keyOf(provider, latest))
          if (change === undefined) break
          const before = latest.refresh_token
          latest = withChange(latest, change)
          if (latest.refresh_token === before) break
        }
        return [latest]
      },
      Effect.provideService(Seal, seal)
    ),
    updateAccount: Effect.fnUntraced(
      function* (change, before) {
        if (before?.refresh_token !== latest.refresh_token) return false
        // Without the shared state the response of this request alone has the answer.
        yield* keepSealed(cookiePurpose, keyOf(provider, latest), change, cookieGrace)
        latest = withChange(latest, change)
        return true
      },
      Effect.provideService(Seal, seal)
    )
  }
}

/** Does the account belong to the user who signed in with it? Beside a store it may have been unlinked since. */
const isLinked = Effect.fnUntraced(function* (
  account: AdapterAccount
): Effect.fn.Return<boolean, AdapterError, Adapter> {
  const adapter = yield* storage
  if (adapter === undefined) return true
  const owner = yield* adapter.getUserByAccount(account)
  return Option.exists(owner, ({ id }) => id === account.userId)
})

/**
 * A token of the cookie of a request, for its session, and the cookies to set in any case. Without tokens of the session the user
 * has to sign in at the provider again, and the cookie is removed.
 *
 * @category combinators
 * @since 0.1.0
 */
export const getTokenOfCookie = Effect.fnUntraced(function* (
  request: TokenRequest,
  session: string | undefined
): Effect.fn.Return<
  {
    readonly token: Result.Result<ProviderToken, TokenFailure>
    readonly cookies: ReturnType<typeof forgetProviderTokens>
  },
  AdapterError | InvalidProvider | ReauthenticationRequired,
  AuthRequest | Services
> {
  const provider = yield* providerOf(request.provider)
  const settings = yield* Settings
  const sent = yield* AuthRequest
  const gone = (detail: string) => ({
    token: Result.fail(reauthentication(provider.id, detail)),
    cookies: forgetProviderTokens(settings, sent)
  })
  const { name } = cookiesFor(settings, sent.url).providerTokens
  const { candidates } = readCookie(sent.cookies, name)
  const owner = session === undefined ? undefined : { id: session, userId: request.userId, client: provider.clientId }
  const kept = owner === undefined ? undefined : yield* openTokens(candidates, name, owner)
  if (owner === undefined || kept === undefined) return gone("The browser has no tokens of this session")
  const { providerAccountId = kept.providerAccountId } = request
  if (kept.provider !== provider.id || kept.providerAccountId !== providerAccountId) {
    return yield* reauthentication(provider.id, "The tokens of the session are those of another account")
  }
  const account = { ...kept, type: provider.type }
  const linked = yield* Effect.result(isLinked(account))
  if (Result.isSuccess(linked) && !linked.success) return gone("The user has no account at this provider")
  const store = cookieStore(provider, account, yield* Seal)
  // Where the shared state is down, the lease of a refresh is not given.
  const newest = Effect.orElseSucceed(read(store, request), () => account)
  const isValid = isValidUntil(account, yield* neededUntil(request))
  const latest = isValid ? account : yield* newest
  // While the store is down nothing is refreshed: the account may have been unlinked.
  const token = yield* Effect.result(
    Result.isFailure(linked) ? unendedToken(latest, linked.failure) : validToken(store, provider, request, latest)
  )
  if (Result.isFailure(token) && token.failure._tag === "ReauthenticationRequired") {
    return { token, cookies: forgetProviderTokens(settings, sent) }
  }
  // Also after a failure: another request may have refreshed the tokens, and a spent refresh token must not be sent again.
  const isUnchanged = Result.isSuccess(token) && Redacted.value(token.success.accessToken) === account.access_token
  const current = isValid && isUnchanged ? account : yield* newest
  const isRenewed = (["access_token", "refresh_token", "expires_at"] as const).some(
    (member) => current[member] !== account[member]
  )
  if (!isRenewed) return { token, cookies: [] }
  const written = yield* writeTokens(owner, current, roomOfRefresh(settings, sent))
  const removal = makeRoom(settings, sent, written)
  if (removal.warning !== undefined) yield* Effect.logWarning(removal.warning)
  return { token, cookies: [...written, ...removal.cookies] }
})
