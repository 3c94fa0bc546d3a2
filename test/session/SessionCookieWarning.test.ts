import { assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import type { Options } from "../../src/config/Settings.ts"
import { forgetAll } from "../../src/internal/OncePerProcess.ts"
import { at, browser, config, type Log, start, visit } from "../Browser.ts"
import { forge } from "../crypto/Forge.ts"
import { otherSecret, password, secret } from "../Visitor.ts"

const name = "__Host-authjs.session-token"
const now = start / 1000

const options = (more: Partial<Options> = {}) => config({ providers: [password()], ...more })

beforeEach(forgetAll)

const holding = (token: string) => {
  const person = browser()
  person.cookies.set(name, token)
  return person
}

/** Log entries of a level, as tag and message. */
const logged = (log: Log, level: string) =>
  log.entries
    .filter((entry) => entry.level === level)
    .map(({ message }) => message as { readonly _tag: string; readonly message: string; readonly remedy: string })

const sealedWith = (ikm: string, times: object = {}) =>
  forge({ payload: { sub: "1", iat: now - 60, exp: now + 3600, ...times }, secret: ikm, salt: name })

describe("a session cookie that does not open", () => {
  it.effect("is one warning a process with the likely cause, however many requests bring one", () => {
    const log: Log = { entries: [] }
    return Effect.gen(function* () {
      for (let request = 0; request < 5; request++) {
        for (const token of [
          sealedWith(otherSecret),
          "junk",
          sealedWith(secret, { iat: now + 3600, exp: now + 7200 })
        ]) {
          assert.strictEqual((yield* holding(token).get("/auth/session")).body, "null")
        }
      }
      const warnings = logged(log, "Warn")
      assert.deepStrictEqual(
        warnings.map(({ _tag }) => _tag),
        ["session-cookie-unopened", "session-cookie-unopened"]
      )
      assert.match(warnings[0]?.message ?? "", /secret/)
      assert.match(warnings[1]?.message ?? "", /clocks/)
      assert.deepStrictEqual(logged(log, "Error"), [])
    }).pipe(at(options(), undefined, log))
  })

  it.play("names the clocks where they are the cause, and no secret that changed", visit(options()), function* (scene) {
    const { log } = scene
    for (const times of [{ iat: now + 301 }, { nbf: now + 16 }, { iat: now - 3600, exp: now - 16 }]) {
      yield* holding(sealedWith(secret, times)).get("/auth/session")
    }
    for (const { message, remedy } of [...logged(log, "Info"), ...logged(log, "Warn")]) {
      assert.match(`${message} ${remedy}`, /clocks/)
      assert.notMatch(`${message} ${remedy}`, /secret (?:or jwt\.secret )?(?:was )?changed|retiredSecrets/)
    }
    assert.strictEqual(logged(log, "Info").length, 3)
    assert.strictEqual(logged(log, "Warn").length, 1)
  })

  it.effect("is nothing to warn of when the session has ended, or where there is none", () => {
    const log: Log = { entries: [] }
    return Effect.gen(function* () {
      const person = browser()
      yield* person.get("/auth/session")
      yield* person.signInWithPassword()
      yield* person.session
      const kept = person.cookies.get(name) ?? ""
      yield* TestClock.adjust("31 days")
      assert.isNull(yield* holding(kept).session)
      assert.deepStrictEqual(logged(log, "Warn"), [])
    }).pipe(at(options(), undefined, log))
  })
})

describe("a session that is too large for servers", () => {
  const growing = (bytes: () => number) =>
    options({ callbacks: { jwt: ({ token }) => ({ ...token, data: "d".repeat(bytes()) }) } })

  it.effect("is written, and an error with its size when it is", () => {
    const log: Log = { entries: [] }
    const person = browser()
    let bytes = 4600
    return Effect.gen(function* () {
      yield* person.signInWithPassword()
      assert.isNotNull(yield* person.session)
      assert.deepStrictEqual(logged(log, "Error"), [], "2 cookies of 4096 bytes are none too many")
      bytes = 7500
      assert.isNotNull(yield* person.session)
      const size = [...person.cookies].reduce(
        (sum, [one, value]) => (one.startsWith(name) ? sum + `${one}=${value}; `.length : sum),
        0
      )
      const [error] = logged(log, "Error")
      assert.strictEqual(error?._tag, "JwtSessionError")
      assert.include(error?.message, `takes ${size} bytes`)
      // A session is reported once, not at every renewal.
      for (let request = 0; request < 5; request++) assert.isNotNull(yield* person.session)
      assert.strictEqual(logged(log, "Error").length, 1)
      bytes = 10
      assert.isNotNull(yield* person.session)
      bytes = 9000
      assert.isNotNull(yield* person.session)
      assert.strictEqual(logged(log, "Error").length, 2)
    }).pipe(
      at(
        growing(() => bytes),
        undefined,
        log
      )
    )
  })

  it.play("is reported at a sign-in", visit(growing(() => 8000)), function* ({ log, person }) {
    yield* person.signInWithPassword()
    assert.strictEqual(logged(log, "Error").length, 1)
    assert.isNotNull(yield* person.session)
    assert.strictEqual(logged(log, "Error").length, 1)
  })
})
