import { assert, describe, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { layer as settingsLayer } from "../../src/config/Settings.ts"
import { keyring } from "../../src/crypto/Keyring.ts"
import * as Jwe from "../../src/crypto/Jwe.ts"
import { openWith, Seal } from "../../src/browser/Seal.ts"
import { config, start } from "../Browser.ts"
import { countedBytes, otherSecret, secret } from "../Visitor.ts"

const layer = (secrets: string | Array<string> = secret, bytes = countedBytes()) =>
  Layer.fresh(Seal.layer).pipe(
    Layer.provide(Layer.merge(settingsLayer(config({ secret: secrets })), bytes)),
    Layer.tap(() => TestClock.setTime(start))
  )

describe("Seal", () => {
  it.effect("opens what it sealed, with the times of the clock and an identifier of its own", () =>
    Effect.gen(function* () {
      const { open, seal } = yield* Seal
      const opened = yield* open("purpose", yield* seal("purpose", { value: "v", exp: 1, iat: 2, jti: "3" }, 900))
      assert.isTrue(opened.ok)
      if (!opened.ok) return
      assert.deepInclude(opened.claims, { value: "v", iat: start / 1000, exp: start / 1000 + 900 })
      assert.match(
        String(opened.claims["jti"]),
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
      )
    }).pipe(Effect.provide(layer()))
  )

  it.gen("P239 opens nothing that was sealed for another purpose", Effect.provide(layer()), function* () {
    const { open, seal } = yield* Seal
    const purposes = [
      "authjs.session-token",
      "__Secure-authjs.session-token",
      "authjs.state",
      "authjs.nonce",
      "encodedState"
    ]
    for (const from of purposes) {
      const token = yield* seal(from, { value: "v" }, 900)
      for (const to of purposes) assert.strictEqual((yield* open(to, token)).ok, from === to, `${from} as ${to}`)
    }
  })

  it.gen("ends after its time, with fifteen seconds for clocks that differ", Effect.provide(layer()), function* () {
    const { open, seal } = yield* Seal
    const token = yield* seal("purpose", {}, 900)
    yield* TestClock.adjust("914 seconds")
    assert.isTrue((yield* open("purpose", token)).ok)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* open("purpose", token), { ok: false, reason: "expired" })
  })

  it.effect("opens with other secrets at the same time", () =>
    Effect.gen(function* () {
      const { seal } = yield* Seal
      const token = yield* seal("purpose", {}, 900)
      const expired = { ok: false, reason: "expired" } as const
      assert.isTrue((yield* openWith([secret], "purpose", token, false)).ok)
      yield* TestClock.adjust("915 seconds")
      assert.deepStrictEqual(yield* openWith([secret], "purpose", token, false), expired)
    }).pipe(Effect.provide(layer()))
  )

  it.gen("says why it refuses, and never fails", Effect.provide(layer()), function* () {
    const { open, seal } = yield* Seal
    const token = yield* seal("purpose", {}, 900)
    const foreign = yield* Effect.provide(
      Seal.use((other) => other.seal("purpose", {}, 900)),
      layer(otherSecret)
    )
    const reasons = yield* Effect.forEach(
      ["", "junk", `${token}A`, token.replace(/.$/, (end) => (end === "A" ? "Q" : "A")), foreign, "x".repeat(40_000)],
      (one) => Effect.map(open("purpose", one), (opened) => (opened.ok ? "open" : opened.reason))
    )
    assert.deepStrictEqual(reasons, [
      "token_malformed",
      "token_malformed",
      "not_authentic",
      "not_authentic",
      "key_unknown",
      "token_too_large"
    ])
  })

  it.effect("P242 opens with every secret and seals with the newest", () =>
    Effect.gen(function* () {
      const old = yield* Effect.provide(
        Seal.use((other) => other.seal("purpose", {}, 900)),
        layer(otherSecret)
      )
      const { open, seal } = yield* Seal
      const opened = yield* open("purpose", old)
      assert.isTrue(opened.ok && opened.keyIndex === 1 && !opened.current)
      const fresh = yield* seal("purpose", {}, 900)
      const there = Jwe.open(keyring([secret], "purpose"), fresh, { now: start / 1000 }) as Jwe.Opened
      assert.isTrue(there.ok)
    }).pipe(Effect.provide(layer([secret, otherSecret])))
  )

  it.effect("draws an initialisation vector and an identifier for every token", () => {
    const sizes: Array<number> = []
    const bytes = Layer.succeed(
      SecureRandom.SecureRandom,
      SecureRandom.make((size) => {
        sizes.push(size)
        return new Uint8Array(size).fill(sizes.length)
      })
    )
    return Effect.gen(function* () {
      const { seal } = yield* Seal
      const tokens = yield* Effect.all([seal("purpose", {}, 900), seal("purpose", {}, 900)])
      assert.notStrictEqual(tokens[0]?.split(".")[2], tokens[1]?.split(".")[2])
      assert.deepStrictEqual(sizes, [32, 32])
    }).pipe(Effect.provide(layer(secret, bytes)))
  })

  it.gen("P239 refuses claims that could not be opened again", Effect.provide(layer()), function* () {
    const { seal } = yield* Seal
    const circular: Record<string, unknown> = {}
    circular["self"] = circular
    for (const claims of [circular, { big: 1n }, JSON.parse('{"__proto__":1}')]) {
      const exit = yield* Effect.exit(seal("purpose", claims, 900))
      assert.strictEqual(exit._tag, "Failure")
    }
  })
})
