import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { Seal } from "../src/browser/Seal.ts"
import { type Options, Settings } from "../src/config/Settings.ts"
import { SharedStateError } from "../src/Errors.ts"
import { type AuthRequest, fromWeb } from "../src/http/AuthRequest.ts"
import { decodeBearer, Jwt, readBearer, subject } from "../src/Jwt.ts"
import { sessionIdOf } from "../src/storage/Details.ts"
import { firstMark, markName } from "../src/session/SessionMark.ts"
import { makeMemory } from "../src/SharedState.ts"
import { forge } from "./crypto/Forge.ts"
import { at, config, type Log, settled, start } from "./Browser.ts"
import { otherSecret, secret, site } from "./Visitor.ts"

const name = "__Host-authjs.session-token"
const now = start / 1000
const day = 24 * 60 * 60

const requestOf = (cookie: string, method = "GET"): Effect.Effect<AuthRequest["Service"]> =>
  Effect.orDie(fromWeb(new Request(`${site}/auth/session`, { method, headers: { cookie } }), "/auth"))

const options = (jwt: NonNullable<Options["jwt"]>, more: Partial<Options> = {}) => config({ jwt, ...more })

describe("Jwt", () => {
  it.gen("opens what it encodes, with a lifetime of jwt.maxAge", at(options({ maxAge: 60 })), function* () {
    const { decode, encode } = yield* Jwt
    const claims = yield* decode(yield* encode({ sub: "1", role: "x" }, name), name)
    assert.deepInclude(claims, { sub: "1", role: "x", iat: now, exp: now + 60 })
  })

  it.gen("seals session tokens with jwt.secret where there is one", function* () {
    const token = yield* Jwt.use(({ encode }) => encode({ sub: "1" }, name)).pipe(at(options({ secret: otherSecret })))
    const failure = yield* Effect.flip(Jwt.use(({ decode }) => decode(token, name))).pipe(at())
    assert.strictEqual(failure.detail, "key_unknown")
    const claims = yield* Jwt.use(({ decode }) => decode(token, name)).pipe(
      at(config({ secret: [secret, otherSecret] }))
    )
    assert.strictEqual(claims.sub, "1")
  })

  it.gen("P239 takes the name of the cookie as salt: a token of one opens in no other", at(), function* () {
    const { decode, encode } = yield* Jwt
    const token = yield* encode({ sub: "1" }, name)
    assert.strictEqual((yield* Effect.flip(decode(token, "authjs.session-token")))._tag, "JwtSessionError")
  })

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
        assert.strictEqual(failure.blame, "operator")
        assert.isUndefined(failure.cause)
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
    it.gen(`refuses the token when an own decode ${title}`, at(options({ decode })), function* () {
      const jwt = yield* Jwt
      assert.strictEqual((yield* Effect.flip(jwt.decode("x", name)))._tag, "JwtSessionError")
      const read = yield* jwt.read(yield* requestOf(`${name}=x`))
      assert.strictEqual(read._tag, "Invalid")
      assert.deepStrictEqual(read.names, [name])
      assert.isUndefined(subject(read))
    })
  }

  it.effect("gives an own decode thirty seconds", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(Jwt.use((jwt) => jwt.decode("x", name))))
      yield* settled
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).detail, "jwt.decode failed")
    }).pipe(at(options({ decode: () => new Promise(() => undefined) })))
  )

  it.gen("fails with its own error for claims that are no JSON and for an encode that fails", at(), function* () {
    const circular: Record<string, unknown> = {}
    circular["self"] = circular
    for (const claims of [circular, { big: 1n }]) {
      const failure = yield* Effect.flip(Jwt.use((jwt) => jwt.encode(claims, name)))
      assert.strictEqual(failure._tag, "JwtSessionError")
    }
  })

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

  it.gen("recognises a signed-out visitor, and does not mix up people without an id", at(), function* () {
    const jwt = yield* Jwt
    assert.deepStrictEqual(yield* jwt.read(yield* requestOf("")), { _tag: "Absent", names: [] })
    assert.isUndefined(subject({ _tag: "Absent", names: [] }))
    const person = (claims: object) => subject({ _tag: "Valid", claims: { ...claims }, names: [] })
    assert.strictEqual(person({ sub: "1", email: "a@example.com" }), "1")
    assert.strictEqual(person({ email: "a@example.com" }), "a@example.com")
    assert.strictEqual(person({}), "somebody")
    const error = new SharedStateError({ reason: "unavailable" })
    assert.strictEqual(subject({ _tag: "Unknown", claims: { sub: "1" }, error, names: [] }), "1")
  })

  it.gen("H055 reads the first of several values that opens", at(), function* () {
    const jwt = yield* Jwt
    const token = yield* jwt.encode({ sub: "1" }, name)
    const other = yield* jwt.encode({ sub: "2" }, name)
    const read = yield* jwt.read(yield* requestOf(`${name}=junk; ${name}=${token}; ${name}=${other}`))
    assert.isTrue(read._tag === "Valid" && read.claims.sub === "1")
  })
})

