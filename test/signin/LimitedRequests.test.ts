/** What limits have an effect on at the edge: headers of a refusal, the address of a client, forms without fields. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spendGuess } from "../../src/signin/Limits.ts"
import { layerMemory } from "../../src/SharedState.ts"
import { headersOf } from "../../src/http/ProblemDetails.ts"
import { compile } from "../../src/config/Settings.ts"
import { facade, listener, ownSite as options, password, visitor } from "../Visitor.ts"

const limits = { basePath: "/auth", secrets: [] }

describe("a refused attempt", () => {
  it("H191 says when to try again, to browsers and to programs", async () => {
    const at = facade(options({ providers: [password(() => null)] }))
    const send = (headers: Readonly<Record<string, string>> = {}) =>
      visitor(at).submit("/auth/callback/credentials", { username: "ann", password: "x" }, headers)
    for (let index = 0; index < 10; index++) assert.isNull((await send()).headers.get("retry-after"))
    for (const headers of [{}, { accept: "application/json" }, { "x-auth-return-redirect": "1" }]) {
      const response = await send(headers)
      assert.strictEqual(response.status, "accept" in headers ? 429 : "x-auth-return-redirect" in headers ? 200 : 302)
      assert.match(response.headers.get("retry-after") ?? "", /^(?:5\d|60)$/)
      assert.strictEqual(response.headers.get("ratelimit-policy"), '"account";q=20;w=1200')
      assert.match(response.headers.get("ratelimit") ?? "", /^"account";r=0;t=(?:5\d|60)$/)
    }
  })

  it.gen("H191 names the budget that is spent and whole seconds", Effect.provide(layerMemory), function* () {
    const spendOnce = spendGuess(limits, ["ann"], undefined)
    for (let index = 0; index < 10; index++) yield* spendOnce
    assert.deepStrictEqual(headersOf(yield* Effect.flip(spendOnce)), {
      "retry-after": "60",
      "ratelimit-policy": '"account";q=20;w=1200',
      ratelimit: '"account";r=0;t=60'
    })
  })
})

describe("clientAddress", () => {
  const guesses = async (clientAddress: (headers: Headers) => string | null, provider: object) => {
    let asked = 0
    const authorize = () => {
      asked++
      return null
    }
    const at = facade(options({ providers: [password(authorize, provider)], clientAddress }))
    const browser = visitor(at)
    for (let index = 0; index < 150; index++)
      await browser.submit(
        `/auth/callback/${"id" in provider ? String(provider.id) : "credentials"}`,
        { username: `user ${index}`, password: "x" },
        { "x-client": "203.0.113.9" }
      )
    return asked
  }

  it("H191 limits the guesses of one client at any accounts, and of forms without fields", async () => {
    const header = (headers: Headers) => headers.get("x-client")
    assert.isAtMost(await guesses(header, { id: "first" }), 105)
    assert.isAtMost(await guesses(header, { id: "second", credentials: {} }), 105)
  })

  it("counts for nothing where it fails, or names a proxy", async () => {
    const failing = () => {
      throw new Error("no")
    }
    assert.strictEqual(await guesses(failing, { id: "third" }), 150)
    assert.strictEqual(await guesses(() => "192.168.1.1", { id: "fourth" }), 150)
    assert.strictEqual(await guesses(() => null, { id: "fifth" }), 150)
  })
})

describe("a form without declared fields", () => {
  it("is one warning at the start", async () => {
    const given = options({ providers: [password(() => null, { credentials: {} })] })
    const found = compile(given).problems()
    assert.deepStrictEqual(
      found.map(({ error, level }) => [error.field, level]),
      [["providers.credentials.credentials", "warning"]]
    )
    const { logger, told } = listener()
    const browser = visitor(facade({ ...given, logger }))
    for (let index = 0; index < 5; index++) await browser.signIn()
    assert.lengthOf(
      told.advice.filter((text) => text.includes("declares no field")),
      1
    )
  })
})
