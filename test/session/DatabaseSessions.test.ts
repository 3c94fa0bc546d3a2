/** Sessions in the rows of a store, method by method. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { dateAt } from "../../src/internal/DateAt.ts"
import { makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import type { Services } from "../../src/composition/Services.ts"
import { AdapterError, SharedStateError } from "../../src/Errors.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import type { ResponseCookie } from "../../src/http/Cookie.ts"
import { asSessionId, asUserId } from "../../src/models/Id.ts"
import { unknownAuthentication } from "../../src/session/Authentication.ts"
import { databaseSessions as sessions } from "../../src/session/DatabaseSessions.ts"
import { noSession } from "../../src/session/SessionStore.ts"
import { skipCSRFCheck } from "../../src/index.ts"
import { isRevoked, revoke } from "../../src/session/Revocation.ts"
import { endingToken } from "../../src/session/SessionMark.ts"
import { sessionSubject } from "../../src/session/SessionOwner.ts"
import { SharedState } from "../../src/SharedState.ts"
import type { AdapterMethod, AdapterShape } from "../../src/storage/AdapterShape.ts"
import { sessionIdOf } from "../../src/storage/Details.ts"
import { layer, options, site } from "../Visitor.ts"
import { inContext } from "./StoreInContext.ts"

const within = inContext(sessions)

const now = 1_800_000_000_000
const day = 86_400
const ada = asUserId("ada")
const token = "the-token-of-a-session"
const cookie = "__Host-authjs.session-token"
const minutes = 60_000

/** Runs a program with sessions in a store. */
const withStore =
  (adapter: AdapterShape, more: Partial<Options> = {}) =>
  <A, E>(program: Effect.Effect<A, E, Services>) =>
    Effect.provide(
      program,
      layer(
        options({ adapter, ...more, session: { strategy: "database", maxAge: day, updateAge: 0, ...more.session } })
      )
    )

/** A store with one user and one session, which may lack methods or fail in them. */
const storeWith = (
  row: { readonly sessionToken?: string; readonly expires?: number; readonly lastSeenAt?: Date } = {},
  lacking: ReadonlyArray<AdapterMethod> = [],
  failing: ReadonlyArray<AdapterMethod> = []
) => {
  const memory = makeMemory()
  const seed = Effect.gen(function* () {
    yield* TestClock.setTime(now)
    yield* memory.createUser({ id: ada, email: "ada@example.com", emailVerified: null })
    const { expires = now + day * 1000, lastSeenAt, sessionToken = token } = row
    yield* memory.createSession({
      sessionToken,
      userId: ada,
      expires: dateAt(expires),
      ...(lastSeenAt === undefined ? {} : { lastSeenAt })
    })
  })
  const failures = Object.fromEntries(
    failing.map((method) => [
      method,
      () => Effect.fail(new AdapterError({ method, reason: "unavailable", detail: "down" }))
    ])
  )
  const adapter: AdapterShape = {
    ...memory,
    methods: new Set([...memory.methods].filter((method) => !lacking.includes(method))),
    ...failures
  }
  const stored = (sessionToken = token) => Effect.map(memory.getSessionAndUser(sessionToken), Option.getOrUndefined)
  return { memory, adapter, seed, stored, at: withStore(adapter) }
}

const requestWith = (headers: Record<string, string>) =>
  fromWeb(new Request(`${site}/auth/session`, { headers }), "/auth")
const requestOf = (value: string) => requestWith(value === "" ? {} : { cookie: `${cookie}=${value}` })

/** The services of a configuration, and a request whose cookie has a value. */
const contextOf = Effect.fnUntraced(function* (value: string) {
  return Context.add(yield* Effect.context<Services>(), AuthRequest, yield* requestOf(value))
})

const read = Effect.fnUntraced(function* (value: string, renewal: "always" | "due" | "never" = "always") {
  return yield* within.read(yield* contextOf(value), undefined, renewal, undefined)
})

const brief = (cookies: ReadonlyArray<ResponseCookie>) =>
  cookies.map(({ name, options: { expires, maxAge }, value }) => [name, value, maxAge ?? expires?.getTime()])

