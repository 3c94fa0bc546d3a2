import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { asUserId } from "../src/models/Id.ts"
import { RunningRefreshes } from "../src/oauth/ProviderToken.ts"
import { make, makeMemory } from "../src/Adapter.ts"
import { Doorman } from "../src/Doorman.ts"
import { AdapterError, SharedStateError } from "../src/Errors.ts"
import type { EventMessages } from "../src/Events.ts"
import { createAuth } from "../src/index.ts"
import { type AdapterAccount, UserId } from "../src/Models.ts"
import * as Accounts from "../src/Accounts.ts"
import * as ProviderTokens from "../src/ProviderTokens.ts"
import type { Options } from "../src/config/Settings.ts"
import * as SharedState from "../src/SharedState.ts"
import type { AdapterShape } from "../src/storage/AdapterShape.ts"
import { forLayer } from "./ForLayer.ts"
import { rotating, type RotatingProvider, rotatingProvider } from "./RotatingProvider.ts"
import { forFunctions } from "./ForFunctions.ts"
import { listener, ownSite } from "./Visitor.ts"

/** Seconds since 1970 at which every test begins. */
const now = 1_800_000_000

const person = { provider: "acme", providerAccountId: "person-1" }
const asked = { userId: UserId.make("ada"), provider: "acme" }

/** A store with Ada, whose token of the provider ends in `seconds`. */
const storeWith = Effect.fnUntraced(function* (seconds: number, more: Partial<AdapterAccount> = {}) {
  yield* TestClock.setTime(now * 1000)
  const store = makeMemory()
  yield* store.createUser({ id: asUserId("ada"), email: "ada@example.com", emailVerified: null })
  yield* store.linkAccount({
    ...person,
    userId: asUserId("ada"),
    type: "oauth",
    access_token: "access-0",
    refresh_token: "refresh-0",
    token_type: "bearer",
    scope: "read write",
    expires_at: now + seconds,
    ...more
  })
  return store
})

/** A process of the site. */
const site = (
  adapter: AdapterShape,
  provider: RotatingProvider,
  {
    more = {},
    state = SharedState.makeMemory()
  }: { more?: Partial<Options>; state?: SharedState.SharedStateShape } = {}
) =>
  Doorman.layer(forLayer(ownSite({ adapter, providers: [rotating()], ...more }))).pipe(
    Layer.merge(Layer.sync(RunningRefreshes, () => new Map())),
    Layer.provide(Layer.succeed(HttpClient.HttpClient, provider.client)),
    Layer.provide(Layer.succeed(SharedState.SharedState, state))
  )

const get = (more: object = {}) => ProviderTokens.get({ ...asked, ...more })

const valueOf = ({ accessToken }: ProviderTokens.ProviderToken) => Redacted.value(accessToken)

const rowOf = (store: AdapterShape) =>
  Effect.map(store.getAccount("person-1", "acme"), (row) => {
    const { access_token, expires_at, refresh_token, scope } = Option.getOrThrow(row)
    return { access_token, refresh_token, scope, expires_at }
  })

const quiet = Effect.provide(Logger.layer([]))

/** A store of shared state that never forgets. */
const storeOf = (values: Map<string, string>) =>
  ({
    get: (key: string) => Effect.sync(() => values.get(key)),
    swap: ({ after, before, key }: SharedState.StateChange) =>
      Effect.sync(() => {
        if (values.get(key) !== before) return false
        if (after === undefined) values.delete(key)
        else values.set(key, after)
        return true
      })
  }) satisfies SharedState.StateStore

const down = new AdapterError({ method: "updateAccount", reason: "unavailable" })

