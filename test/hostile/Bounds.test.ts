import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { parseCookieHeader, readCookie } from "../../src/http/CookieHeader.ts"
import { customFetch } from "../../src/internal/Markers.ts"
import { layerMemory } from "../../src/SharedState.ts"
import { useOnce } from "../../src/storage/AdapterState.ts"
import { acme, facade, listener, network, options, ownSite, password, site, visitor } from "../Visitor.ts"

const full = (character: string) => character.repeat(65_000)

/** Requests of the largest size that is read, one of each kind. */
const largest: ReadonlyArray<readonly [string, () => Request]> = [
  ["a form", () => post("/auth/signout", `a=${full("b")}`, "application/x-www-form-urlencoded")],
  ["a form of escapes", () => post("/auth/signout", `a=${"%41".repeat(21_000)}`, "application/x-www-form-urlencoded")],
  ["a form of names", () => post("/auth/signout", "a&".repeat(32_000), "application/x-www-form-urlencoded")],
  ["JSON text", () => post("/auth/session", JSON.stringify({ data: full("b") }), "application/json")],
  [
    "JSON members",
    () =>
      post(
        "/auth/session",
        JSON.stringify(Object.fromEntries(Array.from({ length: 4900 }, (_, index) => [`m${index}`, index]))),
        "application/json"
      )
  ],
  ["JSON brackets", () => post("/auth/session", full("["), "application/json")],
  ["JSON escapes", () => post("/auth/session", `{"a":"${"\\u0041".repeat(10_000)}"}`, "application/json")],
  ["no JSON", () => post("/auth/session", full("{"), "application/json")],
  [
    "cookies",
    () => get("/auth/session", { cookie: Array.from({ length: 5000 }, (_, index) => `c${index}=${index}`).join("; ") })
  ],
  [
    "session chunks",
    () =>
      get("/auth/session", {
        cookie: Array.from({ length: 4000 }, (_, index) => `__Secure-authjs.session-token.${index}=x`).join("; ")
      })
  ],
  ["one session cookie", () => get("/auth/session", { cookie: `__Secure-authjs.session-token=${full("e")}` })],
  [
    "flow records",
    () =>
      get("/auth/callback/acme?state=x", {
        cookie: Array.from({ length: 2000 }, (_, index) => `__Host-authjs.flow.${index}=x`).join("; ")
      })
  ],
  ["a query", () => get(`/auth/signin?callbackUrl=${full("a")}`)],
  ["a query of names", () => get(`/auth/error?${"error=x&".repeat(8000)}`)],
  [
    "headers",
    () => get("/auth/session", Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`x-${index}`, "value"])))
  ],
  ["a path", () => get(`/auth/callback/${full("a")}`)]
]

const get = (path: string, headers: Record<string, string> = {}) => new Request(`${site}${path}`, { headers })
const post = (path: string, body: string, type: string) =>
  new Request(`${site}${path}`, { method: "POST", headers: { "content-type": type }, body })

describe("one request", () => {
  for (const [name, make] of largest) {
    it(`H297 of the largest size costs little: ${name}`, async () => {
      const at = facade(options())
      const answer = async () => {
        const response = await at(make())
        const body = await response.text()
        const headers = JSON.stringify([...response.headers]).length
        assert.isBelow(response.status, 500)
        assert.notStrictEqual(response.status, 413, "it is read, not refused for its size")
        assert.isAtMost(body.length + headers, 20_000)
      }
      await answer()
      // The time of the processor, not of the wall, and far from what is measured elsewhere: this finds what explodes.
      // Of thirty answers the least: other work of the machine only adds to it.
      let least = Number.POSITIVE_INFINITY
      for (let count = 0; count < 30 && least >= 20_000; count++) {
        const before = process.cpuUsage()
        await answer()
        const { system, user } = process.cpuUsage(before)
        least = Math.min(least, user + system)
      }
      assert.isBelow(least, 20_000)
    })
  }

  it("H297 pages are small", async () => {
    for (const path of ["signin", "signout", "error", "verify-request", "nope"]) {
      const response = await facade(options())(get(`/auth/${path}`, { accept: "text/html" }))
      assert.isAtMost((await response.text()).length, 20_000, path)
    }
  })
})

