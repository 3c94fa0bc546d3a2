/** Sessions that are tokens, method by method. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { dateAt } from "../../src/internal/DateAt.ts"
import { makeMemory } from "../../src/Adapter.ts"
import type { Services } from "../../src/composition/Services.ts"
import type { Options } from "../../src/config/Settings.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import { asSessionId, asUserId } from "../../src/models/Id.ts"
import { unknownAuthentication } from "../../src/session/Authentication.ts"
import { tokenSessions as sessions } from "../../src/session/TokenSessions.ts"
import type { Renewal } from "../../src/session/SessionStore.ts"
import { forgetAll } from "../../src/internal/OncePerProcess.ts"
import { type Log, visit } from "../Browser.ts"
import { layer, options, otherSecret, secret, site } from "../Visitor.ts"
import { inContext } from "./StoreInContext.ts"

const within = inContext(sessions)

const now = 1_800_000_000_000
const day = 86_400
const ada = asUserId("ada")
const cookie = "__Host-authjs.session-token"

const withOptions = (more: Partial<Options> = {}) =>
  Effect.provide(layer(options({ ...more, session: { maxAge: day, ...more.session } })))

const requestOf = (cookies: string) =>
  fromWeb(new Request(`${site}/auth/session`, cookies === "" ? {} : { headers: { cookie: cookies } }), "/auth")

const contextOf = Effect.fnUntraced(function* (cookies: string) {
  return Context.add(yield* Effect.context<Services>(), AuthRequest, yield* requestOf(cookies))
})

/** The token of a new session, at the instant that the tests begin. */
const begin = Effect.fnUntraced(function* (user: { id: string; [member: string]: unknown } = { id: "ada" }) {
  yield* TestClock.setTime(now)
  const { cookies, session } = yield* within.begin(yield* contextOf(""), {
    user: { ...user, id: asUserId(user.id) },
    account: { provider: "acme", providerAccountId: "1", type: "oauth" },
    isNewUser: false,
    authentication: unknownAuthentication,
    row: undefined,
    needsId: true,
    isRemembered: true
  })
  const token = cookies.find(({ name }) => name === cookie)?.value ?? ""
  return { token, id: session?.id ?? "", cookies: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") }
})

const read = Effect.fnUntraced(function* (cookies: string, renewal: Renewal = "always", change?: { session: unknown }) {
  return yield* within.read(yield* contextOf(cookies), change, renewal, undefined)
})

type Answer = Effect.Success<ReturnType<typeof read>>

/** When the new cookie of an answer ends. */
const renewedTo = ({ cookies }: Answer) =>
  cookies.find(({ name, value }) => name === cookie && value !== "")?.options.expires?.getTime()

describe("a token that is read", () => {
  it.gen("shows its user, and is renewed", withOptions(), function* () {
    const { cookies } = yield* begin({ id: "ada", name: "Ada", email: "ada@example.com", image: "https://x.example/a" })
    yield* TestClock.setTime(now + 1000)
    const answer = yield* read(cookies)
    assert.deepStrictEqual(answer.session, {
      user: { name: "Ada", email: "ada@example.com", image: "https://x.example/a" },
      expires: dateAt(now + 1000 + day * 1000).toISOString()
    })
    assert.strictEqual(answer.userId, "ada")
    assert.strictEqual(renewedTo(answer), now + 1000 + day * 1000)
    assert.isDefined(answer.mark)
  })

  it.gen("is none without a cookie, and removed where it does not open", withOptions(), function* () {
    const none = yield* read("")
    assert.isNull(none.session)
    assert.deepStrictEqual(none.cookies, [])
    const answer = yield* read(`${cookie}=x`)
    assert.isNull(answer.session)
    assert.deepStrictEqual(
      answer.cookies.map(({ name, options: { maxAge }, value }) => [name, value, maxAge]),
      [[cookie, "", 0]]
    )
  })

  const touching: Options["callbacks"] = { jwt: ({ token }) => token }
  const hour = 3600
  const rows: ReadonlyArray<
    readonly [what: string, after: number, renewal: Renewal, more: Partial<Options>, isRenewed: boolean]
  > = [
    ["always, at once", 0, "always", {}, true],
    ["when due, within a tenth of its life", day / 10 - 1, "due", {}, false],
    ["when due, after a tenth of its life", day / 10, "due", {}, true],
    [
      "when due, before a tenth of its life with a callback that changes nothing",
      1,
      "due",
      { callbacks: touching },
      false
    ],
    ["never", day / 2, "never", {}, false],
    ["always, before updateAge", hour - 1, "always", { session: { updateAge: hour } }, false],
    ["always, after updateAge", hour, "always", { session: { updateAge: hour } }, true],
    ["when due, before updateAge", hour - 1, "due", { session: { updateAge: hour } }, false],
    ["always, without updateAge", 1, "always", { session: { updateAge: 0 } }, true],
    ["when due, before a day of a long life", day - 1, "due", { session: { maxAge: 100 * day } }, false],
    ["when due, after a day of a long life", day, "due", { session: { maxAge: 100 * day } }, true],
    [
      "before updateAge, with a callback that changes nothing",
      1,
      "always",
      { session: { updateAge: hour }, callbacks: touching },
      false
    ],
    [
      "before updateAge, with a callback that changes it",
      1,
      "always",
      {
        session: { updateAge: hour },
        callbacks: { jwt: ({ token, trigger }) => ({ ...token, seen: trigger ?? "read" }) }
      },
      true
    ],
    [
      "before updateAge, with a callback that changes it in place",
      1,
      "always",
      {
        session: { updateAge: hour },
        callbacks: { jwt: ({ token, trigger }) => (trigger === undefined ? Object.assign(token, { seen: 1 }) : token) }
      },
      true
    ],
    [
      "never, with a callback that changes it",
      1,
      "never",
      {
        session: { updateAge: hour },
        callbacks: { jwt: ({ token, trigger }) => ({ ...token, seen: trigger ?? "read" }) }
      },
      false
    ]
  ]
  for (const [what, after, renewal, more, isRenewed] of rows) {
    it.gen(`is ${isRenewed ? "" : "not "}renewed ${what}`, withOptions(more), function* () {
      const maxAge = more.session?.maxAge ?? day
      const { cookies } = yield* begin()
      yield* TestClock.setTime(now + after * 1000)
      const answer = yield* read(cookies, renewal)
      const end = isRenewed ? now + (after + maxAge) * 1000 : now + maxAge * 1000
      assert.strictEqual(renewedTo(answer), isRenewed ? end : undefined)
      assert.strictEqual(Reflect.get(Object(answer.session), "expires"), dateAt(end).toISOString())
    })
  }

  it.effect("is renewed by an update, whose data the callback hears", () => {
    const heard: Array<unknown> = []
    return Effect.gen(function* () {
      const { cookies } = yield* begin()
      heard.length = 0
      const answer = yield* read(cookies, "always", { session: { name: "Eve" } })
      assert.isDefined(renewedTo(answer))
      yield* read(cookies)
      assert.deepStrictEqual(heard, [
        ["update", { name: "Eve" }],
        [undefined, undefined]
      ])
    }).pipe(
      withOptions({
        session: { updateAge: 3600 },
        callbacks: {
          jwt: ({ session, token, trigger }) => {
            heard.push([trigger, session])
            return token
          }
        }
      })
    )
  })

  it.gen("is renewed to its absolute end", withOptions({ session: { absoluteMaxAge: 2 * 3600 } }), function* () {
    const { cookies } = yield* begin()
    yield* TestClock.setTime(now + 3600_000)
    const answer = yield* read(cookies)
    assert.strictEqual(renewedTo(answer), now + 2 * 3600 * 1000)
    yield* TestClock.setTime(now + 2 * 3600 * 1000)
    assert.isNull((yield* read(cookies)).session)
  })

  it.effect("is removed where the callback says so", () =>
    Effect.gen(function* () {
      const { cookies } = yield* begin()
      const answer = yield* read(cookies)
      assert.isNull(answer.session)
      assert.isTrue(answer.cookies.some(({ name, value }) => name === cookie && value === ""))
    }).pipe(withOptions({ callbacks: { jwt: ({ token, trigger }) => (trigger === "signIn" ? token : null) } }))
  )

  it.effect("is emitted with its session", () => {
    const events: Array<object> = []
    return Effect.gen(function* () {
      const { cookies } = yield* begin()
      const { session } = yield* read(cookies)
      assert.lengthOf(events, 1)
      assert.deepStrictEqual(Reflect.get(events[0] ?? {}, "session"), session)
      assert.strictEqual(Object(Reflect.get(events[0] ?? {}, "token")).sub, "ada")
    }).pipe(withOptions({ events: { session: (message) => void events.push(message) } }))
  })

  const cyclic: Record<string, unknown> = {}
  cyclic["self"] = cyclic
  for (const [what, callbacks, detail] of [
    ["no object", { session: () => "signed in" }, "callbacks.session must return a session"],
    [
      "what JSON cannot hold",
      { session: () => cyclic },
      "callbacks.session must return a value that JSON can represent"
    ],
    [
      "a failure",
      {
        jwt: ({ token, trigger }: { token: object; trigger?: string }) => {
          if (trigger === "signIn") return token
          throw new Error("no")
        }
      },
      "callbacks.jwt"
    ]
  ] as const) {
    it.gen(`fails where a callback answers ${what}`, withOptions({ callbacks: callbacks as never }), function* () {
      const { cookies } = yield* begin()
      const failure = yield* Effect.flip(read(cookies))
      assert.strictEqual(failure._tag, "JwtSessionError")
      assert.include(failure.detail, detail)
      assert.strictEqual(Reflect.get(failure, "blame"), "operator")
      assert.include(String(Reflect.get(failure, "fix")), "callbacks.jwt or callbacks.session failed")
      assert.isDefined(failure.cause)
    })
  }
})

describe("the user of a token", () => {
  const store = makeMemory()
  const seed = store.createUser({ id: ada, email: "ada@example.com", emailVerified: null })

  it.gen("is that of the store, in a session with a name", withOptions(), function* () {
    yield* seed
    const { cookies } = yield* begin()
    const user = yield* sessions.user(yield* requestOf(cookies), store)
    assert.strictEqual(user?.user.id, "ada")
    assert.isUndefined(user?.sessionToken)
    assert.isString(user?.subject)
    assert.strictEqual(yield* within.owner(yield* Effect.context<Services>(), yield* requestOf(cookies)), user?.subject)
    assert.deepStrictEqual(user?.authentication, unknownAuthentication)
    const { cookies: other } = yield* begin({ id: "eve" })
    assert.isUndefined(yield* sessions.user(yield* requestOf(other), store))
    assert.isUndefined(yield* sessions.user(yield* requestOf(`${cookie}=x`), store))
    assert.isUndefined(yield* sessions.user(yield* requestOf(""), store))
  })

  it.effect("is asked for by the subject of the token alone", () =>
    Effect.gen(function* () {
      const { cookies } = yield* begin()
      const answering = { ...store, getUser: () => Effect.die("there is no subject") }
      assert.isUndefined(yield* sessions.user(yield* requestOf(cookies), answering))
    }).pipe(withOptions({ callbacks: { jwt: ({ token }) => ({ ...token, sub: undefined }) as never } }))
  )
})

/** A shared state whose store does not answer. */
const down = { get: () => Promise.reject(new Error("down")), swap: () => Promise.reject(new Error("down")) }

describe("the candidates of one cookie", () => {
  it.gen("say whose sessions they open", withOptions(), function* () {
    const one = yield* begin()
    const two = yield* begin({ id: "eve" })
    const request = yield* requestOf("")
    assert.deepStrictEqual(yield* sessions.owners(request, [one.token, "x", two.token]), ["ada", "eve"])
  })

  it.effect("say it while the store of revocations is down as well", () =>
    Effect.gen(function* () {
      const { token } = yield* begin().pipe(withOptions({ session: { revocation: true } }))
      assert.deepStrictEqual(yield* sessions.owners(yield* requestOf(""), [token]), ["ada"])
    }).pipe(withOptions({ session: { revocation: true }, sharedState: down }))
  )
})

describe("sessions that cannot be revoked", () => {
  it.gen("are in no list, and end by no id", withOptions(), function* () {
    const none = { id: undefined, generation: undefined, token: undefined }
    for (const program of [
      Effect.asVoid(sessions.list(ada)),
      Effect.asVoid(sessions.end({ userId: ada, id: asSessionId("-") })),
      sessions.endAll(ada),
      sessions.endAll(ada, none)
    ]) {
      const failure = yield* Effect.flip(program)
      assert.strictEqual(failure._tag, "UnsupportedStrategy")
      assert.include(failure.detail, "are in no list")
    }
    assert.isUndefined(yield* sessions.prepare(undefined, true))
    const settings = yield* Effect.context<Services>()
    assert.isDefined(settings)
  })

  for (const [left, hasEnded] of [
    [1, false],
    [0, true],
    [-1, true]
  ] as const) {
    it.gen(`have ended ${left} ms before their end: ${hasEnded}`, withOptions(), function* () {
      yield* TestClock.setTime(now)
      const expires = DateTime.makeUnsafe(now + left)
      assert.strictEqual(yield* sessions.hasEnded({ id: asSessionId("-"), userId: ada, expires }), hasEnded)
    })
  }
})

describe("sessions that can be revoked", () => {
  const revocable = withOptions({ session: { revocation: true } })
  const expires = DateTime.makeUnsafe(now + day * 1000)

  it.gen("end one by one, and all at once but for one", revocable, function* () {
    const one = yield* begin()
    const two = yield* begin()
    const three = yield* begin()
    const hasEnded = Effect.fnUntraced(function* ({ id }: { id: string }) {
      return yield* sessions.hasEnded({ id: asSessionId(id), userId: ada, expires })
    })
    assert.isTrue(yield* sessions.end({ userId: ada, id: asSessionId(one.id) }))
    yield* sessions.end({ id: two.id, userId: ada })
    assert.deepStrictEqual([yield* hasEnded(one), yield* hasEnded(two), yield* hasEnded(three)], [true, true, false])
    const except = { id: asSessionId(three.id), generation: 0, token: undefined }
    yield* sessions.endAll(ada, { ...except, id: asSessionId(one.id) })
    assert.isFalse(yield* hasEnded(three))
    yield* sessions.endAll(ada, except)
    assert.isFalse(yield* hasEnded(three))
    assert.isTrue(yield* hasEnded({ id: "another" }))
    yield* sessions.endAll(ada)
    assert.isTrue(yield* hasEnded(three))
  })

  it.gen("are opened from a header", revocable, function* () {
    const { token } = yield* begin()
    const opened = yield* sessions.open(yield* requestOf(""), token)
    assert.strictEqual(opened?._tag, "Valid")
  })
})

describe("a sign-out", () => {
  const ending = Effect.fnUntraced(function* (cookies: string, bearer?: string) {
    const request = yield* requestOf(cookies)
    const context = yield* Effect.context<Services>()
    return yield* within.ending(context, request, bearer === undefined ? null : `Bearer ${bearer}`)
  })

  it.gen("by a cookie ends its session, and removes the cookie", withOptions(), function* () {
    const { cookies, id } = yield* begin()
    const { end, isOfBrowser, opened, refusal } = yield* ending(cookies)
    assert.isUndefined(refusal)
    assert.isTrue(isOfBrowser)
    assert.strictEqual(opened?._tag, "Valid")
    const ended = yield* end
    assert.isUndefined(ended.failure)
    assert.strictEqual(ended.over?.idOf(), id)
    assert.strictEqual(ended.over?.userId, "ada")
    assert.strictEqual(Object(Reflect.get(ended.over?.message ?? {}, "token")).sub, "ada")
    assert.isTrue(ended.cookies.some(({ name, value }) => name === cookie && value === ""))
  })

  it.gen("without a session ends none", withOptions(), function* () {
    const { end, isOfBrowser } = yield* ending("")
    assert.isTrue(isOfBrowser)
    assert.deepStrictEqual(yield* end, { cookies: [], over: undefined, failure: undefined })
  })

  it.effect("with a cookie that does not open removes it, and says of no session that it ended", () =>
    Effect.gen(function* () {
      const { over, cookies } = yield* (yield* ending(`${cookie}=x`)).end
      assert.deepStrictEqual([over?.message, over?.userId, over?.idOf()], [undefined, undefined, undefined])
      assert.isNotEmpty(cookies)
    }).pipe(withOptions())
  )

  it.gen("by a header is refused where tokens cannot be revoked", withOptions(), function* () {
    const { token } = yield* begin()
    const alone = yield* ending("", token)
    assert.include(alone.refusal?.detail, "stays valid until it expires")
    assert.isString(Reflect.get(alone.refusal ?? {}, "fix"))
    assert.isFalse(alone.isOfBrowser)
    const { cookies } = yield* begin({ id: "eve" })
    const beside = yield* ending(cookies, token)
    assert.isUndefined(beside.refusal)
    assert.isTrue(beside.isOfBrowser)
    const { failure, over } = yield* beside.end
    assert.strictEqual(failure?._tag, "SignOutError")
    assert.include(failure?.detail, "stays valid until it expires")
    assert.strictEqual(Reflect.get(failure ?? {}, "blame"), "request")
    assert.strictEqual(over?.userId, "eve")
    const foreign = yield* ending("", "x")
    assert.isUndefined(foreign.refusal)
    assert.isTrue(foreign.isOfBrowser)
  })

  it.effect("by a header ends the session where tokens can be revoked, and that of the cookie with it", () =>
    Effect.gen(function* () {
      const ofHeader = yield* begin()
      const ofCookie = yield* begin({ id: "eve" })
      const alone = yield* ending("", ofHeader.token)
      assert.isUndefined(alone.refusal)
      const { failure, over } = yield* alone.end
      assert.isUndefined(failure)
      assert.deepStrictEqual([over?.idOf(), over?.userId], [ofHeader.id, "ada"])
      const again = yield* begin()
      const both = yield* (yield* ending(ofCookie.cookies, again.token)).end
      assert.deepStrictEqual([both.over?.idOf(), both.over?.userId], [ofCookie.id, "eve"])
      const expires = DateTime.makeUnsafe(now + day * 1000)
      for (const [id, userId] of [
        [ofHeader.id, "ada"],
        [ofCookie.id, "eve"],
        [again.id, "ada"]
      ] as const) {
        assert.isTrue(yield* sessions.hasEnded({ id: asSessionId(id), userId: asUserId(userId), expires }), id)
      }
    }).pipe(withOptions({ session: { revocation: true } }))
  )

  it.effect("that cannot be revoked fails", () => {
    return Effect.gen(function* () {
      const { cookies } = yield* begin().pipe(withOptions({ session: { revocation: true } }))
      const { failure, over } = yield* (yield* ending(cookies)).end
      assert.strictEqual(failure?._tag, "SignOutError")
      assert.strictEqual(failure?.detail, "The session could not be revoked")
      assert.isDefined(failure?.cause)
      assert.isUndefined(over)
      const user = yield* Effect.result(sessions.user(yield* requestOf(cookies), makeMemory()))
      assert.strictEqual(user._tag, "Failure")
      assert.strictEqual((yield* Effect.result(read(cookies)))._tag, "Failure")
    }).pipe(withOptions({ session: { revocation: true }, sharedState: down }))
  })
})

describe("a stored user", () => {
  it.gen("who is gone has no session to link with", withOptions(), function* () {
    const { cookies } = yield* begin()
    const found = yield* sessions.user(yield* requestOf(cookies), {
      ...makeMemory(),
      getUser: () => Effect.succeed(Option.none())
    })
    assert.isUndefined(found)
  })
})

describe("a token that was opened before", () => {
  it.gen("is not opened again", withOptions(), function* () {
    const { cookies } = yield* begin()
    const services = yield* Effect.context<Services>()
    const opened = yield* within.open(services, yield* requestOf(cookies))
    const answer = yield* within.read(yield* contextOf(""), undefined, "always", opened)
    assert.strictEqual(answer.userId, "ada")
  })
})

describe("a token of a secret that is retired", () => {
  it.effect("is renewed at once, and links nothing", () =>
    Effect.gen(function* () {
      const { cookies } = yield* begin().pipe(withOptions({ secret: otherSecret }))
      const answer = yield* read(cookies)
      assert.isDefined(renewedTo(answer))
      const store = makeMemory()
      yield* store.createUser({ id: ada, email: "ada@example.com", emailVerified: null })
      const user = yield* sessions.user(yield* requestOf(cookies), store)
      assert.strictEqual(user?.user.id, "ada")
      assert.isUndefined(user?.subject)
    }).pipe(
      withOptions({
        secret,
        retiredSecrets: [{ secret: otherSecret, until: dateAt(now + day * 1000) }],
        session: { updateAge: 3600 }
      })
    )
  )
})

describe("claims in a format of the application", () => {
  const jti = "8c2d4a1e-3b5f-4c6d-9e7a-0f1b2c3d4e5f"
  const format = (claims: object) => ({ encode: async () => "a token", decode: async () => ({ ...claims }) as never })

  it.gen("get no mark, unless sessions can be revoked", function* () {
    const own = { jwt: format({ sub: "ada", jti }) }
    yield* TestClock.setTime(now)
    const answer = yield* read(`${cookie}=x`).pipe(withOptions(own))
    assert.strictEqual(answer.userId, "ada")
    assert.isUndefined(answer.mark)
    const revocable = yield* read(`${cookie}=x`).pipe(withOptions({ ...own, session: { revocation: true } }))
    assert.strictEqual(revocable.mark?.["sid"], jti)
  })

  it.effect("name a user by a text alone, and are renewed where they say no end", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const answer = yield* read(`${cookie}=x`)
      assert.isUndefined(answer.userId)
      assert.strictEqual(renewedTo(answer), now + day * 1000)
    }).pipe(withOptions({ jwt: format({ sub: 7, iat: now / 1000 }), session: { updateAge: 3600 } }))
  )
})