const broken = (call: object): never => assert.fail(`broken with ${JSON.stringify(call)}`)

describe("functions of the application that fail", () => {
  it.effect("are the cause of the failure, without the secrets that they were given", () =>
    Effect.gen(function* () {
      const jwt = yield* Jwt
      const token = "a-token-that-must-not-be-in-a-log"
      const encoding = yield* Effect.flip(jwt.encode({ refresh_token: token }, name))
      const decoding = yield* Effect.flip(jwt.decode(token, name))
      assert.deepStrictEqual([encoding.detail, decoding.detail], ["jwt.encode failed", "jwt.decode failed"])
      assert.strictEqual(encoding.blame, "operator")
      for (const { cause } of [encoding, decoding]) {
        assert.instanceOf(cause, Error)
        assert.include(cause.message, "broken with")
        assert.notInclude(cause.message, token)
        assert.notInclude(cause.message, secret)
      }
    }).pipe(at(options({ encode: broken, decode: broken })))
  )

  it.gen("are named where they answer nothing in time, and where they answer no claims", function* () {
    const late = options({ encode: () => new Promise(() => undefined), decode: () => new Promise(() => undefined) })
    for (const call of ["encode", "decode"] as const) {
      const failure = yield* Effect.gen(function* () {
        const jwt = yield* Jwt
        const calling = call === "encode" ? Effect.asVoid(jwt.encode({}, name)) : Effect.asVoid(jwt.decode("x", name))
        const fiber = yield* Effect.forkChild(Effect.flip(calling))
        yield* settled
        yield* TestClock.adjust("31 seconds")
        return yield* Fiber.join(fiber)
      }).pipe(at(late))
      assert.include(String(failure.cause), `jwt.${call} did not answer`)
    }
    const none = yield* Effect.flip(Jwt.use((jwt) => jwt.decode("x", name))).pipe(at(options({ decode: () => null })))
    assert.strictEqual(none.detail, "jwt.decode returned no claims")
  })

  it.effect("get the retired secrets, the one that ends last first", () => {
    const calls: Array<unknown> = []
    const until = (seconds: number) => new Date(start + seconds * 1000)
    const retiredSecrets = [20, 40, 30].map((seconds) => ({ secret: `retired ${seconds}`, until: until(seconds) }))
    const decode = (call: { readonly retiredSecrets?: unknown }) => {
      calls.push(call.retiredSecrets)
      return { sub: "1" }
    }
    return Effect.gen(function* () {
      yield* Jwt.use((jwt) => jwt.decode("x", name))
      assert.deepStrictEqual(calls, [
        [40, 30, 20].map((seconds) => ({ secret: `retired ${seconds}`, until: until(seconds) }))
      ])
    }).pipe(at(options({ decode }, { retiredSecrets })))
  })
})

