/** Differences of platforms at the exchange of a refresh token, as data of their presets. */
import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { makeMemory } from "../../src/Adapter.ts"
import HubSpot from "../../src/compat/providers/hubspot.ts"
import Instagram from "../../src/compat/providers/instagram.ts"
import Salesforce from "../../src/compat/providers/salesforce.ts"
import Strava from "../../src/compat/providers/strava.ts"
import Threads from "../../src/compat/providers/threads.ts"
import Twitch from "../../src/compat/providers/twitch.ts"
import Zoho from "../../src/compat/providers/zoho.ts"
import type { Options } from "../../src/config/Settings.ts"
import { asUserId } from "../../src/models/Id.ts"
import { createAuth, customFetch } from "../../src/index.ts"
import { forFunctions } from "../ForFunctions.ts"
import { acme, ownSite, visitor } from "../Visitor.ts"

type Name = "hubspot" | "instagram" | "salesforce" | "strava" | "threads" | "twitch" | "zoho"
type Provider = Options["providers"][number]

const presets: Readonly<Record<Name, (options: object) => Provider>> = {
  hubspot: HubSpot,
  instagram: Instagram,
  salesforce: Salesforce,
  strava: Strava,
  threads: Threads,
  twitch: Twitch,
  zoho: Zoho
}

const issuers: Partial<Record<Name, string>> = {
  salesforce: "https://login.salesforce.com",
  twitch: "https://id.twitch.tv/oauth2"
}

/** Asks for the token of an account whose access token has ended, of a platform that answers the refresh so. */
const ask = async (name: Name, answer: object, status = 200) => {
  const adapter = makeMemory()
  const issuer = issuers[name] ?? ""
  let sent = 0
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { url } = new Request(input, init)
    if (url.endsWith("/.well-known/openid-configuration")) {
      const endpoint = (path: string) => `${issuer}/${path}`
      return Promise.resolve(
        Response.json({
          issuer,
          authorization_endpoint: endpoint("authorize"),
          token_endpoint: endpoint("token"),
          jwks_uri: endpoint("keys"),
          userinfo_endpoint: endpoint("userinfo")
        })
      )
    }
    sent++
    return Promise.resolve(Response.json(answer, { status }))
  }
  const provider = presets[name]({
    clientId: "client",
    clientSecret: "a secret of the client 0123456789",
    [customFetch]: fetch
  })
  const userId = await Effect.runPromise(
    Effect.gen(function* () {
      const user = yield* adapter.createUser({ id: asUserId("ada"), email: "ada@example.com", emailVerified: null })
      yield* adapter.linkAccount({
        userId: user.id,
        type: issuer === "" ? "oauth" : "oidc",
        provider: name,
        providerAccountId: "1",
        access_token: "ended",
        refresh_token: "the refresh token",
        expires_at: 1
      })
      return user.id
    })
  )
  const auth = createAuth(forFunctions({ ...ownSite({ adapter, providers: [provider] }), env: {} }))
  const token = auth.providerTokens.get({ userId, provider: name })
  const result = await token.then(
    ({ accessToken, expiresAt }) => ({ accessToken, expiresAt }),
    (failure: unknown) => ({ failed: String(Reflect.get(Object(failure), "_tag")) })
  )
  const account = Option.getOrThrow(await Effect.runPromise(adapter.getAccount("1", name)))
  return { account, result, sent }
}

const issued = { access_token: "new", token_type: "Bearer" }