describe("a session that begins", () => {
  it.play("has the cookie of its row, and removes what else the browser has", storeWith(), function* ({ seed }) {
    yield* seed
    const account = { provider: "acme", providerAccountId: "1", type: "oauth" as const }
    const user = { id: ada, email: "ada@example.com" }
    const signIn = {
      user,
      account,
      isNewUser: false,
      authentication: unknownAuthentication,
      needsId: false,
      isRemembered: true
    }
    const bound = "8c2d4a1e-3b5f-4c6d-9e7a-0f1b2c3d4e5f"
    const row = { sessionToken: bound, userId: ada, expires: dateAt(now + 5000) }
    const request = yield* requestWith({ cookie: `${cookie}=x; ${cookie}.0=a; ${cookie}.1=b` })
    const context = Context.add(yield* Effect.context<Services>(), AuthRequest, request)
    const begun = yield* within.begin(context, { ...signIn, row })
    assert.deepStrictEqual(begun.session, { id: sessionIdOf(bound), userId: ada, token: bound })
    assert.deepStrictEqual(brief(begun.cookies), [
      [`${cookie}.0`, "", 0],
      [`${cookie}.1`, "", 0],
      [cookie, bound, now + 5000]
    ])
    assert.deepStrictEqual(yield* within.begin(context, { ...signIn, row: undefined }), {
      cookies: [],
      session: undefined
    })
  })
})

describe("more cookies than an answer removes", () => {
  const many = Array.from({ length: 18 }, (_, at) => `${cookie}.${at}=x`).join("; ")

  it.play("are removed in part, beside a new session and without one", storeWith(), function* ({ seed }) {
    yield* seed
    const request = yield* requestWith({ cookie: many })
    const context = Context.add(yield* Effect.context<Services>(), AuthRequest, request)
    const account = { provider: "acme", providerAccountId: "1", type: "oauth" as const }
    const row = { sessionToken: token, userId: ada, expires: dateAt(now) }
    const user = { id: ada }
    const authentication = unknownAuthentication
    const begun = yield* within.begin(context, {
      user,
      account,
      isNewUser: false,
      authentication,
      needsId: false,
      isRemembered: true,
      row
    })
    assert.lengthOf(begun.cookies, 15)
    const { cookies } = yield* within.read(context, undefined, "always", undefined)
    assert.lengthOf(cookies, 15)
  })

  it.play("stay where there is no session cookie", storeWith(), function* ({ seed }) {
    yield* seed
    const request = yield* requestWith({ cookie: "other=x" })
    const context = Context.add(yield* Effect.context<Services>(), AuthRequest, request)
    assert.deepStrictEqual((yield* within.read(context, undefined, "always", undefined)).cookies, [])
  })
})