describe("floods", () => {
  it("H301 a hundred thousand headers and colliding names are read in time", async () => {
    const headers = new Headers()
    for (let index = 0; index < 100_000; index++) headers.append(`x-${index % 1000}`, "v")
    const response = await facade(options())(new Request(`${site}/auth/session`, { headers }))
    assert.strictEqual(response.status, 200)

    // Names of one hash bucket cannot be made for a seeded hash; names that differ in one place come nearest.
    const names = Array.from({ length: 200 }, (_, index) => `${"a".repeat(100)}${index}`)
    const posted = await facade(options())(
      post("/auth/signout", names.map((name) => `${name}=1`).join("&"), "application/x-www-form-urlencoded")
    )
    assert.strictEqual(posted.headers.get("location"), `${site}/auth/signin?error=MissingCSRF`)
  })

  it("H304 the work for cookies grows with their length, not with its square", () => {
    const header = (count: number) => Array.from({ length: count }, (_, index) => `s.${index}=x; s=${index}`).join("; ")
    const cost = (count: number) => {
      const text = header(count)
      const before = process.cpuUsage()
      for (let round = 0; round < 10; round++) readCookie(parseCookieHeader(text), "s")
      const { system, user } = process.cpuUsage(before)
      return user + system
    }
    cost(1000)
    assert.isBelow(cost(100_000), 2_000_000)
    const { candidates, names } = readCookie(parseCookieHeader(header(50_000)), "s")
    assert.isAtMost(candidates.length, 4)
    assert.isAtMost(names.length, 20)
  })
})

describe("what a stranger makes the server ask", () => {
  const metadata = {
    issuer: "https://idp.example",
    authorization_endpoint: "https://idp.example/authorize",
    token_endpoint: "https://idp.example/token",
    jwks_uri: "https://idp.example/keys"
  }
  const oidc = (fetch: typeof globalThis.fetch) =>
    acme({
      id: "oidc",
      type: "oidc",
      issuer: "https://idp.example",
      authorization: undefined,
      token: undefined,
      userinfo: undefined,
      [customFetch]: fetch
    })

  it("H302 is the metadata of the provider, once", async () => {
    const { asked, fetch } = network(() => Response.json(metadata))
    const config = options({ providers: [password(), oidc(fetch)] })
    for (let count = 0; count < 5; count++) {
      const browser = visitor(facade(config))
      for (const path of [
        "session",
        "csrf",
        "providers",
        "signin",
        "signout",
        "error",
        "callback/oidc",
        "callback/oidc?code=c&state=s",
        "callback/oidc?error=x"
      ]) {
        await browser.get(`/auth/${path}`)
      }
      await browser.post("/auth/signin/oidc", {})
      const started = await browser.submit("/auth/signin/oidc")
      assert.include(started.headers.get("location") ?? "", "https://idp.example/authorize?")
    }
    assert.deepStrictEqual(asked, ["https://idp.example/.well-known/openid-configuration"])
  })

  it("H302 and is not asked again at once by every request when it failed", async () => {
    const { asked, fetch } = network()
    const config = ownSite({ providers: [oidc(fetch)], logger: listener().logger })
    for (let count = 0; count < 5; count++) {
      const response = await visitor(facade(config)).submit("/auth/signin/oidc")
      assert.include(response.headers.get("location") ?? "", "error=OAuthSignin")
    }
    assert.isAtMost(asked.length, 1)
  })
})

describe("what is remembered", () => {
  it.gen("H303 used attempts are forgotten by age, and not for others", Effect.provide(layerMemory), function* () {
    const began = 1_800_000_000_000
    yield* TestClock.setTime(began)
    const use = (key: string) => useOnce(undefined, "flow", key, began + 960_000)
    assert.isTrue(yield* use("first"))
    assert.isFalse(yield* use("first"))
    for (let index = 0; index < 20_001; index++) yield* use(`${index}`)
    assert.isFalse(yield* use("first"))
    yield* TestClock.adjust("18 minutes")
    assert.isTrue(yield* use("first"), "what would be refused as expired was forgotten")
  })
})