describe("why a token does not open", () => {
  const retiredSecrets = [{ secret: otherSecret, until: new Date(start + 60_000) }]
  const details = (tokens: ReadonlyArray<string>) =>
    Effect.forEach(tokens, (token) => Jwt.use((jwt) => Effect.flip(jwt.decode(token, name))))

  it.gen("is what the secret says that made it, the retired one too", at(config({ retiredSecrets })), function* () {
    const of = (more: object) => forge({ payload: { sub: "1", iat: now - 100, exp: now - 50 }, salt: name, ...more })
    const failures = yield* details([
      of({ secret }),
      of({ secret: otherSecret }),
      of({ secret: "a third secret" }),
      of({ secret: "a third secret", header: { alg: "dir", enc: "A256CBC-HS512" } }),
      "junk"
    ])
    assert.deepStrictEqual(
      failures.map(({ detail }) => detail),
      ["expired", "expired", "key_unknown", "not_authentic", "token_malformed"]
    )
    assert.match(failures[0]?.fix ?? "", /the session has ended/)
    assert.match(failures[2]?.fix ?? "", /^Sign in again\. Keep earlier secrets/)
  })

  it.effect("is nothing for a token of a retired secret that does not name its key", () =>
    Effect.gen(function* () {
      const header = { alg: "dir", enc: "A256CBC-HS512" }
      const token = forge({ header, payload: { sub: "1", iat: now, exp: now + 50 }, salt: name, secret: otherSecret })
      assert.strictEqual((yield* Jwt.use((jwt) => jwt.decode(token, name))).sub, "1")
    }).pipe(at(config({ retiredSecrets })))
  )

  it.gen("is the end in its mark", at(), function* () {
    const jwt = yield* Jwt
    const ended = yield* jwt.encode({ sub: "1", [markName]: { end: now } }, name)
    assert.strictEqual((yield* Effect.flip(jwt.decode(ended, name))).detail, "expired")
  })
})

describe("revocation", () => {
  /** The tokens of a configuration with this shared state around them. */
  const over = (state: ReturnType<typeof makeMemory>) =>
    Effect.gen(function* () {
      const jwt = Jwt.make(yield* Settings, yield* Seal, state)
      const sid = "A".repeat(22)
      return { jwt, sid, token: yield* jwt.encode({ sub: "1", [markName]: firstMark(sid) }, name) }
    })
  const revocable = config({ session: { revocation: true } })

  it.gen("is asked again by what may change something, and otherwise once an interval", at(revocable), function* () {
    const memory = makeMemory()
    const { jwt, sid, token } = yield* over(memory)
    const [get, post] = [yield* requestOf(`${name}=${token}`), yield* requestOf(`${name}=${token}`, "POST")]
    const tags = Effect.all([jwt.read(get), jwt.read(post), jwt.read(get)])
    assert.strictEqual((yield* jwt.decode(token, name)).sub, "1")
    // Another process ends the session.
    yield* Jwt.make(yield* Settings, yield* Seal, memory).revocation?.end(sessionIdOf(sid)) ?? Effect.void
    assert.strictEqual((yield* jwt.decode(token, name)).sub, "1")
    const reads = yield* tags
    assert.deepStrictEqual(
      reads.map(({ _tag }) => _tag),
      ["Valid", "Invalid", "Invalid"]
    )
    assert(reads[1]._tag === "Invalid")
    assert.strictEqual(reads[1].error.detail, "revoked")
    assert.strictEqual((yield* Effect.flip(jwt.decode(token, name, true))).detail, "revoked")
  })

  it.gen("that asks at once sees the end of a session before its interval is over", at(revocable), function* () {
    const memory = makeMemory()
    const { jwt, sid, token } = yield* over(memory)
    yield* jwt.decode(token, name)
    yield* Jwt.make(yield* Settings, yield* Seal, memory).revocation?.end(sessionIdOf(sid)) ?? Effect.void
    assert.strictEqual((yield* jwt.decode(token, name)).sub, "1")
    assert.strictEqual((yield* Effect.flip(jwt.decode(token, name, true))).detail, "revoked")
  })

  it.gen("that nothing answers makes a token fail, by the store", at(revocable), function* () {
    const cause = new SharedStateError({ reason: "unavailable" })
    const { jwt, token } = yield* over({ ...makeMemory(), isMarked: () => Effect.fail(cause) })
    const failure = yield* Effect.flip(jwt.decode(token, name))
    assert.strictEqual(failure._tag, "JwtSessionError")
    assert.strictEqual(failure.detail, "It is not known whether the session was revoked")
    assert.strictEqual(failure.blame, "operator")
    assert.strictEqual(failure.cause, cause)
  })
})