describe("ProviderTokens", () => {
  it.effect("answers the stored token while it is valid for the time that is asked for, and asks no provider", () =>
    Effect.gen(function* () {
      const provider = rotatingProvider()
      const store = yield* storeWith(61)
      const token = yield* get().pipe(Effect.provide(site(store, provider)))
      assert.strictEqual(valueOf(token), "access-0")
      assert.notInclude(String(token.accessToken), "access-0")
      assert.deepInclude(token, {
        tokenType: "bearer",
        scopes: ["read", "write"],
        expiresAt: DateTime.makeUnsafe((now + 61) * 1000)
      })
      assert.lengthOf(provider.requests, 0)
      const longer = yield* get({ minimumValidity: "2 minutes" }).pipe(Effect.provide(site(store, provider)))
      assert.strictEqual(valueOf(longer), "access-1")
    })
  )

  it.gen("reads the store once for a token that is valid, and asks the shared state for nothing", function* () {
    const calls: Array<string> = []
    const store = new Proxy(yield* storeWith(61), {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== "function") return member
        return (...values: ReadonlyArray<unknown>) => {
          calls.push(String(name))
          return Reflect.apply(member, target, values)
        }
      }
    })
    const record = (name: string) => () =>
      Effect.suspend(() => {
        calls.push(name)
        return Effect.fail(new SharedStateError({ reason: "unavailable" }))
      })
    const state = SharedState.make({ get: record("get"), swap: record("swap") })
    const tokens = Effect.all([get(), get(), get()])
    for (const token of yield* tokens.pipe(Effect.provide(site(store, rotatingProvider(), { state }))))
      assert.strictEqual(valueOf(token), "access-0")
    assert.deepStrictEqual(calls, ["listAccounts", "listAccounts", "listAccounts"])
  })

  it.gen("answers a token of which the provider never said when it ends", function* () {
    const store = yield* storeWith(0, { expires_at: undefined })
    const token = yield* get().pipe(Effect.provide(site(store, rotatingProvider())))
    assert.strictEqual(valueOf(token), "access-0")
    assert.isUndefined(token.expiresAt)
  })

  it.gen("P017, P279 refreshes with the client authentication that is configured, and stores the answer", function* () {
    const provider = rotatingProvider()
    const store = yield* storeWith(59)
    const token = yield* get().pipe(Effect.provide(site(store, provider)))
    assert.strictEqual(valueOf(token), "access-1")
    assert.deepStrictEqual(token.expiresAt, DateTime.makeUnsafe((now + 3600) * 1000))
    assert.deepStrictEqual(
      provider.requests.map((fields) => Object.fromEntries(fields)),
      [{ grant_type: "refresh_token", refresh_token: "refresh-0" }]
    )
    assert.deepStrictEqual(yield* rowOf(store), {
      access_token: "access-1",
      refresh_token: "refresh-1",
      scope: "read write",
      expires_at: now + 3600
    })
  })

  for (const [title, changes, row] of [
    ["without a refresh token, which stays", { refresh_token: undefined }, { refresh_token: "refresh-0" }],
    ["without an end, and then there is none", { expires_in: undefined }, { expires_at: undefined }],
    ["without scopes, which stay", { scope: undefined }, { scope: "read write" }],
    ["with fewer scopes, which count", { scope: "read" }, { scope: "read" }]
  ] as const) {
    it.gen(`reads an answer ${title}`, function* () {
      const provider = rotatingProvider()
      provider.change = (members) => ({ ...members, ...changes })
      const store = yield* storeWith(0)
      const token = yield* get().pipe(Effect.provide(site(store, provider)))
      const stored = yield* rowOf(store)
      assert.deepInclude(stored, { access_token: "access-1", ...row })
      assert.deepStrictEqual(token.scopes, (stored.scope ?? "").split(" "))
    })
  }
})