describe("a session that is read", () => {
  it.effect("shows the callback no details that the library keeps of it", () => {
    const { adapter, seed } = storeWith({ lastSeenAt: dateAt(now) })
    const shown: Array<string> = []
    return Effect.gen(function* () {
      yield* seed
      yield* read(token)
      assert.deepStrictEqual(shown.toSorted(), ["expires", "user", "userId"])
    }).pipe(
      withStore(adapter, {
        callbacks: {
          session: ({ session }) => {
            shown.push(...Object.keys(session))
            return session
          }
        }
      })
    )
  })

  it.play("is none without a cookie, and asks no store", storeWith({}, [], ["getSessionAndUser"]), function* () {
    assert.strictEqual(yield* read(""), noSession)
  })

  for (const [what, row, value] of [
    ["the store does not know", {}, "another-token"],
    ["has ended", { expires: now }, token],
    ["is at its absolute end", { sessionToken: endingToken(token, now), expires: now + 1 }, endingToken(token, now)]
  ] as const) {
    it.play(`is none where it ${what}, and its cookie goes`, storeWith(row), function* ({ adapter, seed, stored }) {
      yield* seed
      assert.isUndefined(yield* sessions.user(yield* requestOf(value), adapter))
      const answer = yield* read(value)
      assert.isNull(answer.session)
      assert.deepStrictEqual(brief(answer.cookies), [[cookie, "", 0]])
      assert.isUndefined(yield* stored(value))
    })
  }

  it.effect("is none where it has ended, also while its row cannot be deleted", () => {
    const { adapter, seed } = storeWith({ expires: now - 1 }, [], ["deleteSession"])
    return Effect.gen(function* () {
      yield* seed
      assert.isNull((yield* read(token)).session)
    }).pipe(withStore(adapter))
  })

  it.play("is none where it is revoked", storeWith(), function* ({ adapter, seed }) {
    yield* seed
    yield* revoke(token, now + 1000)
    assert.isNull((yield* read(token)).session)
    assert.isUndefined(yield* sessions.user(yield* requestOf(token), adapter))
    assert.deepStrictEqual(yield* sessions.owners(yield* requestOf(token), [token]), [])
  })

  it.play("is its user's, with the token where only code that asks by name finds it", storeWith(), function* (scene) {
    const { adapter, seed } = scene
    yield* seed
    const answer = yield* read(token)
    assert.strictEqual(answer.userId, "ada")
    assert.strictEqual(answer.sessionToken, token)
    assert.notInclude(answer.json.text(), token)
    const user = yield* sessions.user(yield* requestOf(token), adapter)
    assert.strictEqual(user?.user.id, "ada")
    assert.strictEqual(user?.subject, sessionSubject(token))
    assert.strictEqual(user?.sessionToken, token)
  })

  for (const [left, renewal, isRenewed] of [
    [day - 3600, "always", true],
    [day - 3600, "due", true],
    [day - 3600, "never", false],
    [day - 3599, "always", false]
  ] as const) {
    it.effect(`with ${left} s left is ${isRenewed ? "" : "not "}renewed: ${renewal}`, () => {
      const { adapter, seed, stored } = storeWith({ expires: now + left * 1000 })
      return Effect.gen(function* () {
        yield* seed
        const { cookies } = yield* read(token, renewal)
        const end = isRenewed ? now + day * 1000 : now + left * 1000
        assert.strictEqual((yield* stored())?.session.expires.getTime(), end)
        assert.deepStrictEqual(brief(cookies), isRenewed ? [[cookie, token, end]] : [])
      }).pipe(withStore(adapter, { session: { updateAge: 3600 } }))
    })
  }

  it.effect("is renewed to its absolute end, and not written again there", () => {
    const end = now + 7200_000
    const ending = endingToken(token, end)
    const { adapter, seed, stored } = storeWith({ sessionToken: ending, expires: now + 1000 })
    return Effect.gen(function* () {
      yield* seed
      assert.lengthOf((yield* read(ending)).cookies, 1)
      assert.strictEqual((yield* stored(ending))?.session.expires.getTime(), end)
      assert.deepStrictEqual((yield* read(ending)).cookies, [])
    }).pipe(withStore(adapter))
  })

  it.effect("is none where its row is gone when it is renewed", () => {
    const { adapter, seed } = storeWith({ expires: now + 1000 })
    const losing: AdapterShape = { ...adapter, updateSession: () => Effect.succeed(Option.none()) }
    return Effect.gen(function* () {
      yield* seed
      const answer = yield* read(token)
      assert.isNull(answer.session)
      assert.deepStrictEqual(brief(answer.cookies), [[cookie, "", 0]])
    }).pipe(withStore(losing))
  })

  for (const [lastSeen, renewal, isTouched] of [
    [now - 5 * minutes, "always", true],
    [now - 5 * minutes + 1, "always", false],
    [now - 5 * minutes, "never", false],
    [undefined, "always", true]
  ] as const) {
    it.effect(`last seen at ${lastSeen} is ${isTouched ? "" : "not "}written as seen now: ${renewal}`, () => {
      const { adapter, seed, stored } = storeWith(lastSeen === undefined ? {} : { lastSeenAt: dateAt(lastSeen) })
      return Effect.gen(function* () {
        yield* seed
        yield* read(token, renewal)
        const at: unknown = Reflect.get(Object((yield* stored())?.session), "lastSeenAt")
        assert.strictEqual(at instanceof Date ? at.getTime() : undefined, isTouched ? now : lastSeen)
      }).pipe(withStore(adapter))
    })
  }

  it.effect("goes on where the store cannot write that it was seen", () => {
    const failing = storeWith({}, [], ["touchSession"])
    const lacking = storeWith({}, ["touchSession"])
    const untouched: AdapterShape = {
      ...lacking.adapter,
      touchSession: () => Effect.die("the store has no such method")
    }
    return Effect.gen(function* () {
      yield* failing.seed
      assert.strictEqual((yield* read(token)).userId, "ada")
      yield* lacking.seed
      assert.strictEqual((yield* read(token).pipe(withStore(untouched))).userId, "ada")
    }).pipe(withStore(failing.adapter))
  })

  it.play("fails with what the store failed with", storeWith({}, [], ["getSessionAndUser"]), function* ({ seed }) {
    yield* seed
    const failure = yield* Effect.flip(read(token))
    assert.strictEqual(failure._tag, "SessionTokenError")
    assert.strictEqual(failure.detail, "down")
    assert.strictEqual(Reflect.get(Object(failure.cause), "_tag"), "AdapterError")
  })
})

