import { assert, describe, it, vi } from "@effect/vitest"
import * as AuthCore from "@auth/core/jwt"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import type { JwtDecodeCall, Options, RetiredSecret } from "../../src/config/Settings.ts"
import { makeMemory } from "../../src/Adapter.ts"
import * as Jwe from "../../src/crypto/Jwe.ts"
import { keyring } from "../../src/crypto/Keyring.ts"
import { Jwt } from "../../src/Jwt.ts"
import * as Token from "../../src/compat/Token.ts"
import { encode } from "../../src/compat/Token.ts"
import { at, browser, config, signInAt, start } from "../Browser.ts"
import { memoryProvider } from "../MemoryProvider.ts"
import { password, secret } from "../Visitor.ts"

const cookie = "__Host-authjs.session-token"
const weak = "secret"
const hour = 3_600_000
const until = new Date(start + hour)
const iso = (at: number): string => new Date(at).toISOString()

const sealed = (sealedWith: string, claims: object = { sub: "1", name: "Ann" }) =>
  Effect.promise(async () => {
    vi.useFakeTimers({ now: start, toFake: ["Date"] })
    const token = await encode({ token: { ...claims }, secret: sealedWith, salt: cookie })
    vi.useRealTimers()
    return token
  })

const carrying = (token: string) => {
  const person = browser()
  person.cookies.set(cookie, token)
  return person
}

const retired = (...list: ReadonlyArray<RetiredSecret>): Options =>
  config({ providers: [password()], retiredSecrets: list })

