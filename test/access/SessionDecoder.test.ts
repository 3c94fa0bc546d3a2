import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import * as Access from "../../src/Access.ts"
import { authenticationOf, decodeSession, type Found, idOf } from "../../src/access/SessionDecoder.ts"
import { asUserId } from "../../src/models/Id.ts"
import { sessionIdOf } from "../../src/storage/Details.ts"

const expires = "2030-01-01T00:00:00.000Z"
const at = Date.parse(expires)

const found = (session: unknown, more: Partial<Found> = {}): Found => ({
  json: { value: () => session, text: () => JSON.stringify(session) },
  userId: asUserId("1"),
  sessionToken: "a-token",
  name: "a-token",
  via: "cookie",
  authentication: { at: undefined, amr: [], acr: undefined },
  decoded: [],
  ...more
})

class Staff extends Access.Service<Staff>()("staff", {
  user: Schema.Struct({ id: Schema.String, name: Schema.optionalKey(Schema.String) }),
  claims: Schema.Struct({ team: Schema.optionalKey(Schema.String) })
}) {}

class Anything extends Access.Service<Anything>()("anything", { user: Schema.Unknown }) {}

/** Runs a program, and collects the errors of its log. */
const logged = <A, E>(program: (services: Context.Context<never>) => Effect.Effect<A, E>) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))
  return Effect.gen(function* () {
    const services = yield* Effect.context<never>()
    return { exit: yield* Effect.exit(program(services)), lines }
  }).pipe(Effect.provide(Logger.layer([logger])))
}

describe("a session that fits its schemas", () => {
  it.gen("is decoded with its id, its end and how it began", function* () {
    const session = yield* decodeSession(
      Staff,
      found(
        { user: { id: "7", name: "Ann" }, expires, team: "doors" },
        { generation: 3, authentication: { at: 5000, amr: ["pwd"], acr: "high" } }
      )
    )
    assert.deepStrictEqual(session.user, { id: "7", name: "Ann" })
    assert.deepStrictEqual(session.claims, { team: "doors" })
    assert.deepInclude<object>(session, { userId: "1", id: sessionIdOf("a-token"), generation: 3, via: "cookie" })
    assert.deepInclude(session, { amr: ["pwd"], acr: "high" })
    assert.strictEqual(session.expires.epochMilliseconds, at)
    assert.strictEqual(session.authenticatedAt?.epochMilliseconds, 5000)
  })

  it.gen("ends when the library said so, unless the callback wrote another end", function* () {
    const same = yield* decodeSession(Staff, found({ expires }, { end: { text: expires, at: at + 1 } }))
    assert.strictEqual(same.expires.epochMilliseconds, at + 1)
    const written = "2031-01-01T00:00:00.000Z"
    const changed = yield* decodeSession(Staff, found({ expires: written }, { end: { text: expires, at } }))
    assert.strictEqual(changed.expires.epochMilliseconds, Date.parse(written))
    assert.isTrue(DateTime.isUtc(changed.expires))
  })

  it.gen("has a user with the id of its row where the callback gave none", function* () {
    const users: ReadonlyArray<readonly [user: unknown, decoded: unknown]> = [
      [undefined, { id: "1" }],
      [{}, { id: "1" }],
      [{ id: "7" }, { id: "7" }],
      [null, null],
      ["Ann", "Ann"],
      [["Ann"], ["Ann"]],
      [5, 5]
    ]
    for (const [user, decoded] of users) {
      assert.deepStrictEqual((yield* decodeSession(Anything, found({ user, expires }))).user, decoded)
    }
  })

  it.gen("is decoded once for each access", function* () {
    const one = found({ user: { name: "Ann" }, expires })
    const staff = yield* decodeSession(Staff, one)
    const anything = yield* decodeSession(Anything, one)
    assert.notStrictEqual<unknown>(anything, staff)
    assert.strictEqual(yield* decodeSession(Staff, one), staff)
    assert.strictEqual(yield* decodeSession(Anything, one), anything)
    assert.strictEqual(one.decoded.length, 2)
  })

  it("has the id of its name", () => {
    assert.strictEqual(idOf({ name: "a-token" }), sessionIdOf("a-token"))
  })

  it("says when its user signed in, where that is known", () => {
    const nothing = { at: undefined, amr: [], acr: undefined }
    assert.deepStrictEqual(authenticationOf({ authentication: nothing }), {
      authenticatedAt: undefined,
      amr: [],
      acr: undefined
    })
    const { authenticatedAt } = authenticationOf({ authentication: { ...nothing, at: 0 } })
    assert.strictEqual(authenticatedAt?.epochMilliseconds, 0)
  })
})

describe("a session of another shape", () => {
  const mismatches: ReadonlyArray<readonly [session: unknown, places: string]> = [
    [{ user: { id: 5, name: 6 }, expires }, "id"],
    [{ user: "Ann", expires }, "the whole"],
    [{ user: {}, expires, team: 5 }, "team"],
    [{ user: {}, expires: "soon" }, "expires"],
    [{ user: {}, expires: 5 }, "expires"],
    [{ user: {} }, "expires"],
    [[], "expires"],
    ["Ann", "expires"]
  ]
  for (const [session, place] of mismatches) {
    it.gen(`is a defect that names the place alone: ${JSON.stringify(session)}`, function* () {
      const one = found(session)
      const { exit, lines } = yield* logged((services) => decodeSession(Staff, one, services))
      const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.deepInclude(defect, { _tag: "SessionMismatch" })
      assert.strictEqual(lines.length, 1)
      assert.match(lines[0] ?? "", new RegExp(`^Error .*fit the schema at: ${place}(?:$|[^\\w,])`, "s"))
    })
  }

  it.gen("names each place once, with its path", function* () {
    class Nested extends Access.Service<Nested>()("nested", {
      user: Schema.Struct({ home: Schema.Struct({ city: Schema.Union([Schema.Number, Schema.Boolean]) }) })
    }) {}
    const one = found({ user: { home: { city: "x" } }, expires })
    const { lines } = yield* logged((services) => decodeSession(Nested, one, services))
    assert.match(lines[0] ?? "", /fit the schema at: home\.city(?:$|[^\w,.])/s)
  })

  it.gen("is logged once, and stays a defect", function* () {
    const one = found({ user: {}, expires: "soon" })
    const { exit, lines } = yield* logged((services) =>
      Effect.andThen(
        Effect.exit(decodeSession(Staff, one, services)),
        Effect.suspend(() => decodeSession(Staff, one, services))
      )
    )
    assert.isTrue(Exit.isFailure(exit))
    assert.strictEqual(lines.length, 1)
    assert.strictEqual(one.decoded.length, 1)
  })

  it.gen("is not known yet when its reader was interrupted", function* () {
    const one = found({ user: {}, expires: "soon" })
    const logger = Logger.make(({ fiber }) => fiber.interruptUnsafe())
    const exit = yield* Effect.gen(function* () {
      const services = yield* Effect.context<never>()
      return yield* Fiber.await(yield* Effect.forkChild(decodeSession(Staff, one, services)))
    }).pipe(Effect.provide(Logger.layer([logger])))
    assert.isTrue(Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause))
    assert.deepStrictEqual(one.decoded, [])
  })
})
