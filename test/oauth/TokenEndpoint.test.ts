import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as jose from "jose"
import { describe } from "vitest"
import {
  against,
  answer,
  clientId,
  clientSecret,
  issuer,
  json,
  keyPair,
  now,
  oauth,
  oauthFlow,
  oidc,
  refusal,
  rsa,
  scripted,
  sign,
  goodClaims,
  signIn,
  tokenResponse
} from "./ScriptedProvider.ts"

const currentDate = new Date(now * 1000)

const given = answer(undefined, oauthFlow)
const tokens = (more: object) => ({ "/token": () => json(tokenResponse(undefined, more)) })
const sentTo = (idp: ReturnType<typeof scripted>, path = "/token") => {
  const sent = idp.sent.find((one) => one.path === path)
  assert.isDefined(sent)
  return sent ?? assert.fail("nothing was sent")
}

/** An assertion lives for a minute. The clock of the computer may end a second while one is written. */
const assertTimes = ({ exp = 0, iat = 0, nbf }: jose.JWTPayload) => {
  assert.approximately(iat, now, 1)
  assert.deepStrictEqual([nbf, exp], [iat, iat + 60])
}

describe("Client authentication", () => {
  it.gen("P023, P247 Basic credentials are form-encoded first", function* () {
    const idp = scripted()
    const provider = oauth({ clientId: "cl:i+e%n t", clientSecret: Redacted.make("se:c+r%e t ü*'()~-._!") })
    yield* against(idp, signIn(provider, given))
    const sent = sentTo(idp)
    const [user = "", password = ""] = atob(sent.headers.get("authorization")?.replace("Basic ", "") ?? "").split(":")
    const read = (text: string) => decodeURIComponent(text.replaceAll("+", "%20"))
    assert.strictEqual(read(user), "cl:i+e%n t")
    assert.strictEqual(read(password), "se:c+r%e t ü*'()~-._!")
    assert.notInclude(sent.body, "client_id")
    assert.strictEqual(sent.headers.get("content-type"), "application/x-www-form-urlencoded;charset=UTF-8")
    assert.strictEqual(sent.headers.get("accept"), "application/json")
    assert.strictEqual(sent.headers.get("user-agent"), "effect-doorman")
  })

  it.gen("P023 Basic credentials of unreserved characters are the same for servers that do not decode", function* () {
    const idp = scripted()
    const provider = oauth({ clientId: "my-app.example_1", clientSecret: Redacted.make("a-b_c.d~e") })
    yield* against(idp, signIn(provider, given))
    const credentials = sentTo(idp).headers.get("authorization")?.replace("Basic ", "") ?? ""
    assert.strictEqual(atob(credentials), "my-app.example_1:a-b_c.d~e")
  })

  it.gen("P247 client_secret_post puts both into the body", function* () {
    const idp = scripted()
    yield* against(idp, signIn(oauth({ clientAuthentication: "client_secret_post" }), given))
    const body = new URLSearchParams(sentTo(idp).body)
    assert.strictEqual(body.get("client_id"), clientId)
    assert.strictEqual(body.get("client_secret"), clientSecret)
    assert.isNull(sentTo(idp).headers.get("authorization"))
  })

  it.gen("P247 a public client names itself only", function* () {
    const idp = scripted()
    yield* against(idp, signIn(oauth({ clientAuthentication: "none", clientSecret: undefined }), given))
    const body = new URLSearchParams(sentTo(idp).body)
    assert.strictEqual(body.get("client_id"), clientId)
    assert.isNull(body.get("client_secret"))
  })

  it.gen("P022 a client assertion is for the issuer only, unique and short-lived", function* () {
    const { jwk, privateKey } = yield* Effect.promise(() => keyPair("ES256"))
    const idp = scripted()
    const provider = oidc({
      clientAuthentication: "private_key_jwt",
      clientPrivateKey: { key: privateKey, kid: "mine" }
    })
    const seen = new Set<unknown>()
    for (let at = 0; at < 2; at++) {
      idp.sent.length = 0
      yield* against(idp, signIn(provider))
      const body = new URLSearchParams(sentTo(idp).body)
      assert.strictEqual(body.get("client_assertion_type"), "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
      const key = yield* Effect.promise(() => jose.importJWK(jwk, "ES256"))
      const { payload, protectedHeader } = yield* Effect.promise(() =>
        jose.jwtVerify(body.get("client_assertion") ?? "", key, { currentDate })
      )
      assert.strictEqual(protectedHeader.kid, "mine")
      assert.deepInclude(payload, { aud: issuer, iss: clientId, sub: clientId })
      assertTimes(payload)
      seen.add(payload.jti)
    }
    assert.strictEqual(seen.size, 2)
  })

  it.gen("P022 client_secret_jwt signs with the secret at the time of the clock", function* () {
    const idp = scripted()
    yield* against(idp, signIn(oidc({ clientAuthentication: "client_secret_jwt" })))
    const assertion = new URLSearchParams(sentTo(idp).body).get("client_assertion") ?? ""
    const { payload } = yield* Effect.promise(() =>
      jose.jwtVerify(assertion, new TextEncoder().encode(clientSecret), { currentDate })
    )
    assert.deepInclude(payload, { aud: issuer, iss: clientId })
    assertTimes(payload)
  })

  for (const clientAuthentication of [
    "client_secret_basic",
    "client_secret_post",
    "client_secret_jwt",
    "private_key_jwt"
  ] as const) {
    it.gen(`P247 ${clientAuthentication} without its secret is a typed error`, function* () {
      const idp = scripted()
      const failure = yield* against(idp, refusal(oauth({ clientAuthentication, clientSecret: undefined }), given))
      assert.strictEqual(failure.code, "provider_error")
      assert.strictEqual(idp.count("/token"), 0)
    })
  }

  it.gen("P022 a key that cannot sign is a typed error, and nothing is sent", function* () {
    const { publicKey } = yield* Effect.promise(() => jose.generateKeyPair("ES256"))
    const agreement = yield* Effect.promise(() => jose.generateKeyPair("ECDH-ES"))
    for (const key of [publicKey, agreement.privateKey]) {
      const idp = scripted()
      const provider = oauth({ clientAuthentication: "private_key_jwt", clientPrivateKey: { key } })
      const failure = yield* against(idp, refusal(provider, given))
      assert.strictEqual(failure.code, "provider_error")
      assert.strictEqual(idp.count("/token"), 0)
    }
  })

  it.gen("a key pair of dpop that is no pair of a private and a public key is a typed error", function* () {
    const { publicKey } = yield* Effect.promise(() => jose.generateKeyPair("ES256"))
    const idp = scripted()
    const failure = yield* against(idp, refusal(oauth({ dpop: { privateKey: publicKey, publicKey } }), given))
    assert.strictEqual(failure.code, "provider_error")
    assert.strictEqual(idp.count("/token"), 0)
  })
})

describe("Token response", () => {
  const bad: ReadonlyArray<readonly [title: string, code: string, response: () => Response]> = [
    [
      "H123 500 in HTML",
      "provider_unavailable",
      () => new Response("<h1>", { status: 500, headers: { "content-type": "text/html" } })
    ],
    ["H123 500 in JSON", "provider_unavailable", () => json({ error: "server_error" }, { status: 500 })],
    ["H123 429", "provider_unavailable", () => json({}, { status: 429 })],
    ["H123 200 in HTML", "invalid_response", () => new Response("<h1>", { headers: { "content-type": "text/html" } })],
    ["H123 cut JSON", "invalid_response", () => json(`{"access_token":"a","token_ty`)],
    ["H123 null", "invalid_response", () => json("null")],
    ["H123 a list", "invalid_response", () => json("[]")],
    ["H123 204", "invalid_response", () => new Response(null, { status: 204 })],
    ["H123 201", "invalid_response", () => json(tokenResponse(undefined), { status: 201 })],
    [
      "H123 302",
      "invalid_response",
      () => new Response(null, { status: 302, headers: { location: `${issuer}/elsewhere` } })
    ],
    ["P028, H124 200 with an error", "provider_error", () => json({ error: "invalid_grant" })],
    [
      "P028 200 with an error beside tokens",
      "provider_error",
      () => json(tokenResponse(undefined, { error: "invalid_grant" }))
    ],
    ["H124 no access token", "invalid_response", () => json(tokenResponse(undefined, { access_token: undefined }))],
    ["H124 an object as access token", "invalid_response", () => json(tokenResponse(undefined, { access_token: {} }))],
    ["H124 an empty access token", "invalid_response", () => json(tokenResponse(undefined, { access_token: "" }))],
    [
      "H125 JSON marked as text",
      "invalid_response",
      () => json(tokenResponse(undefined), { headers: { "content-type": "text/plain" } })
    ],
    [
      "H125 JSON that is not marked",
      "invalid_response",
      () => new Response(new TextEncoder().encode(JSON.stringify(tokenResponse(undefined))))
    ],
    [
      "a member twice",
      "invalid_response",
      () => json(JSON.stringify(tokenResponse(undefined)).replace("{", '{"access_token":"another",'))
    ],
    ["P040 no token type", "invalid_response", () => json(tokenResponse(undefined, { token_type: undefined }))],
    ["P040 another token type", "invalid_response", () => json(tokenResponse(undefined, { token_type: "mac" }))],
    [
      "P040 a list of token types",
      "invalid_response",
      () => json(tokenResponse(undefined, { token_type: ["bearer"] }))
    ],
    ["H133 text as expires_in", "invalid_response", () => json(tokenResponse(undefined, { expires_in: "NaN" }))],
    ["H133 an object as expires_in", "invalid_response", () => json(tokenResponse(undefined, { expires_in: {} }))],
    ["H124 a number as refresh token", "invalid_response", () => json(tokenResponse(undefined, { refresh_token: 1 }))],
    ["H124 a number as ID token", "invalid_response", () => json(tokenResponse(undefined, { id_token: 1 }))],
    ["H123 400 with an unknown error", "provider_error", () => json({ error: "<script>" }, { status: 400 })],
    ["H123 400 without error", "invalid_response", () => json({}, { status: 400 })],
    [
      "H123 401 with a challenge",
      "provider_error",
      () => new Response("", { status: 401, headers: { "www-authenticate": "Basic" } })
    ]
  ]
  for (const [title, code, response] of bad) {
    it.gen(`${title}: refused, the code is not sent again and userinfo is not asked`, function* () {
      const idp = scripted({ "/token": response, "/elsewhere": () => json(tokenResponse(undefined)) })
      const failure = yield* against(idp, refusal(oauth(), given))
      assert.strictEqual(failure._tag, "OAuthCallbackError")
      assert.strictEqual(failure.code, code)
      assert.strictEqual(failure.retryable, code === "provider_unavailable")
      assert.deepStrictEqual(
        idp.sent.map((one) => one.path),
        ["/token"]
      )
      assert.notInclude(failure.message, "script")
    })
  }

  for (const error of ["invalid_client", "unauthorized_client"]) {
    it.gen(`P028 ${error} tells the operator what to check`, function* () {
      const idp = scripted({ "/token": () => json({ error, error_description: "secret text" }, { status: 401 }) })
      const failure = yield* against(idp, refusal(oauth(), given))
      assert.strictEqual(failure.code, "provider_error")
      assert.include(failure.detail, "client id and secret")
      assert.notInclude(failure.detail, "secret text")
    })
  }

  const lifetimes: ReadonlyArray<readonly [expires_in: unknown, seconds: number | undefined, at: number | undefined]> =
    [
      [3600, 3600, now + 3600],
      ["3600", 3600, now + 3600],
      [59.9, 59, now + 59],
      [0, 0, undefined],
      [-1, 0, undefined],
      [1e308, 315_360_000, now + 315_360_000],
      [null, undefined, undefined],
      [undefined, undefined, undefined]
    ]
  for (const [expires_in, seconds, at] of lifetimes) {
    it.gen(`H133, P286 expires_in ${String(expires_in)} becomes ${String(seconds)}`, function* () {
      const { account } = yield* against(scripted(tokens({ expires_in })), signIn(oauth(), given))
      assert.strictEqual(account.expires_in, seconds)
      assert.strictEqual(account.expires_at, at)
    })
  }

  const scopes: ReadonlyArray<readonly [scope: unknown, kept: string | undefined]> = [
    ["openid email", "openid email"],
    [["openid", "email"], "openid email"],
    [undefined, undefined],
    [null, undefined],
    [1, undefined],
    [{ a: 1 }, undefined],
    [["openid", 1], undefined],
    ["openid admin everything", "openid admin everything"]
  ]
  for (const [scope, kept] of scopes) {
    it.gen(`P021, H134, P286 the scope ${JSON.stringify(scope)} is kept as ${JSON.stringify(kept)}`, function* () {
      const { account } = yield* against(scripted(tokens({ scope })), signIn(oauth(), given))
      assert.strictEqual(account.scope, kept)
    })
  }

  it.gen("P040, P286 the token type is compared without case and kept in lower case", function* () {
    for (const [token_type, kept] of [
      ["BEARER", "bearer"],
      ["DPoP", "dpop"]
    ] as const) {
      const { account } = yield* against(scripted(tokens({ token_type })), signIn(oauth(), given))
      assert.strictEqual(account.token_type, kept)
    }
  })

  it.gen("H134 further members are kept, those that the library sets are not taken over", function* () {
    const hostile = `{"access_token":"a","token_type":"bearer","team":"t","userId":"victim","provider":"evil","type":"credentials","providerAccountId":"victim","expires_at":"never","__proto__":{"admin":true}}`
    const { account } = yield* against(scripted({ "/token": () => json(hostile) }), signIn(oauth(), given))
    assert.deepStrictEqual(account, {
      team: "t",
      access_token: "a",
      token_type: "bearer",
      provider: "idp",
      type: "oauth",
      providerAccountId: "person-1"
    })
    assert.notProperty(account, "admin")
  })

  const unusable = ["half \ud83d a character", "a\0b", "a\r\nb", "a\u009bb", "a".repeat(65_537)]
  it.gen("H134 tokens and scopes that are no line of bounded length sign no user in", function* () {
    for (const text of unusable) {
      for (const name of ["access_token", "refresh_token", "id_token", "scope"]) {
        const fault = yield* against(scripted(tokens({ [name]: text })), refusal(oauth(), given))
        assert.strictEqual(fault.code, "invalid_response", name)
        assert.notInclude(fault.detail, text)
      }
      const type = yield* against(scripted(tokens({ token_type: text })), refusal(oauth(), given))
      assert.strictEqual(type.code, "invalid_response")
    }
  })

  it.gen("H134 further members that no store can hold are left out", function* () {
    for (const session_state of ["half \ud83d a character", "a\0b", "a".repeat(65_537)]) {
      const further = tokens({ session_state, team: "t", count: 1 })
      const { account } = yield* against(scripted(further), signIn(oauth(), given))
      assert.notProperty(account, "session_state")
      assert.deepInclude(account, { team: "t", count: 1 })
    }
  })

  it.gen("P039 plain OAuth keeps an ID token without reading it", function* () {
    const { account } = yield* against(scripted(tokens({ id_token: "not.a.token" })), signIn(oauth(), given))
    assert.strictEqual(account.id_token, "not.a.token")
  })
})

describe("Functions at the token endpoint", () => {
  it.gen("H125 conform may replace the answer", function* () {
    const idp = scripted({
      "/token": () => json({ ok: true, token: "a" }, { headers: { "content-type": "text/plain" } })
    })
    const provider = oauth({
      token: {
        url: `${issuer}/token`,
        request: undefined,
        conform: async (response) => {
          const { token } = (await response.json()) as { token: string }
          return json({ access_token: token, token_type: "bearer" })
        }
      }
    })
    const { account } = yield* against(idp, signIn(provider, given))
    assert.strictEqual(account.access_token, "a")
  })

  it.gen("H125 conform may leave the answer, having read it", function* () {
    let seen = ""
    const provider = oauth({
      token: {
        url: `${issuer}/token`,
        request: undefined,
        conform: (response) =>
          response.text().then((text) => {
            seen = text
            return undefined
          })
      }
    })
    yield* against(scripted(tokens({})), signIn(provider, given))
    assert.include(seen, "access-1")
  })

  it.gen("H143 conform that throws is a typed error", function* () {
    const provider = oauth({
      token: { url: `${issuer}/token`, request: undefined, conform: () => assert.fail("of the application") }
    })
    const failure = yield* against(scripted(tokens({})), refusal(provider, given))
    assert.strictEqual(failure.code, "provider_error")
    assert.instanceOf(failure.cause, Error)
  })

  it.gen("request performs the exchange itself", function* () {
    const idp = scripted()
    let seen: unknown
    const provider = oauth({
      token: {
        url: undefined,
        conform: undefined,
        request: ({ fetch, ...context }) => {
          assert.isFunction(fetch)
          seen = context
          return Effect.succeed({ tokens: { access_token: "mine", expires_in: 60 } })
        }
      }
    })
    const { account } = yield* against(idp, signIn(provider, given))
    assert.deepInclude(account, { access_token: "mine", token_type: "bearer", expires_at: now + 60 })
    assert.deepStrictEqual(seen, {
      params: { code: "code-1", state: "state-1" },
      checks: { code_verifier: oauthFlow.codeVerifier },
      provider: provider.source,
      redirectUri: oauthFlow.redirectUri
    })
    assert.strictEqual(idp.count("/token"), 0)
  })

  for (const made of [undefined, null, {}, { tokens: null }, { tokens: {} }, { tokens: { access_token: 1 } }]) {
    it.gen(`H124 request that gives ${JSON.stringify(made)} signs no user in`, function* () {
      const provider = oauth({
        token: { url: undefined, conform: undefined, request: () => Promise.resolve(made as never) }
      })
      assert.strictEqual((yield* against(scripted(), refusal(provider, given))).code, "invalid_response")
    })
  }

  it.gen("P020 no secret, code or token stands in a failure", function* () {
    const idp = scripted({
      "/token": () => json({ error: "invalid_grant", access_token: "access-1" }, { status: 400 })
    })
    const failure = yield* against(idp, refusal())
    const text = JSON.stringify({ ...failure, cause: failure.cause }) + failure.message + String(failure.stack)
    for (const secret of [clientSecret, "code-1", "access-1", String(oauthFlow.codeVerifier)])
      assert.notInclude(text, secret)
  })

  it.gen("a refresh token is kept", function* () {
    const idp = scripted({
      "/token": () =>
        Effect.map(
          Effect.promise(() => sign(goodClaims, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)),
          (token) => json(tokenResponse(token, { refresh_token: "refresh-1" }))
        )
    })
    assert.strictEqual((yield* against(idp, signIn())).account.refresh_token, "refresh-1")
  })
})
