import { assert, describe, it, vi } from "@effect/vitest"
import * as AuthCore from "@auth/core/jwt"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import type { JwtDecodeCall, Options, RetiredSecret } from "../src/AuthConfig.ts"
import { Jwt } from "../src/Jwt.ts"
import { encode } from "../src/Token.ts"
import { at, browser, config, start } from "./Browser.ts"
import { password, secret } from "./Visitor.ts"

const cookie = "__Secure-authjs.session-token"
const weak = "secret"
const hour = 3_600_000
const until = new Date(start + hour)

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
  it.effect("nobody is signed out: a session of Auth.js under a weak secret goes on under a strong one", () =>
    Effect.gen(function* () {
      const theirs = yield* Effect.promise(async () => {
        vi.useFakeTimers({ now: start, toFake: ["Date"] })
        const token = await AuthCore.encode({ token: { sub: "1", name: "Ann" }, secret: weak, salt: cookie })
        vi.useRealTimers()
        return token
      })
      const ann = carrying(theirs)
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* ann.session)?.user?.["name"], "Ann")
        assert.notStrictEqual(ann.cookies.get(cookie), theirs)
        // Past its date the old secret opens nothing, and the session is sealed with the new one by now.
        yield* TestClock.adjust("2 hours")
        assert.strictEqual((yield* ann.session)?.user?.["name"], "Ann")
        assert.isNull(yield* carrying(theirs).session)
      }).pipe(at(retired({ secret: weak, until })))
      yield* Effect.gen(function* () {
        yield* TestClock.adjust("2 hours")
        assert.strictEqual((yield* ann.session)?.user?.["name"], "Ann")
      }).pipe(at(config({ providers: [password()] })))
    })
  )

  it.effect("a session is sealed anew at once, however seldom sessions are renewed", () =>
    Effect.gen(function* () {
      const ann = carrying(yield* sealed(weak))
      const options = { ...retired({ secret: weak, until }), session: { updateAge: 24 * 3600 } }
      yield* Effect.gen(function* () {
        yield* ann.session
        yield* TestClock.adjust("2 hours")
        assert.strictEqual((yield* ann.session)?.user?.["name"], "Ann")
      }).pipe(at(options))
    })
  )

  it.effect("jwt.secret has them too", () =>
    Effect.gen(function* () {
      const ann = carrying(yield* sealed(weak))
      const options = {
        ...retired({ secret: weak, until }),
        jwt: { secret: "for-tokens-0123456789-abcdefghijklmnopqrst" }
      }
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* ann.session)?.user?.["name"], "Ann")
      }).pipe(at(options))
    })
  )

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
    { timeout: 60_000, arbitrary: { runs: 30 } }
  )

  it.effect("P239 open nothing but sessions: no attempt, no form, no link, no other cookie", () =>
    Effect.gen(function* () {
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
  )

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