describe("what callbacks.session answers", () => {
  const cyclic: Record<string, unknown> = {}
  cyclic["self"] = cyclic
  const short = "a token"
  for (const [what, sessionToken, answer, outcome] of [
    ["no object", token, "signed in", "must return a session"],
    ["what JSON cannot hold", token, cyclic, "that JSON can represent"],
    ["the token within a text", token, { note: `it is ${token}!` }, "must not return the token"],
    ["a short token as a text of its own", short, { note: short }, "must not return the token"],
    ["a short token within a text", short, { note: `it is ${short}!` }, "{"],
    [
      "a token of 16 characters within a text",
      "x".repeat(16),
      { note: `it is ${"x".repeat(16)}` },
      "not return the token"
    ],
    ["an object that is nothing in JSON", token, { toJSON: () => undefined }, "null"],
    ["nobody", token, null, "null"]
  ] as const) {
    it.effect(`${what} leads to: ${outcome}`, () => {
      const { adapter, seed } = storeWith({ sessionToken })
      return Effect.gen(function* () {
        yield* seed
        const result = yield* Effect.result(read(encodeURIComponent(sessionToken)))
        if (result._tag === "Success") assert.isTrue(result.success.json.text().startsWith(outcome), outcome)
        else {
          assert.strictEqual(result.failure._tag, "SessionTokenError")
          assert.include(result.failure.detail, outcome)
          assert.notStrictEqual(Reflect.get(Object(result.failure.cause), "_tag"), "SessionTokenError")
        }
      }).pipe(withStore(adapter, { callbacks: { session: () => answer as never } }))
    })
  }
})

describe("the candidates of one cookie", () => {
  it.play("open as sessions that have not ended", storeWith(), function* ({ memory, seed }) {
    yield* seed
    const long = "x".repeat(512)
    const longer = "x".repeat(513)
    for (const [sessionToken, expires] of [
      [long, now + 1],
      [longer, now + 1],
      ["an ended session", now]
    ] as const) {
      yield* memory.createSession({ sessionToken, userId: ada, expires: dateAt(expires) })
    }
    const opened = yield* sessions.owners(yield* requestOf(token), [token, long, longer, "an ended session", "none"])
    assert.deepStrictEqual(opened, [ada, ada])
  })
})

