import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { asUserId } from "../src/models/Id.ts"
import { unlink } from "../src/actions/UserAccounts.ts"
import { makeMemory } from "../src/Adapter.ts"
import * as Audit from "../src/Audit.ts"
import { UserId } from "../src/Models.ts"
import { Settings, type Options } from "../src/config/Settings.ts"
import { AuthRequest, fromWeb } from "../src/http/AuthRequest.ts"
import { Passkey } from "../src/Provider/Passkey.ts"
import * as ServerSignIn from "../src/actions/ServerSignIn.ts"
import * as ServerSignOut from "../src/actions/ServerSignOut.ts"
import * as UserSessions from "../src/actions/UserSessions.ts"
import { sessionIdOf } from "../src/storage/Details.ts"
import type { Services } from "../src/composition/Services.ts"
import { at, browser, config, type Log, settled, signInAt, start } from "./Browser.ts"
import { form, mailed } from "./Mailed.ts"
import { idp, memoryProvider } from "./MemoryProvider.ts"
import { password, site } from "./Visitor.ts"
import { passkeys, person } from "./webauthn/Person.ts"

type Event = Audit.AuditEvent

/** Runs a program with somebody who writes down every event. */
const written = <A, E>(
  program: Effect.Effect<A, E, Services>,
  events: Array<Event>,
  sink: (event: Event) => Effect.Effect<unknown, unknown> = () => Effect.void
): Effect.Effect<A, E, Services> =>
  Effect.provide(
    program,
    Audit.layerSink((event) =>
      Effect.andThen(
        Effect.sync(() => events.push(event)),
        sink(event)
      )
    )
  )

/** The events in order, without time and request. */
const told = (events: Array<Event>): ReadonlyArray<Record<string, unknown>> =>
  events.splice(0).map(({ request: _request, time: _time, ...rest }) => rest)

const userNamed = (store: ReturnType<typeof makeMemory>, email: string) =>
  Effect.map(store.getUserByEmail(email), (user) => Option.getOrThrow(user).id)

const soon = new Date(start + 1000)

