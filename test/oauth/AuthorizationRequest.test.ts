/** The address of an authorization request: which parameters it has, whose they are, and in what order. */
import { assert, describe, it } from "@effect/vitest"
import { type AuthorizationUrlRequest, writeRequest } from "../../src/oauth/AuthorizationRequest.ts"
import type { RedirectProvider } from "../../src/Provider/internal/Provider.ts"
import { WeChat } from "../../src/Provider/WeChat.ts"
import { redirectOf } from "../Provider/Read.ts"

// A provider has many members: these are what its authorization request depends on.
const provider = (type: "oidc" | "oauth", parameters: Record<string, string> = {}) =>
  ({
    type,
    clientId: "client-1",
    authorization: {},
    authorizationParameters: Object.entries(parameters)
  }) as unknown as RedirectProvider

const attempt: AuthorizationUrlRequest = {
  redirectUri: "https://app.example/callback",
  state: "state-1",
  nonce: undefined,
  codeChallenge: undefined,
  parameters: []
}

const endpoint = "https://idp.example/authorize"

const parametersOf = (
  of: RedirectProvider,
  more: Partial<AuthorizationUrlRequest> = {},
  address = endpoint,
  thumbprint?: string
) => {
  const url = new URL(writeRequest(of, address, { ...attempt, ...more }, thumbprint).url)
  return Object.fromEntries(url.searchParams)
}

const own = { client_id: "client-1", redirect_uri: "https://app.example/callback", state: "state-1" }

describe("the address of an authorization request", () => {
  it("has the parameters of the protocol", () => {
    assert.deepStrictEqual(parametersOf(provider("oauth")), { response_type: "code", ...own })
    assert.deepStrictEqual(parametersOf(provider("oidc")), {
      scope: "openid profile email",
      response_type: "code",
      ...own
    })
    assert.deepStrictEqual(parametersOf(provider("oauth"), { codeChallenge: "challenge", nonce: "nonce-1" }), {
      response_type: "code",
      ...own,
      code_challenge: "challenge",
      code_challenge_method: "S256",
      nonce: "nonce-1"
    })
    assert.strictEqual(parametersOf(provider("oauth"), {}, endpoint, "key")["dpop_jkt"], "key")
  })

  it("has those of the configuration and of its address, but for those of the protocol", () => {
    const configured = provider("oidc", {
      scope: "openid",
      prompt: "consent",
      state: "mine",
      client_id: "mine",
      code_challenge: "mine",
      response_mode: "query"
    })
    assert.deepStrictEqual(parametersOf(configured, {}, `${endpoint}?prompt=none&audience=api&nonce=mine`), {
      prompt: "consent",
      audience: "api",
      scope: "openid",
      response_mode: "query",
      response_type: "code",
      ...own
    })
  })

  it("asks for a code, or for an assertion where the configuration calls it so", () => {
    const typeOf = (response_type: string) => parametersOf(provider("oauth", { response_type }))["response_type"]
    assert.strictEqual(typeOf("Assertion"), "Assertion")
    assert.strictEqual(typeOf("token"), "code")
  })

  it("has those of the server's call before the configuration, and those of a browser beside it", () => {
    const configured = provider("oauth", { prompt: "consent" })
    const parameters = [
      ["prompt", "none"],
      ["login_hint", "ann"],
      ["state", "mine"]
    ] as const
    assert.deepStrictEqual(parametersOf(configured, { parameters, fromServer: true }), {
      prompt: "none",
      response_type: "code",
      login_hint: "ann",
      ...own
    })
    assert.deepStrictEqual(parametersOf(configured, { parameters }), {
      prompt: "consent",
      response_type: "code",
      login_hint: "ann",
      ...own
    })
  })

  it("is written with percent signs, and has no other order than that of its parameters", () => {
    assert.strictEqual(
      writeRequest(provider("oauth", { hint: "a b&c" }), endpoint, attempt, undefined).url,
      `${endpoint}?hint=a%20b%26c&response_type=code&client_id=client-1` +
        "&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&state=state-1"
    )
  })

  it("asks for the default scope where the configuration has other parameters, and takes none of the protocol", () => {
    const parameters = [["nonce", "theirs"] as const, ["code_challenge", "theirs"] as const, ["lang", "en"] as const]
    assert.deepStrictEqual(parametersOf(provider("oidc", { prompt: "consent" }), { fromServer: true, parameters }), {
      prompt: "consent",
      scope: "openid profile email",
      response_type: "code",
      lang: "en",
      ...own
    })
  })

  it("holds nothing of an attempt before it, and follows an endpoint that changes", () => {
    const same = provider("oauth", { prompt: "consent" })
    const first = { ...attempt, fromServer: true, parameters: [["prompt", "none"] as const], nonce: "nonce-1" }
    assert.include(writeRequest(same, endpoint, first, "key").url, "prompt=none")
    assert.deepStrictEqual(parametersOf(same), { prompt: "consent", response_type: "code", ...own })
    assert.isTrue(
      writeRequest(same, "https://other.example/", attempt, undefined).url.startsWith("https://other.example/?")
    )
  })

  it("has the order and the end that WeChat compares, without a client id of OAuth", () => {
    const { authorization } = redirectOf(WeChat({ clientId: "app-1", clientSecret: "secret" }))
    const weChat = { ...provider("oauth", { lang: "en", scope: "snsapi_login", appid: "app-1" }), authorization }
    assert.strictEqual(
      writeRequest(weChat, "https://open.weixin.qq.com/connect/qrconnect", attempt, undefined).url,
      "https://open.weixin.qq.com/connect/qrconnect?appid=app-1&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback" +
        "&response_type=code&scope=snsapi_login&state=state-1&lang=en#wechat_redirect"
    )
  })
})