describe("retired secrets", () => {
  it.gen("no user is signed out before the date: a session of Auth.js under a weak secret stays valid", function* () {
    const theirs = yield* Effect.promise(async () => {
      vi.useFakeTimers({ now: start, toFake: ["Date"] })
      const token = await AuthCore.encode({
        token: { sub: "1", name: "Ann" },
        secret: weak,
        salt: cookie,
        maxAge: 20 * 60
      })
      vi.useRealTimers()
      return token
    })
    const ann = carrying(theirs)
    const options = { ...retired({ secret: weak, until }), session: { maxAge: 20 * 60 } }
    yield* Effect.gen(function* () {
      // Renewed as every session, although the token of Auth.js ends after twenty minutes.
      for (let minutes = 0; minutes < 60; minutes += 15) {
        const session = yield* ann.session
        assert.strictEqual(session?.user?.["name"], "Ann")
        assert.strictEqual(session?.expires, iso(start + Math.min(minutes + 20, 60) * 60_000))
        assert.notStrictEqual(ann.cookies.get(cookie), theirs)
        yield* TestClock.adjust("15 minutes")
      }
      assert.isNull(yield* ann.session)
    }).pipe(at(options))
  })

  const requestedClaims = { exp: 9_999_999_999, iat: 1, jti: "chosen", "effect-doorman": { end: 9_999_999_999 } }
  it.effect.each([
    { maxAge: 10 * 24 * 3600 },
    { maxAge: 10 * 24 * 3600, updateAge: 3600 },
    { absoluteMaxAge: 100 * 24 * 3600 }
  ])("P242 a forged token gains nothing after the date, however often it is used: %j", (session) =>
    Effect.gen(function* () {
      const forged = yield* Effect.promise(() =>
        Promise.resolve(
          Jwe.seal(
            keyring([weak], cookie),
            { sub: "1", name: "Ann", ...requestedClaims },
            { now: start / 1000, maxAge: 9_999_999_999, random: (size) => new Uint8Array(size).fill(1) }
          )
        )
      )
      const mallory = carrying(forged)
      const lastOf: Array<string> = []
      yield* Effect.gen(function* () {
        for (let minutes = 0; minutes < 60; minutes += 10) {
          assert.strictEqual((yield* mallory.session)?.user?.["name"], "Ann")
          lastOf.push(mallory.cookies.get(cookie) ?? "")
          yield* TestClock.adjust("10 minutes")
        }
        for (const token of [forged, ...lastOf]) {
          assert.isNull(yield* carrying(token).session)
          assert.strictEqual(
            (yield* Effect.flip(Effect.flatMap(Jwt, ({ decode }) => decode(token, cookie))))._tag,
            "JwtSessionError"
          )
        }
      }).pipe(at({ ...retired({ secret: weak, until }), session }))
      // Nor where the entry was removed, or the date moved, after the session had been sealed anew.
      yield* Effect.gen(function* () {
        yield* TestClock.setTime(until.getTime())
        for (const token of lastOf) assert.isNull(yield* carrying(token).session)
      }).pipe(at({ ...config({ providers: [password()] }), session }))
      const resealed = lastOf.at(-1) ?? ""
      const late = Token.make({ now: () => until.getTime() / 1000 + 15, random: (size) => new Uint8Array(size) })
      const req = { headers: { cookie: `${cookie}=${resealed}` } }
      assert.isNull(yield* Effect.promise(() => late.getToken({ req, secret })))
    })
  )

  it.gen("a session is sealed anew at once, however seldom sessions are renewed", function* () {
    const ann = carrying(yield* sealed(weak))
    const options = { ...retired({ secret: weak, until }), session: { updateAge: 24 * 3600 } }
    yield* Effect.gen(function* () {
      yield* ann.session
    }).pipe(at(options))
    yield* Effect.gen(function* () {
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual((yield* ann.session)?.user?.["name"], "Ann")
      yield* TestClock.adjust("1 minute")
      assert.isNull(yield* ann.session)
    }).pipe(at({ ...config({ providers: [password()] }), session: { updateAge: 24 * 3600 } }))
  })

  it.gen("a new sign-in makes a session that lasts", function* () {
    const ann = carrying(yield* sealed(weak))
    yield* Effect.gen(function* () {
      yield* ann.session
      yield* ann.signInWithPassword()
      yield* TestClock.adjust("2 hours")
      assert.isNotNull(yield* ann.session)
    }).pipe(at(retired({ secret: weak, until })))
  })

  it.effect("no account is linked in such a session: it would stay after the date", () => {
    const adapter = makeMemory()
    const provider = memoryProvider()
    const options = config({ adapter, session: { strategy: "jwt" }, retiredSecrets: [{ secret: weak, until }] })
    return Effect.gen(function* () {
      const ann = yield* adapter.createUser({
        id: asUserId("ann"),
        name: "Ann",
        email: "ann@site.example",
        emailVerified: null
      })
      for (const [sealedWith, linked] of [
        [weak, 0],
        [secret, 1]
      ] as const) {
        const person = carrying(yield* sealed(sealedWith, { sub: ann.id }))
        const { failure } = yield* signInAt(person, provider)
        assert.strictEqual(failure?._tag, linked === 0 ? "OAuthAccountNotLinked" : undefined)
        assert.lengthOf(yield* adapter.listAccounts(ann.id), linked)
      }
    }).pipe(at(options, provider))
  })

  it.effect("open no session where sessions are in a database", () => {
    const options = config({ adapter: makeMemory(), retiredSecrets: [{ secret: weak, until }] })
    return Effect.gen(function* () {
      assert.isNull(yield* carrying(yield* sealed(weak)).session)
    }).pipe(at(options))
  })

  it.gen("jwt.secret has them too", function* () {
    const ann = carrying(yield* sealed(weak))
    const options = {
      ...retired({ secret: weak, until }),
      jwt: { secret: "for-tokens-0123456789-abcdefghijklmnopqrst" }
    }
    yield* Effect.gen(function* () {
      assert.strictEqual((yield* ann.session)?.user?.["name"], "Ann")
    }).pipe(at(options))
  })

  const names = ["one", "two", "three"] as const
  it.effect.prop(
    "P242 open sessions before their dates, and nothing at any other time",
    {
      sample: Schema.Array(
        Schema.Struct({ secret: Schema.Literals(names), until: Schema.Literals([-3, -1, 0, 1, 2, 3]) })
      ).check(Schema.isMaxLength(8))
    },
    Effect.fnUntraced(function* ({ sample }) {
      const tokens = new Map<string, string>()
      for (const name of [...names, "unlisted", secret]) tokens.set(name, yield* sealed(name))
      yield* Effect.gen(function* () {
        const { decode } = yield* Jwt
        for (let now = 0; now <= 3; now++) {
          for (const [name, token] of tokens) {
            const opens = (yield* Effect.result(decode(token, cookie)))._tag === "Success"
            const isInForce = sample.some((one) => one.secret === name && now < one.until)
            assert.strictEqual(opens, name === secret || isInForce, `${JSON.stringify(sample)} ${name} at ${now}`)
          }
          yield* TestClock.adjust(1)
        }
      }).pipe(at(retired(...sample.map((one) => ({ secret: one.secret, until: new Date(start + one.until) })))))
    }),
    { timeout: 240_000, arbitrary: { runs: 30 } }
  )

  it.gen("P239 open nothing but sessions: no attempt, no form, no link, no other cookie", function* () {
    // A deployment with the weak secret made a form and a sign-in attempt; the next one has retired it.
    const old = config({ secret: weak })
    const person = browser()
    const { address, csrfToken } = yield* Effect.gen(function* () {
      const address = yield* person.leave()
      const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body)
      return { address, csrfToken }
    }).pipe(at(old))
    yield* Effect.gen(function* () {
      const form = yield* person.send("POST", "/auth/signout", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken })
      })
      assert.strictEqual(form.failure?._tag, "MissingCsrf")
      const state = new URL(address).searchParams.get("state") ?? ""
      const returned = yield* person.get(`/auth/callback/idp?code=x&state=${encodeURIComponent(state)}`)
      assert.isDefined(returned.failure)
      assert.isFalse(person.cookies.has(cookie))
      const { decode } = yield* Jwt
      const token = yield* sealed(weak)
      for (const salt of ["authjs.session-token", "encodedState", "authjs.pkce.code_verifier", ""]) {
        assert.strictEqual((yield* Effect.flip(decode(token, salt)))._tag, "JwtSessionError", salt)
      }
    }).pipe(at(config({ retiredSecrets: [{ secret: weak, until }] })))
  })

  it.effect("reach an own decode while they last, and not after", () => {
    const calls: Array<JwtDecodeCall> = []
    const decode = (call: JwtDecodeCall) => {
      calls.push(call)
      return { sub: "1", name: "Ann" }
    }
    return Effect.gen(function* () {
      yield* carrying("opaque").session
      yield* TestClock.adjust("1 hour")
      yield* carrying("opaque").session
      assert.deepStrictEqual(
        calls.map(({ retiredSecrets, secret }) => ({ retiredSecrets, secret })),
        [
          { retiredSecrets: [{ secret: weak, until }], secret },
          { retiredSecrets: undefined, secret }
        ]
      )
    }).pipe(at({ ...retired({ secret: weak, until: until.toISOString() }), jwt: { decode } }))
  })
})