describe("every thing is told once", () => {
  for (const strategy of ["jwt", "database"] as const) {
    it.effect(`H284 a sign-in of a new user, one of an existing user, and a sign-out (${strategy})`, () => {
      const provider = memoryProvider()
      const store = makeMemory()
      const events: Array<Event> = []
      const options = config({ adapter: store, session: { strategy } })
      return Effect.gen(function* () {
        const visitor = browser()
        yield* signInAt(visitor, provider)
        const userId = yield* userNamed(store, "ada@example.com")
        const about = { userId, provider: "idp" }
        assert.deepStrictEqual(told(events), [
          { _tag: "UserCreated", ...about },
          { _tag: "AccountLinked", ...about },
          { _tag: "SignedIn", method: "oidc", isNewUser: true, ...about }
        ])
        yield* visitor.session
        yield* visitor.get("/auth/providers")
        yield* visitor.submit("/auth/signout")
        assert.deepStrictEqual(told(events), [{ _tag: "SignedOut", userId }])
        yield* visitor.submit("/auth/signout")
        assert.deepStrictEqual(told(events), [], "nobody was signed in any more")
        yield* signInAt(visitor, provider)
        assert.deepStrictEqual(told(events), [{ _tag: "SignedIn", method: "oidc", isNewUser: false, ...about }])
      }).pipe((program) => written(program, events), at(options, provider))
    })
  }

  it.effect("H284 an account that is linked, and one that is not", () => {
    const provider = memoryProvider()
    const store = makeMemory()
    const events: Array<Event> = []
    const options = config({ adapter: store, providers: [idp(), idp({ id: "second" })] })
    return Effect.gen(function* () {
      const visitor = browser()
      yield* signInAt(visitor, provider)
      const userId = yield* userNamed(store, "ada@example.com")
      events.length = 0
      yield* visitor.get(provider.agree(yield* visitor.leave("second")))
      assert.deepStrictEqual(told(events), [
        { _tag: "AccountLinked", provider: "second", userId },
        { _tag: "SignedIn", provider: "second", method: "oidc", isNewUser: false, userId }
      ])
      const stranger = browser()
      yield* store.unlinkAccount({ provider: "second", providerAccountId: "person-1" })
      yield* stranger.get(provider.agree(yield* stranger.leave("second")))
      assert.deepStrictEqual(told(events), [
        { _tag: "SignInRefused", provider: "second", reason: { type: "OAuthAccountNotLinked" } }
      ])
    }).pipe((program) => written(program, events), at(options, provider))
  })

  it.gen("H284 an account and a key that are taken away, with the sessions that end", function* () {
    const events: Array<Event> = []
    const store = makeMemory()
    yield* store.createUser({ id: asUserId("ada"), email: "ada@app.example", emailVerified: null })
    for (const [provider, type] of [
      ["github", "oauth"],
      ["passkey", "webauthn"],
      ["google", "oidc"]
    ] as const) {
      yield* store.linkAccount({ userId: asUserId("ada"), type, provider, providerAccountId: "1" })
    }
    yield* store.createAuthenticator({
      userId: asUserId("ada"),
      credentialID: "1",
      providerAccountId: "1",
      credentialPublicKey: "k",
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
      transports: null
    })
    const sink = Audit.layerSink((event) => Effect.sync(() => events.push(event)))
    const take = (provider: string, keep?: string) =>
      Effect.provide(unlink(store, UserId.make("ada"), { provider, providerAccountId: "1" }, { keep }), sink)
    yield* take("github", "here")
    assert.deepStrictEqual(told(events), [
      { _tag: "AccountUnlinked", provider: "github", userId: "ada" },
      { _tag: "SessionsRevoked", which: "others", userId: "ada" }
    ])
    yield* take("passkey")
    assert.deepStrictEqual(told(events), [
      { _tag: "KeyRemoved", provider: "passkey", userId: "ada" },
      { _tag: "SessionsRevoked", which: "all", userId: "ada" }
    ])
    assert.isTrue(Result.isFailure(yield* Effect.result(take("google"))))
    assert.isTrue(Result.isFailure(yield* Effect.result(take("gitlab"))))
    assert.deepStrictEqual(told(events), [], "what was refused was not taken away")
  })

  it.effect("H284 a key that is added, and one that signs in", () => {
    const { options, store } = passkeys({ providers: [Passkey()] })
    const events: Array<Event> = []
    const visitor = person()
    return Effect.gen(function* () {
      const { credential } = yield* visitor.register("ada@example.com")
      const about = { userId: yield* userNamed(store, "ada@example.com"), provider: "passkey" }
      assert.deepStrictEqual(told(events), [
        { _tag: "UserCreated", ...about },
        { _tag: "KeyAdded", ...about },
        { _tag: "SignedIn", method: "webauthn", isNewUser: true, ...about }
      ])
      yield* visitor.leave
      events.length = 0
      yield* visitor.signIn(credential)
      assert.deepStrictEqual(told(events), [{ _tag: "SignedIn", method: "webauthn", isNewUser: false, ...about }])
    }).pipe((program) => written(program, events), at(options))
  })

  it.effect("H284 a new account that takes an address from a user who never proved it", () => {
    const mail = mailed({ provider: {} })
    const events: Array<Event> = []
    return Effect.gen(function* () {
      yield* mail.store.createUser({ id: asUserId("squatter"), email: "ann@example.com", emailVerified: null })
      yield* mail.store.linkAccount({
        userId: asUserId("squatter"),
        type: "oidc",
        provider: "idp",
        providerAccountId: "1"
      })
      const visitor = browser()
      yield* visitor.submit("/auth/signin/email", { email: "ann@example.com" })
      assert.deepStrictEqual(told(events), [])
      const link = yield* mail.link
      yield* visitor.submit(link.pathname + link.search)
      assert.deepStrictEqual(told(events), [
        { _tag: "SignInRefused", provider: "email", reason: { type: "UnprovenAddress" } }
      ])
      events.length = 0
      yield* visitor.submit("/auth/signin/email", { account: "new" })
      const userId = yield* userNamed(mail.store, "ann@example.com")
      const about = { provider: "email", userId }
      assert.deepStrictEqual(told(events), [
        { _tag: "UserCreated", ...about },
        { _tag: "AddressReleased", previousUserId: "squatter", ...about },
        { _tag: "SignedIn", method: "email", isNewUser: true, ...about }
      ])
    }).pipe((program) => written(program, events), mail.at)
  })

  it.effect("H284 what the application does by itself: a sign-in, sessions that it ends, a sign-out", () => {
    const store = makeMemory()
    const events: Array<Event> = []
    const options = config({ adapter: store, session: { strategy: "database" } })
    return Effect.gen(function* () {
      yield* store.createUser({ id: asUserId("ada"), email: "ada@app.example", emailVerified: null })
      const settings = yield* Settings
      const read = (headers: Record<string, string> = {}) =>
        fromWeb(new Request(`${site}/auth/session`, { headers }), settings.basePath)
      const request = yield* read()
      const { cookies } = yield* Effect.provideService(
        ServerSignIn.signIn({ id: asUserId("ada") }),
        AuthRequest,
        request
      )
      const [cookie] = cookies
      const about = { provider: "application", userId: "ada" }
      assert.deepStrictEqual(told(events), [{ _tag: "SignedIn", method: "credentials", isNewUser: false, ...about }])

      yield* store.createSession({ sessionToken: "another-session-of-hers", userId: asUserId("ada"), expires: soon })
      const id = sessionIdOf("another-session-of-hers")
      assert.isTrue(yield* UserSessions.revoke(asUserId("ada"), id))
      assert.isFalse(yield* UserSessions.revoke(asUserId("ada"), id))
      assert.deepStrictEqual(told(events), [{ _tag: "SessionsRevoked", which: "one", userId: "ada" }])
      const nameless = { id: undefined, generation: undefined }
      assert.isFalse(yield* UserSessions.revokeOthers(asUserId("ada"), { token: "ended", ...nameless }))
      assert.isTrue(yield* UserSessions.revokeOthers(asUserId("ada"), { token: cookie?.value, ...nameless }))
      assert.deepStrictEqual(told(events), [{ _tag: "SessionsRevoked", which: "others", userId: "ada" }])

      const back = yield* read({ cookie: `${cookie?.name}=${cookie?.value}` })
      yield* Effect.provideService(ServerSignOut.signOut, AuthRequest, back)
      assert.deepStrictEqual(told(events), [{ _tag: "SignedOut", userId: "ada" }])
      yield* UserSessions.revokeAll(asUserId("ada"))
      assert.deepStrictEqual(told(events), [{ _tag: "SessionsRevoked", which: "all", userId: "ada" }])
      yield* Effect.result(Effect.provideService(ServerSignIn.signIn({ id: asUserId("nobody") }), AuthRequest, request))
      assert.deepStrictEqual(told(events), [
        { _tag: "SignInRefused", provider: "application", reason: { type: "CallbackRouteError" } }
      ])
    }).pipe((program) => written(program, events), at(options))
  })
})

