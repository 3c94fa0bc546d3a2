import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as DateTime from "effect/DateTime"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { Doorman } from "../src/Doorman.ts"
import { Jwt } from "../src/Jwt.ts"
import * as Keyring from "../src/Keyring.ts"
import { SharedState } from "../src/SharedState.ts"
import { otherSecret, secret } from "./Visitor.ts"
import { forLayer } from "./ForLayer.ts"
import { offline } from "./Offline.ts"

const options = { providers: [], origin: "https://app.example" }
const salt = "__Host-authjs.session-token"

/** The tokens of a doorman whose secrets come from this keyring. */
const jwtOf = <E>(keyring: Layer.Layer<Keyring.Keyring, E>, own?: string) =>
  Effect.map(
    Layer.build(Doorman.layer(forLayer({ ...options, secret: own })).pipe(Layer.provide([keyring, offline]))),
    (context) => Context.get(Context.get(context, Doorman).services, Jwt)
  )

const from = (env: Record<string, string>) => Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(env)))

const vault = Keyring.layerConfig(Config.Redacted("VAULT_NEW"), Config.Redacted("VAULT_OLD"))

describe("Keyring", () => {
  it.gen("seals with the newest and opens with all, for any value of the option", function* () {
    const before = yield* jwtOf(Keyring.layer(Redacted.make(secret)))
    const rotated = yield* jwtOf(Keyring.layer(Redacted.make(otherSecret), Redacted.make(secret)), secret)
    const after = yield* jwtOf(Keyring.layer(Redacted.make(otherSecret)), secret)
    const old = yield* before.encode({ sub: "1" }, salt)
    const fresh = yield* rotated.encode({ sub: "2" }, salt)
    assert.strictEqual((yield* rotated.decode(old, salt))?.sub, "1")
    assert.strictEqual((yield* after.decode(fresh, salt))?.sub, "2")
    assert.strictEqual((yield* Effect.flip(after.decode(old, salt)))._tag, "JwtSessionError")
    assert.strictEqual((yield* Effect.flip(before.decode(fresh, salt)))._tag, "JwtSessionError")
  })

  it.effect("is read from Config, each secret by its own name", () =>
    Effect.gen(function* () {
      const jwt = yield* jwtOf(vault)
      const newest = yield* jwtOf(Keyring.layer(Redacted.make(otherSecret)))
      assert.strictEqual((yield* newest.decode(yield* jwt.encode({ sub: "1" }, salt), salt))?.sub, "1")
    }).pipe(from({ VAULT_NEW: otherSecret, VAULT_OLD: secret }))
  )

  it.gen("fails as Config fails when one is not there", from({ VAULT_NEW: otherSecret }), function* () {
    const failure = yield* Effect.flip(Layer.build(vault))
    assert.strictEqual(failure._tag, "ConfigError")
    assert.include(failure.message, "VAULT_OLD")
  })

  it.gen("shows no secret", from({ VAULT_NEW: otherSecret, VAULT_OLD: secret }), function* () {
    const keyring = Context.get(yield* Layer.build(vault), Keyring.Keyring)
    for (const print of [inspect(keyring, { depth: 9, showHidden: true }), JSON.stringify(keyring)]) {
      assert.notInclude(print, secret)
      assert.notInclude(print, otherSecret)
    }
  })

  it.gen("rotates without a restart: nothing is forgotten, and an old secret opens until its date", function* () {
    const dayOf = (days: number) => DateTime.toDate(DateTime.makeUnsafe(days * 86_400_000))
    let keys: Effect.Effect<Keyring.Keys, string> = Effect.succeed({ secrets: [Redacted.make(secret)] })
    const keyring = Keyring.layerRefresh(
      Effect.suspend(() => keys),
      "1 minute"
    )
    const doorman = Context.get(
      yield* Layer.build(Doorman.layer(options).pipe(Layer.provide([keyring, offline, Logger.layer([])]))),
      Doorman
    )
    const before = yield* doorman.servicesHere
    const old = yield* Context.get(before, Jwt).encode({ sub: "1" }, salt)

    keys = Effect.succeed({
      secrets: [Redacted.make(otherSecret)],
      retired: [{ secret: Redacted.make(secret), until: dayOf(2) }]
    })
    assert.strictEqual(yield* doorman.servicesHere, before)
    yield* TestClock.adjust("1 minute")
    const after = yield* doorman.servicesHere
    const fresh = yield* Context.get(after, Jwt).encode({ sub: "2" }, salt)
    const newest = yield* jwtOf(Keyring.layer(Redacted.make(otherSecret)))
    assert.strictEqual((yield* newest.decode(fresh, salt)).sub, "2")
    assert.strictEqual((yield* Context.get(after, Jwt).decode(old, salt)).sub, "1")
    assert.strictEqual(Context.get(after, SharedState), Context.get(before, SharedState))

    // A read that fails, and a secret that cannot be used, change nothing.
    keys = Effect.fail("the vault is down")
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* doorman.servicesHere, after)
    keys = Effect.succeed({ secrets: [Redacted.make("")] })
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* doorman.servicesHere, after)

    yield* TestClock.adjust("2 days")
    assert.strictEqual((yield* Effect.flip(Context.get(after, Jwt).decode(old, salt)))._tag, "JwtSessionError")
    assert.strictEqual((yield* Context.get(after, Jwt).decode(fresh, salt)).sub, "2")
  })

  it.gen("keeps the last secrets where a later read hangs, and no request waits for it for long", function* () {
    let keys: Effect.Effect<Keyring.Keys> = Effect.succeed({ secrets: [Redacted.make(secret)] })
    const keyring = Keyring.layerRefresh(
      Effect.suspend(() => keys),
      "1 minute"
    )
    const doorman = Context.get(
      yield* Layer.build(Doorman.layer(options).pipe(Layer.provide([keyring, offline, Logger.layer([])]))),
      Doorman
    )
    const before = yield* doorman.servicesHere
    keys = Effect.never
    yield* TestClock.adjust("1 minute")
    const waiting = yield* Effect.forkChild(doorman.servicesHere)
    yield* TestClock.adjust("3 seconds")
    assert.strictEqual(yield* Fiber.join(waiting), before)

    keys = Effect.succeed({ secrets: [Redacted.make(otherSecret)] })
    const after = yield* doorman.servicesHere
    const newest = yield* jwtOf(Keyring.layer(Redacted.make(otherSecret)))
    const fresh = yield* Context.get(after, Jwt).encode({ sub: "2" }, salt)
    assert.strictEqual((yield* newest.decode(fresh, salt)).sub, "2")
  })

  it.gen("logs one line when reads begin to fail, and one when they succeed again", function* () {
    let keys: Effect.Effect<Keyring.Keys, string> = Effect.succeed({ secrets: [Redacted.make(secret)] })
    const keyring = Layer.succeed(Keyring.Keyring, { current: Effect.suspend(() => keys) })
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${inspect(message)}`))
    const doorman = Context.get(
      yield* Layer.build(Doorman.layer(options).pipe(Layer.provide([keyring, offline]))),
      Doorman
    )
    const requests = Effect.provide(Effect.repeat(doorman.servicesHere, { times: 20 }), Logger.layer([logger]))
    for (const _ of [1, 2]) {
      keys = Effect.fail("the vault is down")
      yield* requests
      keys = Effect.succeed({ secrets: [Redacted.make(secret)] })
      yield* requests
    }
    assert.lengthOf(lines, 4)
    assert.match(lines[0] ?? "", /^Error .*could not be read again/s)
    assert.match(lines[1] ?? "", /^Info .*are read again/s)
  })
})
