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
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
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
import type { AccountId, AdapterAccount, TokenSet, UserId } from "../Models.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { readCookie } from "../http/CookieHeader.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { OAuthClient } from "./OAuthClient.ts"
import { isRedirectProvider, type RedirectProvider } from "../Provider/internal/Provider.ts"
import { lazily } from "../internal/Lazily.ts"
import { Seal } from "../browser/Seal.ts"
import { cookiesFor, Settings } from "../config/Settings.ts"
import { sha256 } from "../crypto/Sha256.ts"
import { forgetProviderTokens, makeRoom, roomOfRefresh } from "../session/SignOutCookie.ts"
import { SharedState } from "../SharedState.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { type Adapter, storage } from "../storage/Storage.ts"
import { type ProviderToken, RunningRefreshes, type TokenFailure } from "./RunningRefreshes.ts"

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
  const accounts = yield* adapter.listAccounts(userId)
  const [account] = accounts
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
  const named = { ...request, providerAccountId }
  const key = keyOf(provider, account)
  const refresh = refreshed({ adapter, provider, request: named, account, refreshToken, key })
  return yield* Effect.catch(joinRefresh(key, refresh), (failure) => unendedToken(account, failure))
})

/** The token of an account that has not ended, where something is down. */
const unendedToken = (account: AdapterAccount, failure: TokenFailure): Effect.Effect<ProviderToken, TokenFailure> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    failure._tag !== "ReauthenticationRequired" && isValidUntil(account, now)
      ? Effect.as(Effect.logWarning(failure), tokenOf(account))
      : Effect.fail(failure)
  )

/** How often the tokens of an account are read again while sign-ins replace them. */
const mostRevocations = 3

/** Names what is done with the tokens of an account: a refresh and a revocation keep each other out. */
const keyOf = ({ clientId, id }: RedirectProvider, { providerAccountId, refresh_token }: AdapterAccount): string =>
  JSON.stringify([id, clientId, providerAccountId, refresh_token])

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
  const state = yield* SharedState
  const started = yield* Clock.currentTimeMillis
  for (let attempts = 0; attempts < mostRevocations;) {
    const account = yield* read(adapter, request)
    const lease = yield* state.lease(purpose, keyOf(provider, account), leaseTime)
    if (Option.isSome(lease)) {
      if (yield* Effect.ensuring(revoked(adapter, provider, request, account), lease.value.release)) return
      attempts++
    } else {
      if ((yield* Clock.currentTimeMillis) - started > longestWait) break
      yield* Effect.sleep("100 millis")
    }
  }
  return yield* unavailable(provider, "the tokens were replaced meanwhile")
})

/** Revokes the tokens that an account was read with, under their lease. `false`: the account has others by now. */
const revoked = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  provider: RedirectProvider,
  request: TokenRequest,
  account: AdapterAccount
): Effect.fn.Return<boolean, TokenFailure, Services> {
  const { providerAccountId, refresh_token: refreshToken } = account
  const key = keyOf(provider, account)
  const pending =
    typeof refreshToken === "string"
      ? yield* storePending({ adapter, provider, request, account, refreshToken, key })
      : undefined
  if (pending?.outcome === "failed") return yield* unavailable(provider, notStored)
  const current = yield* read(adapter, { ...request, providerAccountId })
  if (current.refresh_token !== refreshToken || current.access_token !== account.access_token) return false
  const { revoke } = yield* OAuthClient
  const removal = { access_token: null, refresh_token: null, expires_at: null }
  return yield* Effect.uninterruptible(
    Effect.gen(function* () {
      for (const [hint, token] of [
        ["refresh_token", refreshToken],
        ["access_token", account.access_token]
      ] as const) {
        if (typeof token === "string") yield* revoke(provider, hint, Redacted.make(token))
      }
      return yield* adapter.updateAccount(
        { ...asAccount({ provider: provider.id, providerAccountId }), ...removal },
        { refresh_token: refreshToken ?? undefined }
      )
    })
  )
})