describe("the sessions of a user", () => {
  const two = Effect.fnUntraced(function* ({ memory, seed }: ReturnType<typeof storeWith>) {
    yield* seed
    yield* memory.createSession({ sessionToken: "the-second-token", userId: ada, expires: dateAt(now + 1000) })
  })
  const id = sessionIdOf(token)

  it.effect("are listed and ended one by one", () => {
    const here = storeWith()
    return Effect.gen(function* () {
      yield* two(here)
      assert.lengthOf(yield* sessions.list(ada), 2)
      assert.isFalse(yield* sessions.hasEnded({ id, userId: ada, expires: null as never }))
      assert.isTrue(yield* sessions.end({ userId: ada, id: id }))
      assert.isFalse(yield* sessions.end({ userId: ada, id: id }))
      assert.isTrue(yield* sessions.hasEnded({ id, userId: ada, expires: null as never }))
      assert.lengthOf(yield* sessions.list(ada), 1)
      yield* sessions.endAll(ada)
      assert.deepStrictEqual(yield* sessions.list(ada), [])
    }).pipe(withStore(here.adapter))
  })

  for (const [what, except, left] of [
    ["a session of the store", token, [token]],
    ["no session", undefined, [token, "the-second-token"]],
    ["a session that has ended", "an unknown token", [token, "the-second-token"]]
  ] as const) {
    it.effect(`end but for ${what}`, () => {
      const here = storeWith()
      return Effect.gen(function* () {
        yield* two(here)
        yield* sessions.endAll(ada, { id: undefined, generation: undefined, token: except })
        for (const one of [token, "the-second-token"]) {
          assert.strictEqual(
            (yield* here.stored(one)) !== undefined,
            (left as ReadonlyArray<string>).includes(one),
            one
          )
        }
      }).pipe(withStore(here.adapter))
    })
  }

  for (const [what, session, hasEnded] of [
    ["its token", { id: "-", userId: undefined, token }, true],
    ["its id and its user", { id, userId: ada }, true],
    ["its id alone", { id, userId: undefined }, false],
    ["the id of none", { id: asSessionId("-"), userId: ada }, false]
  ] as const) {
    it.effect(`end by ${what}: ${hasEnded}`, () => {
      const ended = storeWith()
      return Effect.gen(function* () {
        yield* ended.seed
        yield* sessions.end(session)
        assert.strictEqual((yield* ended.stored()) === undefined, hasEnded)
      }).pipe(withStore(ended.adapter))
    })
  }

  it.effect("end by no id of an unknown user", () => {
    const { adapter, seed } = storeWith()
    return Effect.gen(function* () {
      yield* seed
      yield* sessions.end({ id, userId: undefined })
    }).pipe(withStore({ ...adapter, endSession: () => Effect.die("no user is known") }))
  })

  it.effect("cannot be listed or ended where the store lacks the methods", () => {
    const { adapter, seed } = storeWith({}, ["listSessions", "endSession", "deleteSessions"])
    return Effect.gen(function* () {
      yield* seed
      for (const [program, method] of [
        [Effect.asVoid(sessions.list(ada)), "listSessions"],
        [Effect.asVoid(sessions.end({ userId: ada, id: id })), "endSession"],
        [sessions.endAll(ada), "deleteSessions"],
        [sessions.endAll(ada, { id: undefined, generation: undefined, token }), "deleteSessions"]
      ] as const) {
        const failure = yield* Effect.flip(program)
        assert.strictEqual(failure._tag, "MissingAdapterMethods")
        assert.strictEqual(Reflect.get(failure, "field"), "adapter")
        assert.include(failure.detail, method)
      }
    }).pipe(withStore(adapter))
  })
})