describe("many who ask for a token at once", () => {
  it.gen("P019 100 fibers of a process send one request, and all get its token", function* () {
    const provider = rotatingProvider()
    const store = yield* storeWith(0)
    const tokens = yield* Effect.all(
      Array.from({ length: 100 }, () => get()),
      { concurrency: "unbounded" }
    ).pipe(Effect.provide(site(store, provider)))
    assert.deepStrictEqual(new Set(tokens.map(valueOf)), new Set(["access-1"]))
    assert.lengthOf(provider.requests, 1)
  })

  it.gen("P019, H249 400 fibers at four doormen of one store send one request", function* () {
    const provider = rotatingProvider()
    const store = yield* storeWith(0)
    const state = SharedState.makeMemory()
    const gate = yield* Deferred.make<void>()
    provider.between = Deferred.await(gate)
    const crowd = Effect.all(
      Array.from({ length: 100 }, () => get()),
      { concurrency: "unbounded" }
    )
    const processes = yield* Effect.forEach([1, 2, 3, 4], () =>
      Effect.forkChild(crowd.pipe(Effect.provide(site(store, provider, { state }))), { startImmediately: true })
    )
    yield* TestClock.adjust("300 millis")
    yield* Deferred.succeed(gate, undefined)
    yield* TestClock.adjust("300 millis")
    const tokens = (yield* Effect.forEach(processes, Fiber.join)).flat()
    assert.lengthOf(tokens, 400)
    assert.deepStrictEqual(new Set(tokens.map(valueOf)), new Set(["access-1"]))
    assert.lengthOf(provider.requests, 1)
  })

  it.gen("two people whose refresh tokens are one text never get the token of each other", function* () {
    const provider = rotatingProvider()
    provider.change = (members) => ({ ...members, refresh_token: undefined })
    const store = yield* storeWith(0)
    yield* store.createUser({ id: asUserId("eve"), email: "eve@example.com", emailVerified: null })
    yield* store.linkAccount({
      ...person,
      providerAccountId: "person-2",
      userId: asUserId("eve"),
      type: "oauth",
      access_token: "access-e",
      refresh_token: "refresh-0",
      token_type: "bearer",
      scope: "",
      expires_at: now
    })
    const tokens = yield* Effect.all([get(), get({ userId: UserId.make("eve") })], { concurrency: 2 }).pipe(
      Effect.provide(site(store, provider)),
      Effect.map((all) => all.map(valueOf))
    )
    assert.lengthOf(new Set(tokens), 2)
    assert.lengthOf(provider.requests, 2)
  })

  it.gen("a process that waits in vain for another one fails in a way that may be repeated", function* () {
    const store = yield* storeWith(0)
    const state = SharedState.makeMemory()
    yield* state.lease("provider-tokens", JSON.stringify(["acme", "client", "person-1", "refresh-0"]), "90 seconds")
    const waiting = yield* Effect.forkChild(
      Effect.flip(get().pipe(Effect.provide(site(store, rotatingProvider(), { state })))),
      { startImmediately: true }
    )
    yield* TestClock.adjust("16 seconds")
    const failure = yield* Fiber.join(waiting)
    assert.deepInclude(failure, { _tag: "ProviderTokenError", retryable: true })
    // The lease of a process that crashed ends.
    yield* TestClock.adjust("90 seconds")
    const provider = rotatingProvider()
    assert.strictEqual(valueOf(yield* get().pipe(Effect.provide(site(store, provider, { state })))), "access-1")
  })
})

describe("a refresh token that the provider refuses", () => {
  const events: Array<EventMessages["reauthenticationRequired"]> = []
  const more = { events: { reauthenticationRequired: (message: (typeof events)[number]) => void events.push(message) } }

  it.gen("asks the person to sign in again, tells the application, and is not sent again", function* () {
    const provider = rotatingProvider()
    const store = yield* storeWith(0, { refresh_token: "stolen" })
    const marks = () =>
      Accounts.list(UserId.make("ada")).pipe(
        Effect.map(({ accounts }) => accounts.map(({ reauthenticationRequired }) => reauthenticationRequired)),
        Effect.provide(site(store, provider, { more }))
      )
    assert.deepStrictEqual(yield* marks(), [undefined])
    const failures = Effect.forEach([1, 2], () => Effect.flip(get()))
    for (const failure of yield* failures.pipe(Effect.provide(site(store, provider, { more })))) {
      assert.deepInclude(failure, { _tag: "ReauthenticationRequired", provider: "acme", status: 401 })
      assert.notInclude(JSON.stringify(failure) + failure.message, "stolen")
    }
    assert.lengthOf(provider.requests, 1)
    assert.deepStrictEqual(events.splice(0), [{ userId: "ada", account: person }])
    assert.isUndefined((yield* rowOf(store)).refresh_token)
    assert.deepStrictEqual(yield* marks(), [true])
    yield* store.updateAccount({ ...person, access_token: "signed-in", expires_at: now + 1 })
    assert.deepStrictEqual(yield* marks(), [undefined])
  })

  it.gen("counts for nothing when a sign-in stored another one meanwhile", function* () {
    const provider = rotatingProvider()
    const store = yield* storeWith(0, { refresh_token: "stolen" })
    const newest = { access_token: "signed-in", refresh_token: "refresh-9", expires_at: now + 600 }
    provider.between = Effect.orDie(store.updateAccount({ ...person, ...newest }))
    const token = yield* get().pipe(Effect.provide(site(store, provider, { more })))
    assert.strictEqual(valueOf(token), "signed-in")
    assert.deepInclude(yield* rowOf(store), newest)
    assert.lengthOf(events, 0)
  })

  it.gen("and no refresh token at all, and no account, ask the person to sign in too", function* () {
    const provider = rotatingProvider()
    const store = yield* storeWith(0, { refresh_token: undefined })
    for (const more of [{}, { userId: UserId.make("eve") }, { providerAccountId: "person-2" }]) {
      const failure = yield* Effect.flip(get(more).pipe(Effect.provide(site(store, provider))))
      assert.strictEqual(failure._tag, "ReauthenticationRequired")
    }
    assert.lengthOf(provider.requests, 0)
  })
})

