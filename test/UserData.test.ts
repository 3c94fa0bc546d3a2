/** Data about sessions and users: the list of devices, the export of a user, and the removal. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as Access from "../src/Access.ts"
import * as Audit from "../src/Audit.ts"
import * as Accounts from "../src/Accounts.ts"
import * as UserAccounts from "../src/actions/UserAccounts.ts"
import { makeMemory } from "../src/Adapter.ts"
import { Doorman, type DoormanOptions } from "../src/Doorman.ts"
import * as Http from "../src/Http.ts"
import { UserData, UserId } from "../src/Models.ts"
import * as Sessions from "../src/Sessions.ts"
import { remember } from "../src/session/ProviderSessions.ts"
import type { AdapterShape } from "../src/storage/AdapterShape.ts"
import { only } from "../src/storage/MakeAdapter.ts"
import * as Testing from "../src/Testing.ts"
import { stores, watched } from "./access/Site.ts"
import { makeStore } from "./StateStore.ts"

const at = (milliseconds: number): Date => new Date(milliseconds)

const start = 1_800_000_000_000
const person = {
  id: UserId.make("ann"),
  email: "ann@example.com",
  emailVerified: at(start),
  name: "Ann",
  password: "canary"
}

const made = (
  adapter: AdapterShape,
  more: Partial<DoormanOptions> = {},
  during: Effect.Effect<unknown, unknown, Doorman> = Effect.void
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    const { id } = yield* adapter.createUser(person)
    const doorman = Doorman.layer({
      providers: [],
      adapter,
      session: { strategy: "database" },
      secret: Testing.secret,
      origin: Testing.siteOrigin,
      clientAddress: (headers) => headers.get("x-client"),
      ...more
    })
    const enter = HttpRouter.add(
      "POST",
      "/enter",
      Effect.as(Http.signIn({ id }, { amr: ["pwd", "otp"] }), HttpServerResponse.text("in")).pipe(Effect.orDie)
    )
    const others = HttpRouter.add(
      "POST",
      "/others",
      Http.requireSession(Access.Default).pipe(
        // From another request.
        Effect.andThen(
          Effect.updateContext(during, (context: Context.Context<Doorman>) =>
            Context.omit(HttpServerRequest.HttpServerRequest)(context)
          )
        ),
        Effect.andThen(Http.revokeOtherSessions),
        Effect.as(HttpServerResponse.text("ended")),
        Effect.orDie
      )
    )
    const built = yield* Layer.build(doorman)
    const browser = yield* Testing.browser(
      Layer.merge(enter, others).pipe(
        Layer.provide(Http.layer(Access.Default)),
        HttpRouter.provideRequest(Layer.succeedContext(built)),
        Layer.provide([Layer.succeedContext(built), HttpServer.layerServices])
      )
    )
    const signIn = (device: Testing.Browser, agent: string) =>
      device.client.execute(
        HttpClientRequest.post("/enter").pipe(
          HttpClientRequest.setHeaders({ "user-agent": agent, "x-client": "192.0.2.1" })
        )
      )
    return { browser, built, signIn, userId: UserId.make(id) }
  })

for (const [store, open] of stores) {
  describe(`The sessions of a user (${store})`, () => {
    it.effect("V7.5.2 are listed with when and how they began, and when they were last seen", () =>
      Effect.gen(function* () {
        const { calls, store: adapter } = watched(yield* open)
        const { browser, built, signIn, userId } = yield* made(adapter, {
          session: { strategy: "database", updateAge: "1 day" }
        })
        yield* signIn(browser, `Test/1.0 ${"x".repeat(400)}`)
        calls.clear()
        const seen = () =>
          Effect.map(
            Effect.provideContext(Sessions.list(userId), built),
            ([session]) => session?.lastSeenAt?.epochMilliseconds
          )
        for (let minute = 0; minute < 4; minute++) {
          yield* browser.session
          yield* TestClock.adjust("1 minute")
        }
        assert.deepStrictEqual([calls.get("touchSession"), yield* seen()], [undefined, start], "no write for a read")
        yield* TestClock.adjust("1 minute")
        yield* browser.session
        yield* browser.session
        assert.deepStrictEqual([calls.get("touchSession"), yield* seen()], [1, start + 300_000])
        const [session] = yield* Effect.provideContext(Sessions.list(userId), built)
        const at = DateTime.makeUnsafe(start)
        assert.deepInclude(session, { createdAt: at, authenticatedAt: at, amr: ["pwd", "otp"] })
        assert.strictEqual(session?.userAgent?.length, 256)
        assert.isFalse(JSON.stringify(session).includes("sessionToken"))
      }).pipe(Effect.provide(Testing.layer()))
    )

    it.gen(
      "keep every method of the sign-in, and the header of the browser",
      Effect.provide(Testing.layer()),
      function* () {
        const { built, signIn, userId, browser } = yield* made(yield* open)
        const amr = Array.from({ length: 16 }, (_, index) => `${"m".repeat(62)}${String(index).padStart(2, "0")}`)
        yield* Effect.provideContext(Sessions.issue(Access.Default, { id: userId }, { amr }), built)
        const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"
        yield* signIn(browser, firefox)
        const sessions = yield* Effect.provideContext(Sessions.list(userId), built)
        assert.isTrue(sessions.some((one) => one.amr?.join() === amr.join()))
        assert.isTrue(sessions.some(({ userAgent }) => userAgent === firefox))
      }
    )

    it.effect("H062 and their user are exported without secrets, and removed", () =>
      Effect.gen(function* () {
        const adapter = yield* open
        const { browser, built, signIn, userId } = yield* made(adapter)
        yield* signIn(browser, "Test/1.0")
        yield* adapter.linkAccount({
          userId,
          type: "oidc",
          provider: "op",
          providerAccountId: "1",
          access_token: "canary",
          refresh_token: "canary",
          id_token: "canary",
          scope: "openid"
        })
        yield* adapter.createAuthenticator({
          userId,
          credentialID: "a2V5",
          providerAccountId: "a2V5",
          credentialPublicKey: "canary",
          counter: 0,
          credentialDeviceType: "multiDevice",
          credentialBackedUp: true
        })
        const within = <A, E>(program: Effect.Effect<A, E, Doorman>) => Effect.provideContext(program, built)
        const data = Option.getOrThrow(yield* within(Accounts.export(userId)))
        const json = JSON.stringify(yield* Schema.encodeEffect(Schema.toCodecJson(UserData))(data))
        assert.notInclude(json, "canary")
        assert.deepStrictEqual(data.user, {
          id: userId,
          name: "Ann",
          email: "ann@example.com",
          emailVerified: at(start),
          image: null
        })
        assert.deepStrictEqual(data.accounts, [
          { provider: "op", providerAccountId: "1", type: "oidc", scope: "openid" }
        ])
        assert.deepInclude(data.sessions[0], { amr: "pwd otp", userAgent: "Test/1.0", createdAt: at(start) })
        assert.deepInclude(data.passkeys[0], { credentialID: "a2V5", deviceType: "multiDevice", backedUp: true })
        assert.isTrue(yield* within(Accounts.remove(userId)))
        assert.isTrue(Option.isNone(yield* within(Accounts.export(userId))))
        assert.deepStrictEqual(yield* adapter.listAccounts(userId), [])
        assert.isTrue(Option.isNone(yield* adapter.getAuthenticator("a2V5")))
        assert.isNull(yield* browser.session)
        assert.isFalse(yield* within(Accounts.remove(userId)))
      }).pipe(Effect.provide(Testing.layer()))
    )
  })
}

for (const [store, open] of stores) {
  it.gen(`Passkeys have a name, and their user alone changes it (${store})`, function* () {
    const adapter = yield* open
    const { id: userId } = yield* adapter.createUser(person)
    const key = {
      userId,
      credentialID: "a2V5",
      providerAccountId: "a2V5",
      credentialPublicKey: "key",
      counter: 0,
      credentialDeviceType: "multiDevice",
      credentialBackedUp: true
    }
    yield* adapter.createAuthenticator({ ...key, createdAt: at(start) })
    yield* adapter.linkAccount({ userId, type: "webauthn", provider: "passkey", providerAccountId: "a2V5" })
    assert.isTrue(yield* UserAccounts.renamePasskey(adapter, userId, "a2V5", " My\nphone "))
    assert.isFalse(yield* UserAccounts.renamePasskey(adapter, UserId.make("eve"), "a2V5", "Eve"))
    assert.isFalse(yield* UserAccounts.renamePasskey(adapter, userId, "b3RoZXI", "x"))
    yield* adapter.describeAuthenticator("a2V5", { lastUsedAt: at(start + 1000) })
    const { authenticators } = yield* UserAccounts.waysOf(adapter, userId)
    assert.deepInclude(authenticators[0], { label: "My phone", createdAt: at(start), lastUsedAt: at(start + 1000) })
    const without = only(adapter, new Set([...adapter.methods].filter((one) => one !== "describeAuthenticator")))
    const failure = yield* Effect.flip(UserAccounts.renamePasskey(without, userId, "a2V5", "x"))
    assert.strictEqual(failure._tag, "MissingAdapterMethods")
  })
}

describe("Removing a sign-in method", () => {
  const token = { session: { strategy: "jwt", revocation: true } } as const
  const linked = (adapter: AdapterShape, userId: UserId) =>
    Effect.forEach(["github", "google"], (provider) =>
      adapter.linkAccount({ userId, type: "oidc", provider, providerAccountId: "1" })
    )
  const account = { provider: "github", providerAccountId: "1" }

  it.effect("H063 ends the sessions that are tokens, but for the one that is kept", () =>
    Effect.gen(function* () {
      const adapter = makeMemory()
      const events: Array<string> = []
      const sink = Audit.layerSink(({ _tag, ...event }) =>
        Effect.sync(() => events.push("which" in event ? `${_tag} ${event.which}` : _tag))
      )
      const { built, userId } = yield* Effect.provide(made(adapter, token), sink)
      const within = <A, E>(program: Effect.Effect<A, E, Doorman>) => Effect.provideContext(program, built)
      yield* linked(adapter, userId)
      const [here, elsewhere] = yield* within(
        Effect.all([Sessions.issue(Access.Default, { id: userId }), Sessions.issue(Access.Default, { id: userId })])
      )
      events.length = 0
      yield* within(Accounts.unlink(userId, account, { keep: Redacted.value(here.token) }))
      assert.deepStrictEqual(events, ["AccountUnlinked", "SessionsRevoked others"])
      assert.isTrue(Option.isNone(yield* within(Sessions.get(Access.Default, elsewhere.token))))
      assert.strictEqual((yield* within(Sessions.verify(Access.Default, here.token))).id, here.id)
      yield* TestClock.adjust("2 minutes")
      assert.isTrue(Option.isSome(yield* within(Sessions.get(Access.Default, here.token))))
      const failure = yield* Effect.flip(within(Accounts.unlink(userId, { ...account, provider: "google" })))
      assert.strictEqual(failure._tag, "LastWayToSignIn")
      assert.isTrue(Option.isSome(yield* within(Sessions.get(Access.Default, here.token))), "a refusal ends nothing")
      yield* within(Accounts.unlink(userId, { ...account, provider: "google" }, { hasPassword: true }))
      assert.isTrue(Option.isNone(yield* within(Sessions.get(Access.Default, here.token))))
    }).pipe(Effect.provide(Testing.layer()))
  )

  it.gen("says nothing of sessions that are tokens and cannot be ended", Effect.provide(Testing.layer()), function* () {
    const memory = makeMemory()
    const adapter = only(memory, new Set([...memory.methods].filter((name) => name !== "deleteSessions")))
    const events: Array<string> = []
    const sink = Audit.layerSink(({ _tag }) => Effect.sync(() => events.push(_tag)))
    const { built, userId } = yield* Effect.provide(made(adapter, { session: { strategy: "jwt" } }), sink)
    yield* linked(adapter, userId)
    yield* Effect.provideContext(Accounts.unlink(userId, account), built)
    assert.deepStrictEqual(events, ["AccountUnlinked"])
  })

  it.gen("removes nothing while the sessions cannot be ended", Effect.provide(Testing.layer()), function* () {
    const adapter = makeMemory()
    const down = { get: () => Promise.reject(new Error("down")), swap: () => Promise.reject(new Error("down")) }
    const { built, userId } = yield* made(adapter, { ...token, sharedState: down })
    yield* linked(adapter, userId)
    const failure = yield* Effect.flip(Effect.provideContext(Accounts.unlink(userId, account), built))
    assert.strictEqual(failure._tag, "SharedStateError")
    assert.lengthOf(yield* adapter.listAccounts(userId), 2)
  })

  it.effect("V7.4.3 ends the other sessions of a user that are tokens, and not the one that asks", () =>
    Effect.gen(function* () {
      const { browser, built, signIn, userId } = yield* made(makeMemory(), token)
      const other = yield* Effect.provideContext(Sessions.issue(Access.Default, { id: userId }), built)
      yield* signIn(browser, "Test/1.0")
      assert.strictEqual((yield* browser.client.execute(HttpClientRequest.post("/others"))).status, 200)
      assert.isNotNull(yield* browser.session)
      assert.isTrue(Option.isNone(yield* Effect.provideContext(Sessions.get(Access.Default, other.token), built)))
    }).pipe(Effect.provide(Testing.layer()))
  )
})

describe("A session that is a token and ends while its request is held open", () => {
  const token = { session: { strategy: "jwt", revocation: true } } as const
  const revokeAll = Sessions.revokeAll(person.id)

  it.gen("H076 stays so when the request ends the other sessions", Effect.provide(Testing.layer()), function* () {
    const { browser, built, signIn } = yield* made(makeMemory(), token, revokeAll)
    yield* signIn(browser, "Test/1.0")
    const session = yield* Effect.provideContext(Sessions.issue(Access.Default, { id: person.id }), built)
    yield* browser.client.execute(HttpClientRequest.post("/others"))
    assert.isNull(yield* browser.session)
    assert.isTrue(Option.isNone(yield* Effect.provideContext(Sessions.get(Access.Default, session.token), built)))
  })

  it.gen("H076 stays so when the request removes a sign-in method", Effect.provide(Testing.layer()), function* () {
    const memory = makeMemory()
    let during: Effect.Effect<unknown> = Effect.void
    const slow = only(
      {
        ...memory,
        unlinkAccount: (key) =>
          Effect.andThen(
            Effect.suspend(() => during),
            memory.unlinkAccount(key)
          )
      },
      memory.methods
    )
    const { built, userId } = yield* made(slow, token)
    const within = <A, E>(program: Effect.Effect<A, E, Doorman>) => Effect.provideContext(program, built)
    const account = { provider: "github", providerAccountId: "1" }
    yield* memory.linkAccount({ userId, type: "oidc", ...account })
    const { token: stolen } = yield* within(Sessions.issue(Access.Default, { id: userId }))
    during = Effect.orDie(within(revokeAll))
    yield* within(Accounts.unlink(userId, account, { keep: Redacted.value(stolen), hasPassword: true }))
    assert.isTrue(Option.isNone(yield* within(Sessions.get(Access.Default, stolen))))
    // A session that ended before is not kept either.
    yield* memory.linkAccount({ userId, type: "oidc", ...account })
    yield* within(Accounts.unlink(userId, account, { keep: Redacted.value(stolen), hasPassword: true }))
    assert.isTrue(Option.isNone(yield* within(Sessions.get(Access.Default, stolen))))
  })
})

/** The audit events, by name. */
const recorded = () => {
  const events: Array<string> = []
  return { events, sink: Audit.layerSink(({ _tag }) => Effect.sync(() => events.push(_tag))) }
}