describe("a sign-out", () => {
  const bearer = (value: string) => `Bearer ${value}`
  const ending = Effect.fnUntraced(function* (value: string, authorization: string | null, refused?: Array<string>) {
    const context = yield* Effect.context<Services>()
    const request = yield* requestOf(value)
    return yield* within.ending(
      context,
      refused === undefined ? request : { ...request, refusedSessions: refused },
      authorization
    )
  })

  for (const [what, value, authorization, isOfBrowser, id] of [
    ["a cookie", token, null, true, sessionIdOf(token)],
    ["a header", "", bearer(token), false, sessionIdOf(token)],
    ["a header and a cookie", "another-token", bearer(token), true, sessionIdOf(token)],
    ["neither", "", null, true, undefined],
    ["a header that names no session", "", bearer("another-token"), true, undefined]
  ] as const) {
    it.play(`by ${what} ends the session of it`, storeWith(), function* ({ seed, stored }) {
      yield* seed
      const found = yield* ending(value, authorization)
      assert.isUndefined(found.refusal)
      assert.isUndefined(found.opened)
      assert.strictEqual(found.isOfBrowser, isOfBrowser)
      const { failure, over } = yield* found.end
      assert.isUndefined(failure)
      assert.strictEqual(over?.idOf(), id)
      assert.strictEqual(over === undefined, id === undefined)
      assert.strictEqual((yield* stored()) === undefined, id !== undefined)
      if (id !== undefined) assert.strictEqual(over?.userId, "ada")
    })
  }

  it.effect("by a header is refused where it names no session and forms are not checked", () => {
    const { adapter, seed } = storeWith({ expires: now + 1 })
    return Effect.gen(function* () {
      yield* seed
      assert.include((yield* ending("", bearer("another-token"))).refusal?.detail, "holds no session of this site")
      assert.isUndefined((yield* ending("", bearer(token))).refusal)
      assert.isUndefined((yield* ending("", null)).refusal)
      assert.isUndefined((yield* ending(token, bearer("another-token"))).refusal)
      yield* TestClock.setTime(now + 1)
      assert.isDefined((yield* ending("", bearer(token))).refusal)
      assert.isDefined((yield* ending("", bearer("x".repeat(513)))).refusal)
    }).pipe(withStore(adapter, { skipCSRFCheck }))
  })

  it.play("by a header counts up to the longest token", storeWith(), function* ({ memory, seed }) {
    yield* seed
    for (const [length, isOfBrowser] of [
      [512, false],
      [513, true]
    ] as const) {
      const sessionToken = "x".repeat(length)
      yield* memory.createSession({ sessionToken, userId: ada, expires: dateAt(now + 1000) })
      assert.strictEqual((yield* ending("", bearer(sessionToken))).isOfBrowser, isOfBrowser)
    }
  })

  it.effect("ends the sessions that were refused beside each other, but none that is too long", () => {
    const { adapter, memory, seed, stored } = storeWith()
    const long = "x".repeat(512)
    return Effect.gen(function* () {
      yield* seed
      for (const sessionToken of [long, `${long}x`]) {
        yield* memory.createSession({ sessionToken, userId: ada, expires: dateAt(now + 1000) })
      }
      const { end, isOfBrowser } = yield* ending("", bearer(token), [long, `${long}x`])
      assert.isTrue(isOfBrowser)
      yield* end
      assert.isUndefined(yield* stored(long))
      assert.isDefined(yield* stored(`${long}x`))
      assert.isUndefined((yield* (yield* ending("", null, [`${long}x`])).end).over)
      assert.isDefined((yield* (yield* ending("", null, [long])).end).over)
    }).pipe(withStore(adapter))
  })

  it.effect("whose row cannot be deleted revokes the session for its longest time, and fails", () => {
    const { adapter, seed } = storeWith({}, [], ["deleteSession"])
    return Effect.gen(function* () {
      yield* seed
      const { cookies, failure, over } = yield* (yield* ending(token, null)).end
      assert.strictEqual(failure?._tag, "SignOutError")
      assert.strictEqual(failure?.detail, "The session could not be deleted")
      assert.isDefined(failure?.cause)
      assert.isUndefined(over)
      assert.isTrue(cookies.some(({ name, value }) => name === cookie && value === ""))
      const state = yield* SharedState
      assert.isTrue(yield* isRevoked(state, token))
      yield* TestClock.setTime(now + day * 1000 - 1)
      assert.isTrue(yield* isRevoked(state, token))
      yield* TestClock.setTime(now + 2 * day * 1000)
      assert.isFalse(yield* isRevoked(state, token))
    }).pipe(withStore(adapter))
  })

  it.effect("counts a header whose session cannot be looked for", () => {
    const { adapter, seed } = storeWith({}, [], ["getSessionAndUser"])
    return Effect.gen(function* () {
      yield* seed
      assert.isFalse((yield* ending("", bearer(token))).isOfBrowser)
    }).pipe(withStore(adapter))
  })
})

describe("a revocation", () => {
  it.gen("that cannot be marked is logged", function* () {
    const state = yield* SharedState
    const down = { ...state, mark: () => Effect.fail(new SharedStateError({ reason: "unavailable", detail: "down" })) }
    yield* revoke(token, Number.MAX_SAFE_INTEGER).pipe(Effect.provideService(SharedState, down))
    assert.isFalse(yield* isRevoked(state, token))
  })

  it.gen("whose time is over marks nothing", function* () {
    const marks: Array<string> = []
    yield* TestClock.setTime(now)
    const state = yield* SharedState
    const counting = {
      ...state,
      mark: (...call: Parameters<typeof state.mark>) => Effect.sync(() => void marks.push(call[1]))
    }
    for (const until of [now - 1, now, now + 1]) {
      yield* revoke(`until ${until}`, until).pipe(Effect.provideService(SharedState, counting))
    }
    assert.deepStrictEqual(marks, [`until ${now + 1}`])
  })
})