describe("a bearer token", () => {
  it.gen("opens under the names of both schemes, and fails as under that of the request", at(), function* () {
    const jwt = yield* Jwt
    const settings = yield* Settings
    const request = yield* requestOf("")
    const plain = "authjs.session-token"
    for (const sealedFor of [plain, name]) {
      const token = yield* jwt.encode({ sub: "1" }, sealedFor)
      for (const asked of [plain, name]) {
        assert.strictEqual((yield* decodeBearer(settings, jwt, token, asked)).sub, "1")
      }
      const read = yield* readBearer(request, token)
      assert.isTrue(read._tag === "Valid" && read.claims.sub === "1", sealedFor)
    }
    const old = forge({ payload: { sub: "1", iat: now - 100, exp: now - 50 }, salt: name, secret })
    assert.strictEqual((yield* Effect.flip(decodeBearer(settings, jwt, old, name))).detail, "expired")
    const read = yield* readBearer(request, old)
    assert.isTrue(read._tag === "Invalid" && read.error.detail === "expired")
    assert.deepStrictEqual(yield* readBearer(request, ""), { _tag: "Absent", names: [] })
  })

  it.effect("is tried once where both schemes have one name", () =>
    Effect.gen(function* () {
      const jwt = yield* Jwt
      const settings = yield* Settings
      assert.strictEqual((yield* Effect.flip(decodeBearer(settings, jwt, "junk", "own"))).detail, "token_malformed")
      const read = yield* readBearer(yield* requestOf(""), "junk")
      assert.isTrue(read._tag === "Invalid" && read.error.detail === "token_malformed")
    }).pipe(at(config({ cookies: { sessionToken: { name: "own" } } })))
  )
})

describe("the cookies of a token", () => {
  it.gen("replace others, fifteen cookies at once", at(), function* () {
    const jwt = yield* Jwt
    const request = yield* requestOf("")
    const many = Array.from({ length: 20 }, (_, at) => `${name}.${at}`)
    const data = "x".repeat(5000)
    const written = yield* jwt.write(request, { sub: "1", data }, many, start)
    const chunks = written.filter(({ value }) => value !== "").map((cookie) => cookie.name)
    assert.deepStrictEqual(chunks, [`${name}.0`, `${name}.1`])
    const cleared = written.filter(({ value }) => value === "").map((cookie) => cookie.name)
    assert.deepStrictEqual(cleared, many.slice(2, 15))
  })

  it.effect("hold a token for jwt.maxAge, or to the end in its mark", () => {
    const lifetimes: Array<unknown> = []
    const encode = (call: { readonly maxAge?: unknown }) => {
      lifetimes.push(call.maxAge)
      return "sealed"
    }
    return Effect.gen(function* () {
      const jwt = yield* Jwt
      const request = yield* requestOf("")
      const sid = "A".repeat(22)
      for (const mark of [undefined, firstMark(sid), { sid, end: now + 30.5 }, { sid, end: now + 3600 }])
        yield* jwt.write(request, { sub: "1" }, [], start, mark)
      assert.deepStrictEqual(lifetimes, [60, 60, 31, 60])
    }).pipe(at(options({ maxAge: 60, encode })))
  })

  it.effect("are reported once they take more than servers have room for, not when they did before", () => {
    const log: Log = { entries: [] }
    const reported = () => log.entries.splice(0).filter(({ level }) => level === "Error").length
    return Effect.gen(function* () {
      const jwt = yield* Jwt
      const write = (length: number, former: number) =>
        Effect.gen(function* () {
          const before = Array.from({ length: Math.ceil(former / 3000) }, (_, at) => `${name}.${at}`)
          const cookie = before.map((one) => `${one}=${"y".repeat(3000)}`).join("; ")
          yield* jwt.write(yield* requestOf(cookie), { data: "x".repeat(length) }, before, start)
          return reported()
        })
      assert.strictEqual(yield* write(100, 0), 0)
      assert.strictEqual(yield* write(5000, 0), 0)
      assert.strictEqual(yield* write(9000, 0), 1)
      assert.strictEqual(yield* write(9000, 6000), 1)
      assert.strictEqual(yield* write(9000, 9000), 0)
    }).pipe(at(options({ encode: ({ token }) => String(token?.["data"]) }), undefined, log))
  })
})
