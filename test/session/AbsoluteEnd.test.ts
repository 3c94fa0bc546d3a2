import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { makeMemory } from "../../src/Adapter.ts"
import * as Jwe from "../../src/crypto/Jwe.ts"
import { keyring } from "../../src/crypto/Keyring.ts"
import * as Token from "../../src/compat/Token.ts"
import { at, attributesOf, browser, config, cookieOf, signInAt, start } from "../Browser.ts"
import { memoryProvider } from "../MemoryProvider.ts"
import { password, secret } from "../Visitor.ts"

const name = "__Host-authjs.session-token"
const day = 86_400
const utc = (milliseconds: number): string => new Date(milliseconds).toUTCString()
const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

const claimsAt = (token: string, seconds: number): Readonly<Record<string, unknown>> => {
  const opened = Jwe.open(keyring([secret], name), token, { now: seconds }) as Jwe.Opened
  return opened.ok ? opened.claims : {}
}

const times = { maxAge: 30 * day, updateAge: 0, absoluteMaxAge: 40 * day }

describe("session.absoluteMaxAge", () => {
  for (const strategy of ["jwt", "database"] as const) {
    it.effect(`ends a session that is used all the time, to the second (${strategy})`, () => {
      const provider = memoryProvider()
      const person = browser()
      const end = start + 40 * day * 1000
      return Effect.gen(function* () {
        yield* signInAt(person, provider)
        yield* TestClock.adjust("20 days")
        assert.strictEqual((yield* person.session)?.expires, iso(end))
        yield* TestClock.adjust("19 days")
        const late = yield* person.get("/auth/session")
        assert.strictEqual(JSON.parse(late.body).expires, iso(end))
        const set = late.lines.find((line) => cookieOf(line).name === name)
        if (set !== undefined) assert.strictEqual(attributesOf(set)["expires"], utc(end))
        yield* TestClock.adjust("1 day")
        assert.isNull(yield* person.session)
        assert.isFalse(person.cookies.has(name))
      }).pipe(at(config({ adapter: makeMemory(), session: { ...times, strategy } }), provider))
    })
  }

  it.gen("counts anew with a new sign-in", at(config({ providers: [password()], session: times })), function* () {
    const person = browser()
    yield* person.signInWithPassword()
    yield* TestClock.adjust("25 days")
    yield* person.signInWithPassword()
    yield* TestClock.adjust("20 days")
    assert.strictEqual((yield* person.session)?.expires, iso(start + 65 * day * 1000))
  })

  it.effect("shows callbacks and clients nothing of the claim, and keeps what a later version wrote", () => {
    const seen: Array<unknown> = []
    const person = browser()
    const sealed = Jwe.seal(
      keyring([secret], name),
      { sub: "1", name: "Ann", "effect-doorman": { v: 1, sid: "the-id-of-a-session", later: 3 } },
      { now: start / 1000, maxAge: 30 * day, random: (size) => new Uint8Array(size).fill(7) }
    ) as string
    person.cookies.set(name, sealed)
    return Effect.gen(function* () {
      const shown = yield* person.get("/auth/session")
      assert.notInclude(shown.body, "effect-doorman")
      assert.notInclude(JSON.stringify(seen), "effect-doorman")
      assert.deepStrictEqual(claimsAt(person.cookies.get(name) ?? "", start / 1000)["effect-doorman"], {
        v: 1,
        sid: "the-id-of-a-session",
        later: 3,
        end: start / 1000 + 40 * day
      })
    }).pipe(
      at(
        config({
          session: times,
          callbacks: {
            jwt: ({ token }) => {
              seen.push(token)
              return token
            },
            session: ({ session, token }) => {
              seen.push(token)
              return { ...session, ...token }
            }
          }
        })
      )
    )
  })

  it.effect("holds for a token that another library prolonged, in actions and in getToken", () => {
    const person = browser()
    const forEver = Jwe.seal(
      keyring([secret], name),
      { sub: "1", "effect-doorman": { end: start / 1000 + 60 } },
      { now: start / 1000, maxAge: 30 * day, random: (size) => new Uint8Array(size).fill(7) }
    ) as string
    person.cookies.set(name, forEver)
    const tokenAt = (seconds: number) =>
      Effect.promise(() =>
        Token.make({ now: () => seconds, random: (size) => new Uint8Array(size) }).getToken({
          req: { headers: { cookie: `${name}=${forEver}` } },
          secret
        })
      )
    return Effect.gen(function* () {
      assert.deepInclude(yield* tokenAt(start / 1000 + 59), { sub: "1" })
      assert.notProperty(yield* tokenAt(start / 1000 + 59), "effect-doorman")
      assert.isNull(yield* tokenAt(start / 1000 + 60))
      yield* TestClock.adjust("60 seconds")
      assert.isNull(yield* person.session)
    }).pipe(at(config({ providers: [password()] })))
  })

  it.effect("bounds exp, so that Auth.js refuses the token as well", () => {
    const person = browser()
    return Effect.gen(function* () {
      yield* person.signInWithPassword()
      const token = person.cookies.get(name) ?? ""
      assert.strictEqual(claimsAt(token, start / 1000)["exp"], start / 1000 + 3600)
    }).pipe(at(config({ providers: [password()], session: { maxAge: 30 * day, absoluteMaxAge: 3600 } })))
  })

  it.gen("writes no end where it is not set", at(config({ providers: [password()] })), function* () {
    const person = browser()
    yield* person.signInWithPassword()
    assert.notProperty(claimsAt(person.cookies.get(name) ?? "", start / 1000)["effect-doorman"], "end")
  })
})
