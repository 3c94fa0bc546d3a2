/**
 * The promises of cookie names are checked for the cookies that a request uses.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import { Doorman } from "../../src/Doorman.ts"
import type { Options } from "../../src/config/Settings.ts"
import { facade, listener, options } from "../Visitor.ts"
import { forLayer } from "../ForLayer.ts"

const own: NonNullable<Options["cookies"]> = {
  sessionToken: { name: "__Secure-own.session" },
  csrfToken: { name: "__Host-own.csrf" }
}
/** Browsers drop the session cookie: its name has the prefix. */
const withDomain: NonNullable<Options["cookies"]> = {
  sessionToken: { name: "__Host-own.session", options: { domain: "app.example" } }
}

const answers = async (more: Partial<Options>) => {
  const { logger } = listener()
  const config = options({ ...more, logger })
  const status = async (origin: string) => (await facade(config)(new Request(`${origin}/auth/session`))).status
  return { http: await status("http://localhost:3000"), https: await status("https://app.example") }
}

describe("a cookie name with a prefix", () => {
  it("works over https, and over http as far as browsers take it", async () => {
    assert.deepInclude(await answers({ cookies: own }), { http: 200, https: 200 })
    const answer = (origin: string) => facade(options({ cookies: own }))(new Request(`${origin}/auth/csrf`))
    assert.include(String((await answer("https://app.example")).headers.getSetCookie()), "__Host-own.csrf=")
    assert.include(String((await answer("http://localhost:3000")).headers.getSetCookie()), "authjs.csrf-token=")
  })
  it("whose promise is broken over https stops https and nothing else", async () => {
    assert.deepInclude(await answers({ cookies: withDomain }), { http: 200, https: 500 })
    assert.deepInclude(await answers({ cookies: withDomain, useSecureCookies: true }), { http: 500, https: 500 })
    assert.deepInclude(await answers({ cookies: withDomain, useSecureCookies: false }), { http: 200, https: 200 })
  })
  it("is not asked for promises where no request uses it", async () => {
    assert.deepInclude(await answers({ cookies: own, useSecureCookies: true }), { http: 200, https: 200 })
  })
  it("stops everything when it cannot be written, or is that of another cookie", async () => {
    for (const cookies of [
      { sessionToken: { name: "my session" } },
      { csrfToken: { name: "own" }, callbackUrl: { name: "own" } },
      { state: { name: "own" }, webauthnChallenge: { name: "own" } },
      { state: { name: "__Secure-authjs.session-token" } }
    ]) {
      assert.strictEqual((await answers({ cookies })).http, 500)
      assert.strictEqual((await answers({ cookies })).https, 500)
    }
  })
  const dropped = { name: "__Host-own", options: { domain: "app.example" } }
  it.each([
    ["state", dropped, "errors"],
    ["csrfToken", dropped, "errors"],
    ["callbackUrl", dropped, "errors"],
    ["webauthnChallenge", dropped, "errors"],
    ["csrfToken", { name: "my token" }, "errors"]
  ] as const)("that concerns %s alone stops no other cookie: %o is one of the %s", async (key, cookie, level) => {
    const { logger, told } = listener()
    const secret = `prefixes ${JSON.stringify([key, cookie])} 0123456789-abcdefghijklmn`
    const site = facade(options({ cookies: { [key]: cookie }, logger, secret }))
    const answer = await site(new Request("https://app.example/auth/csrf"))
    assert.strictEqual(answer.status, 200)
    assert.include(String(answer.headers.getSetCookie()), "__Host-authjs.csrf-token=")
    const lines = told[level].map(String).filter((line) => line.includes(`cookies.${key}`))
    assert.lengthOf(lines, 1, JSON.stringify([told.errors.map(String), told.advice]))
  })
  it.gen("is checked by a layer for its origin", function* () {
    const client = Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make(() => Effect.die("nothing is fetched"))
    )
    const isBuilt = (origin: string | undefined, cookies: NonNullable<Options["cookies"]>) =>
      Effect.map(
        Effect.exit(
          Effect.scoped(Layer.build(Layer.provide(Doorman.layer(forLayer({ ...options(), origin, cookies })), client)))
        ),
        Exit.isSuccess
      )
    assert.isTrue(yield* isBuilt("http://localhost:3000", withDomain))
    assert.isFalse(yield* isBuilt("https://app.example", withDomain))
    assert.isTrue(yield* isBuilt("http://localhost:3000", own))
    assert.isTrue(yield* isBuilt(undefined, own))
  })
})