describe("a provider that is down", () => {
  for (const [title, response] of [
    ["answers 503", () => new Response("", { status: 503 })],
    ["answers no JSON", () => new Response("secret-answer")],
    ["does not know the client", () => Response.json({ error: "invalid_client" }, { status: 401 })]
  ] as const) {
    it.gen(`(${title}) leaves the token that has not ended, and fails when it has`, function* () {
      const provider = rotatingProvider()
      provider.change = () => response()
      const store = yield* storeWith(30)
      const token = yield* get().pipe(Effect.provide(site(store, provider)), quiet)
      assert.strictEqual(valueOf(token), "access-0")
      yield* TestClock.adjust("30 seconds")
      const failure = yield* Effect.flip(get().pipe(Effect.provide(site(store, provider)), quiet))
      assert.deepInclude(failure, { _tag: "ProviderTokenError", status: 503, provider: "acme" })
      assert.strictEqual(failure.retryable, title === "answers 503")
      assert.notInclude(JSON.stringify(failure) + failure.message, "secret-answer")
      assert.deepInclude(yield* rowOf(store), { access_token: "access-0", refresh_token: "refresh-0" })
    })
  }

  it.gen("is no reason to send a refresh token while the shared state is down", function* () {
    const provider = rotatingProvider()
    const store = yield* storeWith(0)
    const fails = () => Effect.fail(new SharedStateError({ reason: "unavailable" }))
    const state = SharedState.make({ get: fails, swap: fails })
    const failure = yield* Effect.flip(get().pipe(Effect.provide(site(store, provider, { state })), quiet))
    assert.strictEqual(failure._tag, "SharedStateError")
    assert.lengthOf(provider.requests, 0)
  })
})

