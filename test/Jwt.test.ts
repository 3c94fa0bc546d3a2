import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import type { Options } from "../src/config/Settings.ts"
import { type AuthRequest, fromWeb } from "../src/http/AuthRequest.ts"
import { Jwt, subject } from "../src/Jwt.ts"
import { at, config, settled, start } from "./Browser.ts"
import { otherSecret, secret, site } from "./Visitor.ts"

const name = "__Secure-authjs.session-token"
const now = start / 1000
const day = 24 * 60 * 60

const requestOf = (cookie: string): Effect.Effect<AuthRequest["Service"]> =>
  Effect.orDie(fromWeb(new Request(`${site}/auth/session`, { headers: { cookie } }), "/auth"))

const options = (jwt: NonNullable<Options["jwt"]>, more: Partial<Options> = {}) => config({ jwt, ...more })

describe("Jwt", () => {
  it.effect("opens what it encodes, with a lifetime of jwt.maxAge", () =>
    Effect.gen(function* () {
      const { decode, encode } = yield* Jwt
      const claims = yield* decode(yield* encode({ sub: "1", role: "x" }, name), name)
      assert.deepInclude(claims, { sub: "1", role: "x", iat: now, exp: now + 60 })
    }).pipe(at(options({ maxAge: 60 })))
  )

  it.effect("seals session tokens with jwt.secret where there is one", () =>
    Effect.gen(function* () {
      const token = yield* Jwt.use(({ encode }) => encode({ sub: "1" }, name)).pipe(
        at(options({ secret: otherSecret }))
      )
      const failure = yield* Effect.flip(Jwt.use(({ decode }) => decode(token, name))).pipe(at())
      assert.strictEqual(failure.detail, "key_unknown")
      const claims = yield* Jwt.use(({ decode }) => decode(token, name)).pipe(
        at(config({ secret: [secret, otherSecret] }))
      )
      assert.strictEqual(claims.sub, "1")
    })
  )

  it.effect("P239 takes the name of the cookie as salt: a token of one opens in no other", () =>
    Effect.gen(function* () {
      const { decode, encode } = yield* Jwt
      const token = yield* encode({ sub: "1" }, name)
      assert.strictEqual((yield* Effect.flip(decode(token, "authjs.session-token")))._tag, "JwtSessionError")
    }).pipe(at())
  )

  it.effect("calls an own encode and decode with what Auth.js would give them", () => {
    const calls: Array<object> = []
    const jwt = {
      maxAge: 60,
      encode: (call: object) => {
        calls.push(call)
        return "sealed"
      },
      decode: (call: object) => {
        calls.push(call)
        return Promise.resolve({ sub: "1" })
      }
    }
    return Effect.gen(function* () {
      const { decode, encode } = yield* Jwt
      assert.strictEqual(yield* encode({ sub: "1" }, name), "sealed")
      assert.deepStrictEqual(yield* decode("sealed", name), { sub: "1" })
      const [encoded, decoded] = calls
      assert.deepInclude(encoded, { token: { sub: "1" }, secret: [secret, otherSecret], salt: name, maxAge: 60 })
      assert.deepInclude(decoded, { token: "sealed", secret: [secret, otherSecret], salt: name })
    }).pipe(at(options(jwt, { secret: [secret, otherSecret] })))
  })

  it.effect("gives an own encode one secret as text", () => {
    const calls: Array<{ readonly secret: unknown; readonly maxAge?: unknown }> = []
    return Effect.gen(function* () {
      yield* Jwt.use(({ encode }) => encode({}, name))
      assert.strictEqual(calls[0]?.secret, secret)
      assert.strictEqual(calls[0]?.maxAge, 7 * day)
    }).pipe(
      at(
        options(
          {
            encode: (call) => {
              calls.push(call)
              return "x"
            }
          },
          { session: { maxAge: 7 * day } }
        )
      )
    )
  })

  for (const answer of [undefined, null, 42, ""]) {
    it.effect(`an encode that returns ${String(answer) || "nothing"} fails, and the old token stays in force`, () =>
      Effect.gen(function* () {
        const { encode } = yield* Jwt
        const failure = yield* Effect.flip(encode({}, name))
        assert.strictEqual(failure.detail, "jwt.encode returned no token")
      }).pipe(at(options({ encode: () => answer as unknown as string })))
    )
  }

  it.effect("takes an Effect for an answer of both", () =>
    Effect.gen(function* () {
      const { decode, encode } = yield* Jwt
      assert.strictEqual(yield* encode({}, name), "sealed")
      assert.deepStrictEqual(yield* decode("sealed", name), { sub: "1" })
    }).pipe(at(options({ encode: () => Effect.succeed("sealed"), decode: () => Effect.succeed({ sub: "1" }) })))
  )

  const failing: ReadonlyArray<readonly [string, NonNullable<Options["jwt"]>["decode"]]> = [
    ["throws", () => assert.fail("broken")],
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["fails", () => Effect.fail("broken")],
    ["returns null", () => null],
    ["returns undefined", () => undefined as never],
    ["returns text", () => "claims" as never]
  ]
  for (const [title, decode] of failing) {
    it.effect(`refuses the token when an own decode ${title}`, () =>
      Effect.gen(function* () {
        const jwt = yield* Jwt
        assert.strictEqual((yield* Effect.flip(jwt.decode("x", name)))._tag, "JwtSessionError")
        const read = yield* jwt.read(yield* requestOf(`${name}=x`))
        assert.strictEqual(read._tag, "Invalid")
        assert.deepStrictEqual(read.names, [name])
        assert.isUndefined(subject(read))
      }).pipe(at(options({ decode })))
    )
  }

  it.effect("gives an own decode thirty seconds", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(Jwt.use((jwt) => jwt.decode("x", name))))
      yield* settled
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).detail, "jwt.decode failed")
    }).pipe(at(options({ decode: () => new Promise(() => undefined) })))
  )

  it.effect("fails with its own error for claims that are no JSON and for an encode that fails", () =>
    Effect.gen(function* () {
      const circular: Record<string, unknown> = {}
      circular["self"] = circular
      for (const claims of [circular, { big: 1n }]) {
        const failure = yield* Effect.flip(Jwt.use((jwt) => jwt.encode(claims, name)))
        assert.strictEqual(failure._tag, "JwtSessionError")
      }
    }).pipe(at())
  )

  it.effect("P214 fails with its own error for a token that is too large or not plain text", () =>
    Effect.gen(function* () {
      const request = yield* requestOf("")
      const jwt = yield* Jwt
      for (const [sub, reason] of [
        ["large", "too_large"],
        ["odd", "not_ascii"]
      ] as const) {
        const failure = yield* Effect.flip(jwt.write(request, { sub }, [], start))
        assert.include(failure.detail, reason)
      }
    }).pipe(at(options({ encode: ({ token }) => (token?.sub === "large" ? "x".repeat(20_000) : "größe") })))
  )

  it.effect("recognises a signed-out visitor, and does not mix up people without an id", () =>
    Effect.gen(function* () {
      const jwt = yield* Jwt
      assert.deepStrictEqual(yield* jwt.read(yield* requestOf("")), { _tag: "Absent", names: [] })
      assert.isUndefined(subject({ _tag: "Absent", names: [] }))
      const person = (claims: object) => subject({ _tag: "Valid", claims: { ...claims }, names: [] })
      assert.strictEqual(person({ sub: "1", email: "a@example.com" }), "1")
      assert.strictEqual(person({ email: "a@example.com" }), "a@example.com")
      assert.isString(person({}))
    }).pipe(at())
  )

  it.effect("H055 reads the first of several values that opens", () =>
    Effect.gen(function* () {
      const jwt = yield* Jwt
      const token = yield* jwt.encode({ sub: "1" }, name)
      const other = yield* jwt.encode({ sub: "2" }, name)
      const read = yield* jwt.read(yield* requestOf(`${name}=junk; ${name}=${token}; ${name}=${other}`))
      assert.isTrue(read._tag === "Valid" && read.claims.sub === "1")
    }).pipe(at())
  )
})