describe("a refresh token that a platform refuses in a form of its own", () => {
  it.each([
    ["hubspot", 400, { status: "BAD_REFRESH_TOKEN", message: "missing or invalid refresh token" }],
    ["twitch", 400, { error: "Bad Request", status: 400, message: "Invalid refresh token" }],
    ["zoho", 200, { error: "invalid_code" }],
    [
      "strava",
      400,
      { message: "Bad Request", errors: [{ resource: "RefreshToken", field: "refresh_token", code: "invalid" }] }
    ]
  ] as const)("of %s is sent once, and the user signs in again", async (name, status, answer) => {
    const { account, result, sent } = await ask(name, answer, status)
    assert.deepStrictEqual(result, { failed: "ReauthenticationRequired" })
    assert.isUndefined(account.refresh_token ?? undefined)
    assert.strictEqual(sent, 1)
  })

  it.each([
    ["hubspot", { status: "error", message: "internal error" }],
    ["twitch", { error: "Bad Request", status: 400, message: "missing client id" }],
    ["strava", { message: "Bad Request", errors: [{ resource: "Application", field: "client_id", code: "invalid" }] }]
  ] as const)("of %s is kept after another failure", async (name, answer) => {
    const { account, result } = await ask(name, answer, 400)
    assert.deepStrictEqual(result, { failed: "ProviderTokenError" })
    assert.strictEqual(account.refresh_token, "the refresh token")
  })
})

describe("a token whose end a platform does not say", () => {
  it.each([
    ["twitch", 3600],
    ["salesforce", 900],
    ["instagram", 3600],
    ["threads", 3600]
  ] as const)("of %s is refreshed after %d seconds", async (name, seconds) => {
    const before = Math.floor(Date.now() / 1000)
    const { account, result } = await ask(name, issued)
    const after = Math.ceil(Date.now() / 1000)
    assert.strictEqual("accessToken" in result ? result.accessToken : result.failed, "new")
    assert.isAtLeast(account.expires_at ?? 0, before + seconds)
    assert.isAtMost(account.expires_at ?? 0, after + seconds)
    assert.strictEqual(
      (await ask(name, { ...issued, expires_in: 50 })).account.expires_at,
      Math.floor(Date.now() / 1000) + 50
    )
  })

  it("of another platform does not end", async () => {
    const { account } = await ask("zoho", issued)
    assert.isUndefined(account.expires_at ?? undefined)
  })

  it("is not refreshed without a refresh token: it may be valid for longer, and has no end", async () => {
    const withRefreshToken = { ...issued, refresh_token: "the refresh token" }
    for (const [answer, seconds] of [
      [issued, undefined],
      [withRefreshToken, 900],
      [{ ...issued, expires_in: 50 }, 50]
    ] as const) {
      const adapter = makeMemory()
      const fetch: typeof globalThis.fetch = (input, init) =>
        Promise.resolve(Response.json(new Request(input, init).url.endsWith("/userinfo") ? { id: "1" } : answer))
      const conform: unknown = Reflect.get(
        Object(Reflect.get(presets.salesforce({ clientId: "client" }), "token")),
        "conform"
      )
      const provider = acme({ token: { url: "https://acme.example/token", conform }, [customFetch]: fetch })
      const auth = createAuth(forFunctions({ ...ownSite({ adapter, providers: [provider] }), env: {} }))
      vi.useFakeTimers({ now: 1_900_000_000_000, toFake: ["Date"] })
      const browser = visitor(auth.handler)
      const begun = await browser.submit("/auth/signin/acme")
      const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? ""
      await browser.get(`/auth/callback/acme?${new URLSearchParams({ code: "code", state })}`)
      const { expires_at, userId } = Option.getOrThrow(await Effect.runPromise(adapter.getAccount("1", "acme")))
      assert.strictEqual(expires_at, seconds && 1_900_000_000 + seconds)
      vi.setSystemTime(1_900_000_000_000 + 3_600_000)
      const token = auth.providerTokens.get({ userId, provider: "acme" })
      const result = await token.then(
        ({ accessToken }) => accessToken,
        (failure: unknown) => Reflect.get(Object(failure), "_tag")
      )
      assert.strictEqual(
        result,
        answer === withRefreshToken || seconds === undefined ? "new" : "ReauthenticationRequired"
      )
      const [account] = (await auth.accounts.list(userId)).accounts
      assert.strictEqual(account?.reauthenticationRequired, seconds === 50 ? true : undefined)
      vi.useRealTimers()
    }
  })
})
