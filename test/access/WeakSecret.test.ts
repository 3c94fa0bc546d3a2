import { dateAt } from "../../src/internal/DateAt.ts"
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { Doorman } from "../../src/Doorman.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import * as Keyring from "../../src/Keyring.ts"
import { encode } from "../../src/compat/Token.ts"
import { options, secret } from "../Visitor.ts"
import { site, start, text } from "./Site.ts"
import { offline } from "../Offline.ts"
import { forLayer } from "../ForLayer.ts"

const weak = "pa55word"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

/** A token that an attacker who guessed the secret made. */
const forged = (salt: string) =>
  Effect.promise(async () => {
    vi.useFakeTimers({ now: start, toFake: ["Date"] })
    const token = await encode({ token: { sub: "1", name: "Ann" }, secret: weak, salt })
    vi.useRealTimers()
    return token
  })

const routes = HttpRouter.add(
  "GET",
  "/",
  Effect.map(Effect.result(Http.session(Access.Default)), (found) =>
    text(
      Result.isFailure(found)
        ? found.failure._tag
        : Option.match(found.success, { onNone: () => "nobody", onSome: ({ user }) => String(user.name) })
    )
  )
)

describe("a weak secret behind a layer", () => {
  it.gen("H289, P241 without an origin serves this machine, and no public address", function* () {
    vi.stubEnv("NODE_ENV", undefined)
    vi.stubEnv("AUTH_URL", undefined)
    const { ask, errors } = yield* site(routes, { secret: weak, origin: undefined })
    const at = (origin: string, path: string, prefix: string) =>
      Effect.flatMap(forged(`${prefix}authjs.session-token`), (token) =>
        ask(new Request(`${origin}${path}`, { headers: { cookie: `${prefix}authjs.session-token=${token}` } }))
      )
    const local = yield* at("http://localhost:3000", "/", "")
    assert.strictEqual(yield* Effect.promise(() => local.text()), "Ann")
    const open = yield* at("https://app.example", "/", "__Secure-")
    assert.strictEqual(yield* Effect.promise(() => open.text()), "SessionUnavailable")
    for (const path of ["session", "csrf", "providers", "signin"]) {
      const answer = yield* at("https://app.example", `/auth/${path}`, "__Secure-")
      assert.deepStrictEqual([answer.status, yield* Effect.promise(() => answer.text())], [500, "null"], path)
    }
    const again = yield* at("http://localhost:3000", "/", "")
    assert.strictEqual(yield* Effect.promise(() => again.text()), "SessionUnavailable", "a public request came before")
    assert.include(errors(), "WeakSecret")
  })

  it.effect.each([
    ["production", "http://localhost:3000", undefined],
    [undefined, "https://app.example", undefined],
    [undefined, undefined, "https://app.example/auth"],
    [undefined, "https://app.example", "http://localhost:3000/auth"],
    ["staging", undefined, "https://app.example/auth"]
  ])("H289, P241 fails it with NODE_ENV %s, origin %s, AUTH_URL %s", ([nodeEnv, origin, authUrl]) => {
    vi.stubEnv("NODE_ENV", nodeEnv)
    vi.stubEnv("AUTH_URL", authUrl)
    return Effect.gen(function* () {
      const layer = Doorman.layer(forLayer({ ...options({ secret: weak }), origin })).pipe(Layer.provide(offline))
      assert.strictEqual((yield* Effect.flip(Layer.build(layer)))._tag, "WeakSecret")
    })
  })

  it.effect.each([
    ["development", undefined, undefined],
    [undefined, "http://localhost:3000", undefined],
    [undefined, undefined, "http://localhost:3000/auth"]
  ])("H289 is a warning with NODE_ENV %s, origin %s, AUTH_URL %s", ([nodeEnv, origin, authUrl]) => {
    vi.stubEnv("NODE_ENV", nodeEnv)
    vi.stubEnv("AUTH_URL", authUrl)
    return Effect.gen(function* () {
      const { ask, told } = yield* site(routes, { secret: weak, origin })
      const cookie = `authjs.session-token=${yield* forged("authjs.session-token")}`
      const local = yield* ask(new Request("http://localhost:3000/", { headers: { cookie } }))
      assert.strictEqual(yield* Effect.promise(() => local.text()), "Ann")
      const warned = told.logged.filter(({ message }) => String(message).includes("WeakSecret"))
      assert.deepStrictEqual(
        warned.map(({ level }) => level),
        ["Warn"]
      )
    })
  })
})

describe("a keyring with retired secrets", () => {
  it.gen("P242 opens sessions until the date, and shows no secret", function* () {
    const salt = "__Host-authjs.session-token"
    const token = yield* forged(salt)
    const until = dateAt(start + 1000)
    const keyring = Layer.succeed(Keyring.Keyring, {
      current: Effect.succeed<Keyring.Keys>({
        secrets: [Redacted.make(secret)],
        retired: [{ secret: Redacted.make(weak), until }]
      })
    })
    const sites = [
      site(routes).pipe(Effect.provide(keyring)),
      site(routes, { retiredSecrets: [{ secret: weak, until }] })
    ]
    for (const build of sites) {
      const { get, told } = yield* build
      const ask = Effect.flatMap(get("/", { cookie: `${salt}=${token}` }), (answer) =>
        Effect.promise(() => answer.text())
      )
      assert.strictEqual(yield* ask, "Ann")
      yield* TestClock.setTime(until.getTime())
      assert.strictEqual(yield* ask, "nobody")
      assert.notInclude(inspect(told, { depth: 9 }), weak)
    }
  })
})