describe("a revocation", () => {
  const issuer = "https://acme.example"

  /** The provider, with an endpoint that revokes (RFC 7009). */
  const revoking = () => {
    const provider = rotatingProvider()
    const { client: inner } = provider
    const revoked: Array<string | null> = []
    const client = HttpClient.make((request) => {
      if (request.url.includes("/.well-known/"))
        return Effect.succeed(
          HttpClientResponse.fromWeb(request, Response.json({ issuer, revocation_endpoint: `${issuer}/revoke` }))
        )
      if (request.url !== `${issuer}/revoke`) return inner.execute(request)
      return Effect.gen(function* () {
        const web = yield* Effect.orDie(HttpClientRequest.toWeb(request))
        revoked.push(new URLSearchParams(yield* Effect.promise(() => web.text())).get("token"))
        return HttpClientResponse.fromWeb(request, new Response(null, { status: 200 }))
      })
    })
    return { provider: Object.assign(provider, { client }), revoked }
  }
  const more = { providers: [rotating({ issuer })] }

  it.gen("waits for a refresh that runs, and revokes what it brought", function* () {
    const { provider, revoked } = revoking()
    const store = yield* storeWith(0)
    const gate = yield* Deferred.make<void>()
    provider.between = Deferred.await(gate)
    yield* Effect.gen(function* () {
      const caller = yield* Effect.forkChild(get(), { startImmediately: true })
      while (provider.requests.length === 0)
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      const revocation = yield* Effect.forkChild(ProviderTokens.revoke(asked), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      assert.isEmpty(revoked)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(valueOf(yield* Fiber.join(caller)), "access-1")
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(revocation)
    }).pipe(Effect.provide(site(store, provider, { more })))
    assert.deepStrictEqual(revoked, ["refresh-1", "access-1"])
    const { access_token, refresh_token } = yield* rowOf(store)
    assert.deepStrictEqual([access_token, refresh_token], [undefined, undefined])
  })

  it.gen("revokes an answer that waits because the store was down", function* () {
    const { provider, revoked } = revoking()
    const store = yield* storeWith(0)
    const state = SharedState.makeMemory()
    const secret = "a secret of two processes 0123456789 abcdefghijkl"
    const broken = make({ ...store, updateAccount: () => Effect.fail(down) })
    const refresh = yield* Effect.forkChild(
      get().pipe(Effect.provide(site(broken, provider, { state, more: { ...more, secret } })), quiet)
    )
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(refresh)
    yield* ProviderTokens.revoke(asked).pipe(
      Effect.provide(site(store, provider, { state, more: { ...more, secret } }))
    )
    assert.deepStrictEqual(revoked, ["refresh-1", "access-1"])
  })
})

describe("an answer that comes once", () => {
  it.gen("is stored when its caller was interrupted", function* () {
    const provider = rotatingProvider()
    const store = yield* storeWith(0)
    const gate = yield* Deferred.make<void>()
    provider.between = Deferred.await(gate)
    yield* Effect.gen(function* () {
      const caller = yield* Effect.forkChild(get(), { startImmediately: true })
      while (provider.requests.length === 0)
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* Fiber.interrupt(caller)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(valueOf(yield* get()), "access-1")
    }).pipe(Effect.provide(site(store, provider)))
    assert.lengthOf(provider.requests, 1)
    assert.deepInclude(yield* rowOf(store), { refresh_token: "refresh-1" })
  })

  it.gen("waits sealed in the shared state while the store is down, for every process", function* () {
    const provider = rotatingProvider()
    const store = yield* storeWith(0)
    const values = new Map<string, string>()
    const memory = storeOf(values)
    const state = SharedState.make(memory)
    const broken = make({ ...store, updateAccount: () => Effect.fail(down) })
    const more = { secret: "a secret of two processes 0123456789 abcdefghijkl" }
    const first = yield* Effect.forkChild(get().pipe(Effect.provide(site(broken, provider, { state, more })), quiet))
    yield* TestClock.adjust("1 second")
    assert.strictEqual(valueOf(yield* Fiber.join(first)), "access-1")
    assert.lengthOf([...values], 1)
    assert.notMatch([...values].flat().join(" "), /access-|refresh-/)
    assert.deepInclude(yield* rowOf(store), { refresh_token: "refresh-0" })
    const again = yield* Effect.forkChild(get().pipe(Effect.provide(site(broken, provider, { state, more })), quiet))
    yield* TestClock.adjust("1 second")
    assert.strictEqual(valueOf(yield* Fiber.join(again)), "access-1")
    const later = yield* get().pipe(Effect.provide(site(store, provider, { state, more })))
    assert.strictEqual(valueOf(later), "access-1")
    assert.lengthOf(provider.requests, 1)
    assert.deepInclude(yield* rowOf(store), { access_token: "access-1", refresh_token: "refresh-1" })
    assert.lengthOf([...values], 0)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(valueOf(yield* get().pipe(Effect.provide(site(store, provider, { state, more })))), "access-2")
    assert.isFalse(provider.isEnded())
  })

  it.gen("does not replace the tokens of a sign-in that came meanwhile", function* () {
    const provider = rotatingProvider()
    const store = yield* storeWith(0)
    const newest = { access_token: "signed-in", refresh_token: "refresh-9", expires_at: now + 600 }
    provider.between = Effect.orDie(store.updateAccount({ ...person, ...newest }))
    assert.strictEqual(valueOf(yield* get().pipe(Effect.provide(site(store, provider)))), "signed-in")
    assert.deepInclude(yield* rowOf(store), newest)
  })
})

/** Where a process dies, whether the refresh token was used up by then, and whether the answer was stored. */
const deaths = [
  ["before it has the lease", "sound"],
  ["with the lease", "sound"],
  ["before the request is sent", "sound"],
  ["when the provider has used the refresh token up", "lost"],
  ["before the answer is stored", "lost"],
  ["when the answer is stored", "sound"]
] as const
type Death = (typeof deaths)[number][0]

describe("a process that dies while it refreshes", () => {
  for (const [death, outcome] of deaths) {
    it.effect(`${death} leaves ${outcome === "sound" ? "the next one a token" : "a person who signs in again"}`, () =>
      Effect.gen(function* () {
        const provider = rotatingProvider()
        const store = yield* storeWith(0)
        const living = SharedState.makeMemory()
        let isDead = false
        /** A step of the process, which dies here if it is to. Nothing that it does later has an effect. */
        const step = <A, E>(here: ReadonlyArray<Death>, run: Effect.Effect<A, E>): Effect.Effect<A, E> =>
          Effect.suspend(() => {
            if (here.includes(death)) isDead = true
            return isDead ? Effect.never : run
          })
        let reads = 0
        const dying = make({
          ...store,
          listAccounts: (id) => step(++reads === 2 ? ["with the lease"] : [], store.listAccounts(id)),
          updateAccount: (change, before) =>
            Effect.tap(step(["before the answer is stored"], store.updateAccount(change, before)), () =>
              step(["when the answer is stored"], Effect.void)
            )
        })
        const state = {
          ...living,
          lease: (...args: Parameters<typeof living.lease>) =>
            Effect.map(
              step(["before it has the lease"], living.lease(...args)),
              Option.map(({ release }) => ({ release: step([], release) }))
            ),
          set: (...args: Parameters<typeof living.set>) => step([], living.set(...args))
        }
        provider.between = step(["when the provider has used the refresh token up"], Effect.void)
        const client = HttpClient.make((request) =>
          step(["before the request is sent"], provider.client.execute(request))
        )
        yield* Effect.forkChild(get().pipe(Effect.provide(site(dying, { ...provider, client }, { state })), quiet), {
          startImmediately: true
        })
        for (let turn = 0; turn < 20; turn++) yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
        assert.isTrue(isDead)
        yield* TestClock.adjust("91 seconds")
        provider.between = Effect.void
        const next = yield* Effect.result(get().pipe(Effect.provide(site(store, provider, { state: living }))))
        assert.strictEqual(
          Result.isSuccess(next) ? valueOf(next.success) : next.failure._tag,
          outcome === "sound" ? "access-1" : "ReauthenticationRequired"
        )
        assert.lengthOf(provider.requests, outcome === "sound" ? 1 : 2)
      })
    )
  }
})

describe("what ProviderTokens needs", () => {
  it.gen("is named where it is missing", function* () {
    const provider = rotatingProvider()
    const store = yield* storeWith(0)
    const tagOf = (doorman: ReturnType<typeof site>, more: object = {}) =>
      Effect.map(Effect.flip(get(more).pipe(Effect.provide(doorman))), ({ _tag, message }) => `${_tag} ${message}`)
    const without = make({ ...store, updateAccount: undefined })
    assert.match(yield* tagOf(site(without, provider)), /^MissingAdapterMethods .*: updateAccount$/)
    assert.match(yield* tagOf(site(store, provider, { more: { adapter: undefined } })), /^MissingAdapter /)
    assert.match(yield* tagOf(site(store, provider), { provider: "credentials" }), /^InvalidProvider /)
    const replaced = { providers: [rotating({ token: { url: "https://acme.example/token", request: () => ({}) } })] }
    assert.match(yield* tagOf(site(store, provider, { more: replaced })), /^ProviderTokenError acme: token\.request /)
  })

  it.gen("never writes a token to the log, with debug messages either", function* () {
    const lines: Array<string> = []
    const write = (...values: ReadonlyArray<unknown>) =>
      void lines.push(values.map((value) => inspect(value, { depth: 9, showHidden: true })).join(" "))
    const more = { debug: true, logger: { error: write, warn: write, debug: write } }
    const provider = rotatingProvider()
    const store = yield* storeWith(0)
    const broken = make({ ...store, updateAccount: () => Effect.fail(down) })
    const running = yield* Effect.forkChild(get().pipe(Effect.provide(site(broken, provider, { more }))))
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(running)
    yield* Effect.flip(get({ userId: UserId.make("eve") }).pipe(Effect.provide(site(store, provider, { more }))))
    yield* Effect.flip(get().pipe(Effect.provide(site(store, provider, { more }))))
    const all = lines.join("\n")
    assert.include(all, "adapter_updateAccount")
    assert.include(all, "provider_response")
    assert.notMatch(all, /access-\d|refresh-\d/)
  })
})

describe("createAuth", () => {
  it("answers tokens as promises", async () => {
    const store = makeMemory()
    const later = Math.floor(Date.now() / 1000) + 600
    const account = {
      ...person,
      userId: asUserId("ada"),
      type: "oauth" as const,
      access_token: "access-0",
      scope: "read"
    }
    await Effect.runPromise(
      Effect.andThen(
        store.createUser({ id: asUserId("ada"), email: "ada@example.com", emailVerified: null }),
        store.linkAccount({ ...account, expires_at: later })
      )
    )
    const auth = createAuth(forFunctions({ ...ownSite({ adapter: store, logger: listener().logger }), env: {} }))
    assert.deepStrictEqual(await auth.providerTokens.get(asked), {
      accessToken: "access-0",
      tokenType: "bearer",
      scopes: ["read"],
      expiresAt: new Date(later * 1000)
    })
    const failure: unknown = await auth.providerTokens.get({ ...asked, minimumValidity: 3600 }).catch((error) => error)
    assert.strictEqual(Reflect.get(Object(failure), "_tag"), "ReauthenticationRequired")
  })
})
