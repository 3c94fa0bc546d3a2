import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { skipCSRFCheck } from "../../src/index.ts"
import { at, browser, config, cookieOf, type Log } from "../Browser.ts"
import { idp, idpSecret, memoryProvider } from "../MemoryProvider.ts"
import { secret, site } from "../Visitor.ts"

describe("GET csrf", () => {
  it.effect("gives the token of this browser, with its cookie the first time", () =>
    Effect.gen(function* () {
      const person = browser()
      const first = yield* person.get("/auth/csrf")
      const { csrfToken } = JSON.parse(first.body)
      assert.match(csrfToken, /^[0-9a-f]{64}$/)
      assert.deepStrictEqual(
        first.lines.map((line) => cookieOf(line).value.slice(0, 67)),
        [`${csrfToken}%7C`]
      )
      const second = yield* person.get("/auth/csrf")
      assert.strictEqual(second.body, first.body)
      assert.deepStrictEqual(second.lines, [])
    }).pipe(at())
  )

  it.effect("is not there when the framework checks itself, and says so to the operator", () => {
    const log: Log = { entries: [] }
    return Effect.gen(function* () {
      const person = browser()
      person.cookies.set("__Host-authjs.csrf-token", "left over")
      const seen = yield* person.get("/auth/csrf")
      assert.strictEqual(seen.status, 404)
      assert.strictEqual(seen.body, "")
      assert.isFalse(person.cookies.has("__Host-authjs.csrf-token"))
      assert.deepStrictEqual(
        log.entries.map(({ level, message }) => [level, (message as { readonly _tag: string })._tag]),
        [["Warn", "csrf-disabled"]]
      )
    }).pipe(at(config({ skipCSRFCheck }), undefined, log))
  })

  it.effect("is for GET", () =>
    Effect.gen(function* () {
      const seen = yield* browser().send("POST", "/auth/csrf")
      assert.strictEqual(seen.status, 405)
      assert.strictEqual(seen.headers.get("allow"), "GET")
    }).pipe(at())
  )
})

describe("GET providers", () => {
  it.effect("lists what is public, with addresses of this site", () => {
    const provider = memoryProvider()
    return Effect.gen(function* () {
      const seen = yield* browser().get("/auth/providers")
      assert.deepStrictEqual(JSON.parse(seen.body), {
        idp: {
          id: "idp",
          name: "Identity",
          type: "oidc",
          signinUrl: `${site}/auth/signin/idp`,
          callbackUrl: `${site}/auth/callback/idp`
        },
        credentials: {
          id: "credentials",
          name: "Password",
          type: "credentials",
          signinUrl: `${site}/auth/signin/credentials`,
          callbackUrl: `${site}/auth/callback/credentials`
        }
      })
      assert.deepStrictEqual(seen.lines, [])
      assert.deepStrictEqual(provider.received, [], "nothing is asked of a provider for that")
    }).pipe(at(config(), provider))
  })

  it.effect("H277 tells nothing of the configuration beyond that", () =>
    Effect.gen(function* () {
      const { body } = yield* browser().get("/auth/providers")
      for (const hidden of [idpSecret, secret, "client-1", "idp.example"]) assert.notInclude(body, hidden)
    }).pipe(at())
  )

  it.effect("is for GET", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* browser().send("POST", "/auth/providers")).status, 405)
    }).pipe(at())
  )

  it.effect("is empty without providers", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* browser().get("/auth/providers")).body, "{}")
    }).pipe(at(config({ providers: [] })))
  )

  it.effect("is asked of no provider, however often", () => {
    const provider = memoryProvider()
    return Effect.gen(function* () {
      for (const path of ["providers", "csrf", "session", "signin", "signout", "error", "verify-request"]) {
        yield* browser().get(`/auth/${path}`)
      }
      assert.deepStrictEqual(provider.received, [])
      yield* browser().leave()
      yield* browser().leave()
      assert.deepStrictEqual(
        provider.received.map(({ path }) => path),
        ["/.well-known/openid-configuration"]
      )
    }).pipe(at(config({ providers: [idp()] }), provider))
  })
})