describe("A shared state that goes down", () => {
  const revocation = { strategy: "jwt", revocation: true } as const

  it.effect("H263, H284 while a user is removed: the events are emitted, and a repeated call does the rest", () =>
    Effect.gen(function* () {
      const { faults, store: sharedState, values } = makeStore()
      const { events, sink } = recorded()
      const emitted: Array<unknown> = []
      const memory = makeMemory()
      const adapter = only(
        {
          ...memory,
          deleteUser: (id) => Effect.tap(memory.deleteUser(id), () => Effect.sync(() => (faults.isDown = true)))
        },
        memory.methods
      )
      const { built, userId } = yield* Effect.provide(
        made(adapter, {
          sharedState,
          session: revocation,
          events: { deleteUser: ({ user }) => void emitted.push(user.id) }
        }),
        sink
      )
      const services = yield* Context.get(built, Doorman).servicesHere
      const at = { provider: "idp", issuer: "https://idp.example", sid: "session-1", sub: "person-1" }
      yield* Effect.provideContext(remember(at, { id: "session", userId }, start + 1e9), services)
      const holdsUser = () => [...values.values()].some((value) => value.includes(`"${userId}"`))
      assert.isTrue(holdsUser())
      const failure = yield* Effect.flip(Effect.provideContext(Accounts.remove(userId), built))
      assert.strictEqual(failure._tag, "SharedStateError")
      assert.deepStrictEqual([emitted, events.filter((one) => one === "UserRemoved")], [[userId], ["UserRemoved"]])
      faults.isDown = false
      assert.isTrue(holdsUser())
      assert.isFalse(yield* Effect.provideContext(Accounts.remove(userId), built))
      assert.isFalse(holdsUser())
      assert.deepStrictEqual([emitted, events.filter((one) => one === "UserRemoved")], [[userId], ["UserRemoved"]])
    }).pipe(Effect.provide(Testing.layer()))
  )

  it.effect("H284 while an account is removed: the audit events say that it is gone", () =>
    Effect.gen(function* () {
      const { faults, store: sharedState } = makeStore()
      const { events, sink } = recorded()
      const memory = makeMemory()
      const adapter = only(
        {
          ...memory,
          unlinkAccount: (key) => Effect.tap(memory.unlinkAccount(key), () => Effect.sync(() => (faults.isDown = true)))
        },
        memory.methods
      )
      const { built, userId } = yield* Effect.provide(made(adapter, { sharedState, session: revocation }), sink)
      const account = { provider: "github", providerAccountId: "1" }
      yield* memory.linkAccount({ userId, type: "oidc", ...account })
      const failure = yield* Effect.flip(
        Effect.provideContext(Accounts.unlink(userId, account, { hasPassword: true }), built)
      )
      assert.strictEqual(failure._tag, "SharedStateError")
      assert.lengthOf(yield* memory.listAccounts(userId), 0)
      assert.deepStrictEqual(events, ["AccountUnlinked", "SessionsRevoked"])
    }).pipe(Effect.provide(Testing.layer()))
  )
})