/** What one refresh is about: the account as it was read before, and its refresh token. */
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
  key: string,
  refresh: Effect.Effect<ProviderToken, TokenFailure, Services>
): Effect.fn.Return<ProviderToken, TokenFailure, Services> {
  const running = yield* RunningRefreshes
  const fiber =
    running.get(key) ??
    (yield* Effect.uninterruptible(
      Effect.tap(
        Effect.forkDetach(
          Effect.ensuring(
            refresh,
            Effect.sync(() => running.delete(key))
          )
        ),
        (started) => Effect.sync(() => running.set(key, started))
      )
    ))
  return yield* Fiber.join(fiber)
})

/** The account with another token than before, which another process stored meanwhile. */
const renewed = Effect.fnUntraced(function* ({
  account,
  adapter,
  request
}: Refresh): Effect.fn.Return<AdapterAccount | undefined, AdapterError | ReauthenticationRequired | SharedStateError> {
  const current = yield* read(adapter, request)
  const isOther = current.access_token !== account.access_token || current.refresh_token !== account.refresh_token
  return isOther && isValidUntil(current, yield* Clock.currentTimeMillis) ? current : undefined
})

/** Waits for the lease of the refresh token, and exchanges it unless another process did. */
const refreshed = Effect.fnUntraced(function* (
  refresh: Refresh
): Effect.fn.Return<ProviderToken, TokenFailure, Services> {
  const { key, provider } = refresh
  const send = yield* (yield* OAuthClient).refresh(provider)
  const state = yield* SharedState
  const started = yield* Clock.currentTimeMillis
  for (;;) {
    const lease = yield* state.lease(purpose, key, leaseTime)
    if (Option.isSome(lease)) return yield* Effect.ensuring(exchanged(refresh, send), lease.value.release)
    const current = yield* renewed(refresh)
    if (current !== undefined) return tokenOf(current)
    if ((yield* Clock.currentTimeMillis) - started > longestWait) {
      return yield* unavailable(
        provider,
        "another process refreshes the token, and has not stored it within 15 seconds"
      )
    }
    yield* Effect.sleep("100 millis")
  }
})

type Send = Effect.Success<ReturnType<OAuthClient["Service"]["refresh"]>>

/** Exchanges a refresh token under its lease. */
const exchanged = Effect.fnUntraced(function* (
  refresh: Refresh,
  send: Send
): Effect.fn.Return<ProviderToken, TokenFailure, Services> {
  const { account, adapter, provider, refreshToken, request } = refresh
  const before = yield* renewed(refresh)
  if (before !== undefined) return tokenOf(before)
  const pending = yield* storePending(refresh)
  if (pending !== undefined) {
    const tokens = withChange(account, pending.change)
    if (isValidUntil(tokens, yield* Clock.currentTimeMillis)) return tokenOf(tokens)
    if (pending.outcome === "failed") return yield* unavailable(provider, notStored)
  }
  const current = yield* read(adapter, request)
  if (current.refresh_token !== refreshToken)
    return yield* unavailable(provider, "the refresh token was replaced meanwhile")
  const answer = yield* Effect.uninterruptible(
    Effect.flatMap(send(Redacted.make(refreshToken), account.id_token), (tokens) =>
      Effect.transposeOption(
        Option.map(tokens, (fresh) => {
          const change = changeOf(account, fresh)
          return Effect.map(store(refresh, change), (outcome) => ({ outcome, tokens: withChange(account, change) }))
        })
      )
    )
  )
  if (Option.isNone(answer)) return yield* refusedToken(refresh)
  const { outcome, tokens } = answer.value
  // A sign-in was faster: its tokens are in the store.
  const newest = outcome === "lost" ? yield* renewed(refresh) : undefined
  return tokenOf(newest ?? tokens)
})

const asAccount = Brand.nominal<AccountId>()

/** A refusal counts when the store still has the token that was refused. Then it is removed: nothing sends it again. */
const refusedToken = Effect.fnUntraced(function* (
  refresh: Refresh
): Effect.fn.Return<ProviderToken, TokenFailure, Services> {
  const { account, adapter, provider, refreshToken, request } = refresh
  const { providerAccountId } = account
  const key = asAccount({ provider: provider.id, providerAccountId })
  const isMarked = yield* adapter.updateAccount({ ...key, refresh_token: null }, { refresh_token: refreshToken })
  if (!isMarked) {
    const newest = yield* renewed(refresh)
    return newest === undefined
      ? yield* unavailable(provider, "the refresh token was replaced meanwhile")
      : tokenOf(newest)
  }
  yield* (yield* Events).emit("reauthenticationRequired", { userId: request.userId, account: key })
  return yield* reauthentication(provider.id, "The provider accepts the refresh token no more")
})