describe("what is refused is told with its reason", () => {
  const refusals: ReadonlyArray<
    readonly [string, Partial<Options>, ReturnType<typeof doing>, Record<string, unknown>]
  > = [
    [
      "a wrong password",
      {},
      doing((visitor) => visitor.submit("/auth/callback/credentials", { username: "ann", password: "no" })),
      { _tag: "SignInRefused", provider: "credentials", reason: { type: "CredentialsSignin", code: "credentials" } }
    ],
    [
      "a signIn callback that says no",
      { callbacks: { signIn: () => false } },
      doing((visitor) => visitor.signInWithPassword()),
      { _tag: "SignInRefused", provider: "credentials", reason: { type: "AccessDenied" } }
    ],
    [
      "a signIn callback that sends elsewhere",
      { callbacks: { signIn: () => "/upgrade" } },
      doing((visitor) => visitor.signInWithPassword()),
      { _tag: "SignInRefused", provider: "credentials", reason: { type: "AccessDenied", code: "redirected" } }
    ],
    [
      "a jwt callback that makes no token",
      { callbacks: { jwt: () => null } },
      doing((visitor) => visitor.signInWithPassword()),
      { _tag: "SignInRefused", provider: "credentials", reason: { type: "AccessDenied", code: "no_session" } }
    ],
    [
      "an authorize that breaks",
      { providers: [password(() => Promise.reject(new Error("ann@example.com is locked")))] },
      doing((visitor) => visitor.signInWithPassword()),
      { _tag: "SignInRefused", provider: "credentials", reason: { type: "CallbackRouteError" } }
    ],
    [
      "an answer of a provider that nobody asked for",
      {},
      doing((visitor) => visitor.get("/auth/callback/idp?code=c&state=s")),
      { _tag: "SignInRefused", provider: "idp", reason: { type: "OAuthCallbackError", code: "flow_missing" } }
    ],
    [
      "a form without its token",
      {},
      doing((visitor) => visitor.send("POST", "/auth/signout", { headers: form, body: "" })),
      { _tag: "RequestRefused", reason: { type: "MissingCSRF" } }
    ],
    [
      "a provider that there is not",
      {},
      doing((visitor) => visitor.get("/auth/callback/ann@example.com")),
      { _tag: "RequestRefused", reason: { type: "InvalidProvider" } }
    ]
  ]
  for (const [title, more, act, expected] of refusals) {
    it.effect(`H284 ${title}`, () => {
      const events: Array<Event> = []
      return Effect.gen(function* () {
        yield* act(browser())
        assert.deepStrictEqual(told(events), [expected])
      }).pipe((program) => written(program, events), at(config(more)))
    })
  }

  it.effect("H268, H284 a sign-out that the store does not carry out", () => {
    const provider = memoryProvider()
    const memory = makeMemory()
    const down = { deleteSession: () => Effect.die("down") }
    const events: Array<Event> = []
    const options = config({ adapter: { ...memory, ...down }, session: { strategy: "database" } })
    return Effect.gen(function* () {
      const visitor = browser()
      yield* signInAt(visitor, provider)
      events.length = 0
      yield* visitor.submit("/auth/signout")
      assert.deepStrictEqual(told(events), [{ _tag: "SignOutFailed", reason: { type: "SignOutError" } }])
    }).pipe((program) => written(program, events), at(options, provider))
  })
})

