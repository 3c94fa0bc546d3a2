/** The session of a sign-in in a store: its token, its end, and the session before it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { dateAt } from "../../src/internal/DateAt.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { type Options, Settings } from "../../src/config/Settings.ts"
import { AdapterError } from "../../src/Errors.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import { asUserId } from "../../src/models/Id.ts"
import { unknownAuthentication } from "../../src/session/Authentication.ts"
import { prepare } from "../../src/session/BeginRow.ts"
import { isRevoked } from "../../src/session/Revocation.ts"
import { endOfToken } from "../../src/session/SessionMark.ts"
import type { NewSession, RepeatableSignIn } from "../../src/session/SessionStore.ts"
import { SharedState } from "../../src/SharedState.ts"
import type { AdapterMethod, AdapterShape } from "../../src/storage/AdapterShape.ts"
import type { Steps } from "../../src/storage/Steps.ts"
import { ClientAddress } from "../../src/telemetry/AuditEmitter.ts"
import { layer, options, site } from "../Visitor.ts"

const instant = 1_800_000_030_500
const ada = asUserId("ada")
const uuid = "8c2d4a1e-3b5f-4c6d-9e7a-0f1b2c3d4e5f"
const day = 86_400

type SessionOptions = NonNullable<Options["session"]>

const withSession = (session: SessionOptions = {}) =>
  Effect.provide(layer(options({ adapter: makeMemory(), session: { strategy: "database", ...session } })))

const storeWith = Effect.fnUntraced(function* (lacking: ReadonlyArray<AdapterMethod> = []) {
  const memory = makeMemory()
  yield* memory.createUser({ id: ada, email: "ada@example.com", emailVerified: null })
  yield* memory.createUser({ id: asUserId("eve"), email: "eve@example.com", emailVerified: null })
  const adapter: AdapterShape = {
    ...memory,
    methods: new Set([...memory.methods].filter((method) => !lacking.includes(method)))
  }
  return { memory, adapter }
})

/** Steps that are never taken back, and those that were taken. */
const steps: Steps = { take: (step) => step }

/** Prepares a session, and starts it. */
const begin = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  more: Partial<NewSession> = {},
  repeatable?: RepeatableSignIn,
  taking = steps
) {
  const request = yield* fromWeb(
    new Request(`${site}/auth/session`, { headers: { "user-agent": "a browser" } }),
    "/auth"
  )
  const prepared = yield* prepare(yield* Settings, adapter, repeatable, true)
  const session = { userId: ada, current: undefined, authentication: unknownAuthentication, ...more }
  return yield* prepared
    .start(taking, session)
    .pipe(Effect.provideService(AuthRequest, request), Effect.provideService(ClientAddress, "192.0.2.1"))
})

describe("the token of a new session", () => {
  for (const length of [16, 512]) {
    it.effect(`is that of the application, with ${length} characters`, () =>
      Effect.gen(function* () {
        const { adapter } = yield* storeWith()
        assert.strictEqual((yield* begin(adapter)).sessionToken, "x".repeat(length))
        const repeatable = { sessionToken: uuid, repeats: true }
        const { adapter: other } = yield* storeWith()
        assert.strictEqual((yield* begin(other, {}, repeatable)).sessionToken, "x".repeat(length))
      }).pipe(withSession({ generateSessionToken: () => "x".repeat(length) }))
    )
  }

  for (const [what, generate, detail] of [
    ["15 characters", () => "x".repeat(15), "must return 16 to 512 characters"],
    ["513 characters", () => "x".repeat(513), "must return 16 to 512 characters"],
    ["no text", () => Array.from({ length: 20 }, () => "x"), "must return 16 to 512 characters"],
    [
      "a failure",
      () => {
        throw new Error("no entropy")
      },
      "session.generateSessionToken failed"
    ]
  ] as const) {
    it.gen(`is not made of ${what}`, withSession({ generateSessionToken: generate as () => string }), function* () {
      const { adapter } = yield* storeWith()
      const failure = yield* Effect.flip(prepare(yield* Settings, adapter, undefined, true))
      assert.strictEqual(failure._tag, "CallbackRouteError")
      assert.include(failure.detail, detail)
      assert.strictEqual(failure.cause !== undefined, what === "a failure")
    })
  }

  it.gen("is a random UUID", withSession(), function* () {
    const { adapter } = yield* storeWith()
    const first = yield* begin(adapter)
    const second = yield* begin(adapter)
    assert.match(first.sessionToken, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.notStrictEqual(first.sessionToken, second.sessionToken)
  })

  it.gen("names the absolute end of the session", withSession({ absoluteMaxAge: day, maxAge: 2 * day }), function* () {
    yield* TestClock.setTime(instant)
    const { adapter } = yield* storeWith()
    const { expires, sessionToken } = yield* begin(adapter)
    assert.strictEqual(endOfToken(sessionToken), Math.floor((instant + day * 1000) / 1000) * 1000)
    assert.strictEqual(expires.getTime(), instant + day * 1000)
  })
})

describe("the row of a new session", () => {
  it.effect("ends after maxAge, and says how and when the user was authenticated", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(instant)
      const { adapter, memory } = yield* storeWith()
      const authentication = { at: instant - 5000, amr: ["pwd", "otp"], acr: "urn:example:2" }
      const { sessionToken } = yield* begin(adapter, { authentication })
      const { session } = Option.getOrThrow(yield* memory.getSessionAndUser(sessionToken))
      const { acr, amr, authenticatedAt, clientAddress, createdAt, expires, lastSeenAt, userAgent } = Object(session)
      assert.deepStrictEqual(
        [acr, amr, authenticatedAt, clientAddress, createdAt, expires, lastSeenAt, userAgent],
        [
          "urn:example:2",
          "pwd otp",
          dateAt(instant - 5000),
          "192.0.2.1",
          dateAt(instant),
          dateAt(instant + day * 1000),
          dateAt(instant),
          "a browser"
        ]
      )
    }).pipe(withSession({ maxAge: day, absoluteMaxAge: 2 * day }))
  )

  it.effect("says nothing of an unknown authentication, nor anything where the store has no columns for it", () =>
    Effect.gen(function* () {
      const able = yield* storeWith()
      const row = Object(yield* begin(able.adapter))
      assert.isUndefined(row.authenticatedAt)
      assert.isUndefined(row.amr)
      assert.isDefined(row.createdAt)
      const unable = yield* storeWith(["touchSession"])
      assert.hasAllKeys(yield* begin(unable.adapter), ["sessionToken", "userId", "expires"])
    }).pipe(withSession({ maxAge: day }))
  )

  it.gen("is taken back by its token", withSession(), function* () {
    const { adapter, memory } = yield* storeWith()
    const undone: Steps = { take: (step, back) => Effect.tap(step, () => back) }
    const { sessionToken } = yield* begin(adapter, {}, undefined, undone)
    assert.isTrue(Option.isNone(yield* memory.getSessionAndUser(sessionToken)))
  })

  it.gen("is started for its user alone", withSession(), function* () {
    const { adapter } = yield* storeWith()
    const request = yield* fromWeb(new Request(`${site}/auth/session`), "/auth")
    const prepared = yield* prepare(yield* Settings, adapter, undefined, true)
    assert.isFalse(yield* prepared.isStarted("ada"))
    yield* prepared
      .start(steps, { userId: ada, current: undefined, authentication: unknownAuthentication })
      .pipe(Effect.provideService(AuthRequest, request))
    assert.isTrue(yield* prepared.isStarted("ada"))
    assert.isFalse(yield* prepared.isStarted("eve"))
  })
})