const unavailable = ({ id }: RedirectProvider, detail: string): ProviderTokenError =>
  new ProviderTokenError({ provider: id, code: "provider_unavailable", retryable: true, detail: `${id}: ${detail}` })

/** What an answer changes in an account. */
const Change = Schema.Struct({
  provider: Schema.String,
  providerAccountId: Schema.String,
  access_token: Schema.String,
  expires_at: Schema.NullOr(Schema.Number),
  refresh_token: Schema.optionalKey(Schema.String),
  scope: Schema.optionalKey(Schema.String),
  token_type: Schema.optionalKey(Schema.Literals(["bearer", "dpop"]))
})
type Change = typeof Change.Type

const decodeChange = Schema.decodeUnknownOption(Change)

/** What the answer leaves out stays, but for the end: that of the old access token says nothing of the new one. */
const changeOf = (
  { provider, providerAccountId }: AdapterAccount,
  { access_token = "", expires_at, refresh_token, scope, token_type }: TokenSet
): Change => ({
  provider,
  providerAccountId,
  access_token,
  expires_at: expires_at ?? null,
  token_type: token_type === "dpop" ? "dpop" : "bearer",
  ...(refresh_token === undefined ? {} : { refresh_token }),
  ...(scope === undefined ? {} : { scope })
})