describe("an event", () => {
  const signedIn = (headers: Record<string, string>, id = "1") => {
    const events: Array<Event> = []
    const options = config({ providers: [password(() => ({ id, email: "ann@example.com", name: "Ann Canary" }))] })
    return Effect.gen(function* () {
      const visitor = browser()
      const { csrfToken } = JSON.parse((yield* visitor.get("/auth/csrf")).body) as { csrfToken: string }
      yield* visitor.send("POST", "/auth/callback/credentials", {
        headers: { ...form, ...headers },
        body: new URLSearchParams({ csrfToken, username: "ann@example.com", password: "canary-password" }).toString()
      })
      return { events, cookies: [...visitor.cookies.values()] }
    }).pipe((program) => written(program, events), at(options))
  }

  it.gen("says when, where and by which request", function* () {
    const { events } = yield* signedIn({
      "x-request-id": "from-the-proxy",
      "user-agent": `Bro\u00e4wser/1 ${"x".repeat(400)}`
    })
    assert.deepStrictEqual(events, [
      {
        _tag: "SignedIn",
        time: start,
        provider: "credentials",
        method: "credentials",
        isNewUser: false,
        userId: "1",
        request: {
          id: "from-the-proxy",
          action: "callback",
          method: "POST",
          origin: site,
          userAgent: `Browser/1 ${"x".repeat(400)}`.slice(0, 256)
        }
      }
    ])
    const encoded: unknown = JSON.parse(JSON.stringify(yield* Schema.encodeUnknownEffect(Audit.AuditEvent)(events[0])))
    assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(Audit.AuditEvent)(encoded), events[0])
  })

  it.gen("knows the client's address only from the server that receives requests", function* () {
    const forged = yield* signedIn({ "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9" })
    assert.notInclude(JSON.stringify(forged.events), "203.0.113.9")
    const { events } = yield* Effect.provideService(signedIn({}), Audit.ClientAddress, "192.0.2.7")
    assert.strictEqual(events[0]?.request?.ip, "192.0.2.7")
  })

  it.gen("H277, H280 holds no address, name, password, token or cookie", function* () {
    const { cookies, events } = yield* signedIn({}, "ann@example.com")
    const text = JSON.stringify(events)
    for (const value of ["ann@example.com", "Ann Canary", "canary-password", ...cookies]) assert.notInclude(text, value)
    assert.match(Reflect.get(events[0] ?? {}, "userId") as string, /^sha256:[\w-]{43}$/)
  })
})