describe("the session of a sign-in that may be repeated", () => {
  const first = { sessionToken: uuid, repeats: false }
  const again = { sessionToken: uuid, repeats: true }
  const minuteOf = (time: number) => Math.floor(time / 60_000) * 60_000

  it.gen("is found again within the next minute, by the same user", withSession({ absoluteMaxAge: day }), function* () {
    yield* TestClock.setTime(instant)
    const { adapter } = yield* storeWith()
    const { sessionToken } = yield* begin(adapter, {}, first)
    assert.isTrue(sessionToken.startsWith(uuid))
    assert.strictEqual(endOfToken(sessionToken), minuteOf(instant) + day * 1000)
    for (const later of [0, 59_000]) {
      yield* TestClock.setTime(instant + later)
      assert.strictEqual((yield* begin(adapter, {}, again)).sessionToken, sessionToken)
    }
    const failure = yield* Effect.flip(begin(adapter, { userId: asUserId("eve") }, again))
    assert.strictEqual(failure._tag, "Verification")
    assert.include(failure.detail, "has ended")
    yield* TestClock.setTime(instant + 120_000)
    assert.strictEqual((yield* Effect.flip(begin(adapter, {}, again)))._tag, "Verification")
  })

  it.gen("is not found again once it has ended", withSession(), function* () {
    const { adapter, memory } = yield* storeWith()
    const { sessionToken } = yield* begin(adapter, {}, first)
    yield* memory.deleteSession(sessionToken)
    assert.strictEqual((yield* Effect.flip(begin(adapter, {}, again)))._tag, "Verification")
  })
})

describe("the session that the browser had before", () => {
  const before = "the token of the session before"
  const current = {
    user: { id: ada, email: "ada@example.com", emailVerified: null },
    subject: undefined,
    sessionToken: before,
    authentication: unknownAuthentication
  }
  const withBefore = Effect.fnUntraced(function* (lacking: ReadonlyArray<AdapterMethod> = []) {
    const world = yield* storeWith(lacking)
    yield* world.memory.createSession({ sessionToken: before, userId: ada, expires: dateAt(2e12) })
    return world
  })
  const down = () => Effect.fail(new AdapterError({ method: "deleteSession", reason: "unavailable", detail: "down" }))

  it.gen("ends with the new one", withSession(), function* () {
    const { adapter, memory } = yield* withBefore()
    yield* begin(adapter, { current })
    assert.isTrue(Option.isNone(yield* memory.getSessionAndUser(before)))
  })

  it.gen("stays where there is no new one to replace it", withSession(), function* () {
    const { adapter, memory } = yield* withBefore()
    yield* begin(adapter, { current: { ...current, sessionToken: undefined } })
    assert.isTrue(Option.isSome(yield* memory.getSessionAndUser(before)))
  })

  it.gen("that cannot be deleted fails the unit of work where the store takes it back", withSession(), function* () {
    const { adapter } = yield* withBefore()
    const failure = yield* Effect.flip(begin({ ...adapter, deleteSession: down }, { current }))
    assert.strictEqual(failure._tag, "AdapterError")
    assert.isFalse(yield* isRevoked(yield* SharedState, before))
  })

  it.effect("that cannot be deleted is revoked where the store has no transactions", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(instant)
      const { adapter } = yield* withBefore(["transaction"])
      yield* begin({ ...adapter, deleteSession: down }, { current })
      const state = yield* SharedState
      assert.isTrue(yield* isRevoked(state, before))
      yield* TestClock.setTime(instant + day * 1000 - 1)
      assert.isTrue(yield* isRevoked(state, before))
    }).pipe(withSession({ maxAge: day }))
  )
})