const withChange = (account: AdapterAccount, { expires_at, ...change }: Change): TokenSet => ({
  ...account,
  ...change,
  expires_at: expires_at ?? undefined
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
  change: Change
): Effect.Effect<"stored" | "lost" | "failed", never, Seal> =>
  Effect.matchEffect(Effect.retry(adapter.updateAccount(change, { refresh_token: refreshToken }), patience), {
    onSuccess: (isStored) => Effect.succeed(isStored ? ("stored" as const) : ("lost" as const)),
    onFailure: (failure) =>
      Effect.as(Effect.andThen(Effect.logError(failure), keepPending(key, change)), "failed" as const)
  })

/** Keeps an answer that the store did not take, sealed, under the key of its refresh. */
const keepPending = Effect.fnUntraced(function* (key: string, change: Change): Effect.fn.Return<void, never, Seal> {
  const sealed = yield* (yield* Seal).seal(purpose, change, Duration.toSeconds(pendingTime))
  const state = yield* SharedState
  yield* Effect.catch(state.set(purpose, key, sealed, pendingTime), (failure) => Effect.logError(failure))
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

const notStored = "an earlier answer has not been stored yet"

/** Offers an answer that waits in the shared state to the store again; `undefined` when there is none. */
const storePending = Effect.fnUntraced(function* (refresh: Refresh) {
  const { get, set } = yield* SharedState
  const sealed = yield* get(purpose, refresh.key)
  if (sealed === undefined) return undefined
  const opened = yield* (yield* Seal).open(purpose, sealed)
  const change = opened.ok ? Option.getOrUndefined(decodeChange(opened.claims)) : undefined
  if (change === undefined) return undefined
  const outcome = yield* store(refresh, change)
  if (outcome !== "failed") yield* set(purpose, refresh.key, undefined, 0)
  return { change, outcome }
})

/** Purpose of the answers that wait for browsers which still show the cookie from before. */
const cookiePurpose = "provider-tokens-cookie"

/** How long they wait. */
const cookieGrace = Duration.minutes(10)

/** Most answers that one cookie has missed. */
const mostMissed = 10

/** Loaded with the first token that comes from a cookie. */
const tokenCookie = lazily(() => import("./ProviderSession.ts"))

/**
 * The account of a cookie as a store. The cookie itself changes with the response of one request: the answers of the provider
 * wait in the shared state for requests that were sent before.
 */
const cookieStore = (
  provider: RedirectProvider,
  account: AdapterAccount,
  { open, seal }: Seal["Service"],
  { decodeKept, keptOf }: Effect.Success<typeof tokenCookie>
): TokenStore => {
  let latest = account
  const next = Effect.fnUntraced(function* () {
    const { get } = yield* SharedState
    const key = keyOf(provider, latest)
    const sealed = yield* get(cookiePurpose, key)
    const opened = sealed === undefined ? undefined : yield* open(cookiePurpose, sealed)
    // What was written under another key is not for this account.
    if (opened?.ok !== true || opened.claims["key"] !== sha256(key, "base64url")) return undefined
    return Option.getOrUndefined(decodeKept(opened.claims))
  })
  return {
    listAccounts: Effect.fnUntraced(function* () {
      for (let missed = 0; missed < mostMissed && latest.refresh_token !== undefined; missed++) {
        const kept = yield* next()
        if (kept === undefined) break
        const isSame = kept.refresh_token === latest.refresh_token
        latest = { ...kept, userId: latest.userId, type: latest.type }
        if (isSame) break
      }
      return [latest]
    }),
    updateAccount: Effect.fnUntraced(function* (
      { access_token, expires_at, refresh_token, scope, token_type },
      before
    ) {
      if (before?.refresh_token !== latest.refresh_token) return false
      const changed = {
        ...latest,
        access_token: access_token ?? latest.access_token,
        expires_at: expires_at === undefined ? latest.expires_at : (expires_at ?? undefined),
        refresh_token: refresh_token === undefined ? latest.refresh_token : (refresh_token ?? undefined),
        scope: scope ?? latest.scope,
        token_type: token_type ?? latest.token_type
      }
      const key = keyOf(provider, latest)
      const claims = { ...keptOf(changed), key: sha256(key, "base64url") }
      const sealed = yield* seal(cookiePurpose, claims, Duration.toSeconds(cookieGrace))
      const state = yield* SharedState
      // Without the shared state the response of this request alone has the answer.
      yield* Effect.catch(state.set(cookiePurpose, key, sealed, cookieGrace), (failure) => Effect.logError(failure))
      latest = changed
      return true
    })
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
  { readonly token: Result.Result<ProviderToken, TokenFailure>; readonly cookies: ReadonlyArray<ResponseCookie> },
  AdapterError | InvalidProvider | ReauthenticationRequired,
  AuthRequest | Services
> {
  const provider = yield* providerOf(request.provider)
  const settings = yield* Settings
  const sent = yield* AuthRequest
  const cookie = yield* tokenCookie
  const { name } = cookiesFor(settings, sent.url).providerTokens
  const { candidates } = readCookie(sent.cookies, name)
  const owner = session === undefined ? undefined : { id: session, userId: request.userId, client: provider.clientId }
  const kept = owner === undefined ? undefined : yield* cookie.openTokens(candidates, name, owner)
  if (owner === undefined || kept === undefined) {
    const failure = reauthentication(provider.id, "The browser has no tokens of this session")
    return { token: Result.fail(failure), cookies: forgetProviderTokens(settings, sent) }
  }
  const { providerAccountId = kept.providerAccountId } = request
  if (kept.provider !== provider.id || kept.providerAccountId !== providerAccountId) {
    return yield* reauthentication(provider.id, "The tokens of the session are those of another account")
  }
  const account = { ...kept, type: provider.type }
  const linked = yield* Effect.result(isLinked(account))
  if (Result.isSuccess(linked) && !linked.success) {
    const failure = reauthentication(provider.id, "The user has no account at this provider")
    return { token: Result.fail(failure), cookies: forgetProviderTokens(settings, sent) }
  }
  const store = cookieStore(provider, account, yield* Seal, cookie)
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
  const isRenewed =
    current.access_token !== account.access_token ||
    current.refresh_token !== account.refresh_token ||
    current.expires_at !== account.expires_at
  if (!isRenewed) return { token, cookies: [] }
  const written = yield* cookie.writeTokens(owner, current, roomOfRefresh(settings, sent))
  const removal = makeRoom(settings, sent, written)
  if (removal.warning !== undefined) yield* Effect.logWarning(removal.warning)
  return { token, cookies: [...written, ...removal.cookies] }
})