describe("who listens", () => {
  it.effect("is waited for before the answer goes out", () => {
    const gate = Deferred.makeUnsafe<void>()
    const events: Array<Event> = []
    return Effect.gen(function* () {
      const visitor = browser()
      const fiber = yield* Effect.forkChild(visitor.signInWithPassword())
      yield* settled
      assert.strictEqual(events.length, 1)
      assert.strictEqual(fiber.pollUnsafe(), undefined)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual((yield* Fiber.join(fiber)).status, 302)
    }).pipe((program) => written(program, events, () => Deferred.await(gate)), at(config()))
  })

  const broken: ReadonlyArray<readonly [string, () => Effect.Effect<unknown, unknown>]> = [
    ["fails", () => Effect.fail("full")],
    ["dies", () => Effect.die(new Error("full"))],
    ["does not come back", () => Effect.never]
  ]
  for (const [title, sink] of broken) {
    it.effect(`harms nothing when it ${title}`, () => {
      const log: Log = { entries: [] }
      return Effect.gen(function* () {
        const visitor = browser()
        const fiber = yield* Effect.forkChild(visitor.signInWithPassword())
        yield* settled
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual((yield* Fiber.join(fiber)).location, site)
        assert.isNotNull(yield* visitor.session)
        const failures = log.entries.filter(({ level }) => level === "Error").map(({ message }) => message)
        assert.deepStrictEqual(
          failures.map((failure) => Reflect.get(Object(failure), "_tag")),
          ["EventError"]
        )
      }).pipe((program) => written(program, [], sink), at(config(), undefined, log))
    })
  }

  it.effect("follows a stream, and loses the oldest events when it falls behind", () =>
    Effect.gen(function* () {
      const visitor = browser()
      const seen: Array<string> = []
      const fiber = yield* Audit.stream.pipe(
        Stream.runForEach((event) => Effect.sync(() => void seen.push(event._tag))),
        Effect.forkChild
      )
      yield* settled
      yield* visitor.signInWithPassword()
      yield* visitor.submit("/auth/signout")
      yield* settled
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(seen, ["SignedIn", "SignedOut"])

      const slow = yield* Audit.stream.pipe(
        Stream.tap(() => Effect.sleep("1 second")),
        Stream.take(3),
        Stream.runCollect,
        Effect.forkChild
      )
      yield* settled
      const ids = ["request-1", "request-2", "request-3", "request-4", "request-5"]
      for (const id of ids) yield* visitor.get("/auth/callback/nobody", { "x-request-id": id })
      yield* settled
      yield* TestClock.adjust("10 seconds")
      const last = (yield* Fiber.join(slow)).map(({ request }) => request?.id)
      assert.deepStrictEqual(last.slice(-2), ids.slice(-2))
    }).pipe(Effect.provide(Audit.layer({ capacity: 2 })), at(config()))
  )

  it.gen("is absent by default, and there is nothing to follow", function* () {
    assert.strictEqual(Context.get(yield* Effect.context(), Audit.Audit), undefined)
    assert.deepStrictEqual(yield* Stream.runCollect(Audit.stream), [])
  })
})

type Act = (visitor: ReturnType<typeof browser>) => Effect.Effect<unknown, unknown, Services>

function doing(act: Act): Act {
  return act
}