describe("Removing a user", () => {
  it.gen("is told, and a store that lacks a method is named", Effect.provide(Testing.layer()), function* () {
    const told: Array<unknown> = []
    const { built, userId } = yield* made(makeMemory(), {
      events: { deleteUser: ({ user }) => void told.push(user.id) }
    })
    yield* Effect.provideContext(Accounts.remove(userId), built)
    assert.deepStrictEqual(told, [userId])
    const memory = makeMemory()
    const poor = only(
      memory,
      new Set([...memory.methods].filter((one) => one !== "listAccounts" && one !== "deleteUser"))
    )
    const other = yield* made(poor)
    for (const [program, names] of [
      [Effect.asVoid(Accounts.export(userId)), "Accounts.export needs listAccounts"],
      [Effect.asVoid(Accounts.remove(userId)), "Accounts.remove needs deleteUser"]
    ] as const) {
      const failure = yield* Effect.flip(Effect.provideContext(program, other.built))
      assert.strictEqual(failure._tag, "MissingAdapterMethods")
      assert.include(failure.detail, names)
    }
  })

  it.effect("H062, H253 ends the token session of a sign-in that came while the user was removed", () =>
    Effect.gen(function* () {
      const memory = makeMemory()
      let during: Effect.Effect<unknown> = Effect.void
      const slow = only(
        {
          ...memory,
          deleteUser: (id) =>
            Effect.andThen(
              Effect.suspend(() => during),
              memory.deleteUser(id)
            )
        },
        new Set([...memory.methods].filter((one) => one !== "transaction"))
      )
      const { built, userId } = yield* made(slow, { session: { strategy: "jwt", revocation: true } })
      const tokens: Array<Redacted.Redacted> = []
      during = Sessions.issue(Access.Default, { id: userId }).pipe(
        Effect.map(({ token }) => tokens.push(token)),
        Effect.provideContext(built),
        Effect.orDie
      )
      assert.isTrue(yield* Effect.provideContext(Accounts.remove(userId), built))
      assert.lengthOf(tokens, 1)
      for (const token of tokens)
        assert.isTrue(Option.isNone(yield* Effect.provideContext(Sessions.get(Access.Default, token), built)))
    }).pipe(Effect.provide(Testing.layer()))
  )

  it.gen("ends nothing by halves where the store fails", Effect.provide(Testing.layer()), function* () {
    const memory = makeMemory()
    const failing = only({ ...memory, deleteUser: () => Effect.die(new Error("ECONNRESET")) }, memory.methods)
    const { browser, built, signIn, userId } = yield* made(failing)
    yield* signIn(browser, "Test/1.0")
    assert.strictEqual((yield* Effect.flip(Effect.provideContext(Accounts.remove(userId), built)))._tag, "AdapterError")
    assert.strictEqual((yield* memory.listSessions(userId)).length, 1, "the transaction was rolled back")
  })
})
