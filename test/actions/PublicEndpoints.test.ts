import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { skipCSRFCheck } from "../../src/index.ts"
import { at, browser, config, cookieOf, type Log, visit } from "../Browser.ts"
import { idp, idpSecret } from "../MemoryProvider.ts"
import { secret, site } from "../Visitor.ts"

describe("GET csrf", () => {
  it.gen("gives the token of this browser, with its cookie the first time", at(), function* () {
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
  })

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

  it.gen("is for GET", at(), function* () {
    const seen = yield* browser().send("POST", "/auth/csrf")
    assert.strictEqual(seen.status, 405)
    assert.strictEqual(seen.headers.get("allow"), "GET")
  })
})

describe("GET providers", () => {
  it.play("lists what is public, with addresses of this site", visit(), function* ({ provider }) {
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
  })

  it.gen("H277 tells nothing of the configuration beyond that", at(), function* () {
    const { body } = yield* browser().get("/auth/providers")
    for (const hidden of [idpSecret, secret, "client-1", "idp.example"]) assert.notInclude(body, hidden)
  })

  it.gen("is for GET", at(), function* () {
    assert.strictEqual((yield* browser().send("POST", "/auth/providers")).status, 405)
  })

  it.gen("is empty without providers", at(config({ providers: [] })), function* () {
    assert.strictEqual((yield* browser().get("/auth/providers")).body, "{}")
  })

  it.play("is asked of no provider, however often", visit(config({ providers: [idp()] })), function* ({ provider }) {
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
  })
})