describe("what the log says", () => {
  const logged = (log: Log, tag: string) =>
    log.entries.filter(({ message }) => Object(message)._tag === tag || Object(message).name === tag)

  it.play("of a cookie that does not open: the failure each time, the advice once", visit(), function* ({ log }) {
    forgetAll()
    yield* read(`${cookie}=x`)
    const first = log.entries.length
    yield* read(`${cookie}=x`)
    assert.isAbove(logged(log, "JwtSessionError").length, 1)
    const warnings = log.entries.filter(({ level }) => level === "Warn")
    assert.lengthOf(warnings, 1)
    assert.isAbove(log.entries.length, first)
  })

  it.play("of a sign-out whose token could not be read, with its cause", visit(), function* ({ log }) {
    const context = yield* Effect.context<Services>()
    const unread = yield* within.ending(context, yield* requestOf(`${cookie}=x`), null)
    yield* unread.end
    const [entry, ...more] = logged(log, "SignOutError")
    assert.deepStrictEqual(more, [])
    const failure = Object(entry?.message)
    assert.strictEqual(failure.detail, "The token of the session that ended could not be read")
    assert.strictEqual(failure.blame, "request")
    assert.strictEqual(Object(failure.cause)._tag, "JwtSessionError")
    const { cookies } = yield* begin()
    yield* (yield* within.ending(context, yield* requestOf(cookies), null)).end
    assert.lengthOf(logged(log, "SignOutError"), 1)
  })
})
