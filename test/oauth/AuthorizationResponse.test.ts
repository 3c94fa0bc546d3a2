import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import {
  against,
  answer,
  flow,
  goodClaims,
  issuer,
  issuing,
  json,
  metadata,
  oauth,
  oauthFlow,
  oidc,
  refusal,
  scripted,
  signIn,
  start
} from "./ScriptedProvider.ts"

const path = "/.well-known/openid-configuration"
const withIss = { [path]: () => json({ ...metadata, authorization_response_iss_parameter_supported: true }) }

describe("Authorization response", () => {
  const mismatches: ReadonlyArray<readonly [title: string, parameters: Record<string, string>, flow: typeof flow]> = [
    ["P085, H097 without state", { code: "code-1" }, flow],
    ["P142, H097 with another state", { code: "code-1", state: "state-2" }, flow],
    ["H097 with a longer state", { code: "code-1", state: "state-1x" }, flow],
    ["H097 with an empty state", { code: "code-1", state: "" }, flow],
    ["P085 with an error and no state", { error: "access_denied" }, flow],
    ["P008, H098 for another provider", { code: "code-1", state: "state-1" }, { ...flow, provider: "other" }],
    ["P008 for another issuer", { code: "code-1", state: "state-1" }, { ...flow, issuer: "https://other.example" }]
  ]
  for (const [title, parameters, of] of mismatches) {
    it.gen(`${title}: refused without asking the provider`, function* () {
      const idp = scripted()
      const failure = yield* against(idp, refusal(oidc(), answer(parameters, of)))
      assert.strictEqual(failure._tag, "InvalidCheck")
      assert.strictEqual(failure.code, "flow_mismatch")
      assert.strictEqual(idp.sent.length, 0)
    })
  }

  it.effect(
    "H097 an attempt that began without state is bound by its verifier or its nonce, and its answer has none",
    () =>
      Effect.gen(function* () {
        const idp = scripted()
        const stateless = { ...flow, state: "" }
        yield* against(idp, signIn(oidc(), answer({ code: "code-1" }, stateless)))
        assert.strictEqual(idp.count("/token"), 1)
        const unexpected = [
          answer({ code: "code-1", state: "" }, stateless),
          answer({ code: "code-1", state: "state-1" }, stateless),
          answer({ code: "code-1" }, { ...stateless, codeVerifier: undefined, nonce: undefined })
        ]
        for (const given of unexpected) {
          assert.strictEqual((yield* against(idp, refusal(oidc(), given)))._tag, "InvalidCheck")
        }
        assert.strictEqual(idp.count("/token"), 1)
      })
  )

  const malformed: ReadonlyArray<readonly [title: string, query: string]> = [
    ["P035 two issuers", `code=code-1&state=state-1&iss=${issuer}&iss=${issuer}`],
    ["H103 two codes", "code=code-1&code=code-2&state=state-1"],
    ["H103 two states", "code=code-1&state=state-1&state=state-1"],
    ["H103 two errors", "error=access_denied&error=access_denied&state=state-1"],
    ["H103 a code and an error", "code=code-1&error=access_denied&state=state-1"],
    ["H103 a code and an empty error", "code=code-1&error=&state=state-1"],
    ["H104 no code", "state=state-1"],
    ["H104 an empty code", "code=&state=state-1"],
    ["H105 a code of more than 2 kB", `code=${"x".repeat(2049)}&state=state-1`],
    ["H105 a code of 100 kB", `code=${"x".repeat(102_400)}&state=state-1`],
    ["H106 NUL in the code", "code=code%00&state=state-1"],
    ["H106 a line break in the code", "code=code%0d%0aX:1&state=state-1"],
    ["P267 an ID token beside the code", "code=code-1&state=state-1&id_token=a.b.c"],
    ["P001 an access token", "access_token=t&state=state-1"],
    ["P038 a JWT response", "response=a.b.c&state=state-1"],
    ["H110 two names", "code=code-1&state=state-1&user={}&user={}"]
  ]
  for (const [title, query] of malformed) {
    it.gen(`${title}: refused without asking the provider`, function* () {
      const idp = scripted()
      const failure = yield* against(idp, refusal(oidc(), answer(query)))
      assert.strictEqual(failure._tag, "OAuthCallbackError")
      assert.strictEqual(failure.code, "invalid_response")
      assert.strictEqual(idp.sent.length, 0)
    })
  }

  it.gen("H106 a code of unusual characters is sent on encoded", function* () {
    const idp = scripted()
    const code = "c#d&e=f+g h%20ü"
    yield* against(idp, signIn(oidc(), answer({ code, state: "state-1" })))
    const sent = idp.sent.find((one) => one.path === "/token")
    assert.strictEqual(new URLSearchParams(sent?.body).get("code"), code)
  })

  const wrongIssuers = [
    "https://evil.example",
    `${issuer}/`,
    "https://IDP.example",
    "https://idp.example:443",
    "https://%69dp.example",
    ""
  ]
  for (const iss of wrongIssuers) {
    it.gen(`P031, P033, P286 an answer from ${iss || "no issuer"} is refused before the token request`, function* () {
      for (const endpoints of [{}, withIss]) {
        const idp = scripted(endpoints)
        const failure = yield* against(idp, refusal(oidc(), answer({ code: "code-1", state: "state-1", iss })))
        assert.strictEqual(failure.code, "invalid_response")
        assert.strictEqual(idp.count("/token"), 0)
      }
    })

    it.gen(`P034 an error from ${iss || "no issuer"} is not shown as that of the provider`, function* () {
      const failure = yield* against(
        scripted(),
        refusal(oidc(), answer({ error: "access_denied", state: "state-1", iss }))
      )
      assert.strictEqual(failure.code, "invalid_response")
    })
  }

  it.gen("P029, P286 an issuer that announces iss must send it", function* () {
    const idp = scripted(withIss)
    assert.strictEqual((yield* against(idp, refusal())).code, "invalid_response")
    assert.strictEqual(idp.count("/token"), 0)
    const failed = yield* against(idp, refusal(oidc(), answer({ error: "access_denied", state: "state-1" })))
    assert.strictEqual(failed.code, "invalid_response")
    yield* against(idp, signIn(oidc(), answer({ code: "code-1", state: "state-1", iss: issuer })))
  })

  it.effect("P032 iss is accepted from an issuer that does not announce it", () =>
    Effect.asVoid(against(scripted(), signIn(oidc(), answer({ code: "code-1", state: "state-1", iss: issuer }))))
  )

  it.effect("P032 a provider without issuer has nothing to compare iss with", () =>
    Effect.asVoid(
      against(scripted(), signIn(oauth(), answer({ code: "code-1", state: "state-1", iss: issuer }, oauthFlow)))
    )
  )

  it.gen("P033 a plain OAuth provider with an issuer compares iss without metadata", function* () {
    const provider = oauth({ issuer })
    const given = (iss: string) => answer({ code: "code-1", state: "state-1", iss }, { ...flow, nonce: undefined })
    const idp = scripted()
    yield* against(idp, signIn(provider, given(issuer)))
    assert.strictEqual((yield* against(idp, refusal(provider, given("https://evil.example")))).code, "invalid_response")
    assert.strictEqual(idp.count(path), 0)
  })

  const errors: ReadonlyArray<readonly [error: string, code: string, retryable: boolean]> = [
    ["access_denied", "access_denied", false],
    ["user_cancelled_login", "access_denied", false],
    ["login_required", "login_required", false],
    ["interaction_required", "login_required", false],
    ["consent_required", "login_required", false],
    ["account_selection_required", "login_required", false],
    ["temporarily_unavailable", "provider_unavailable", true],
    ["server_error", "provider_error", false],
    ["invalid_scope", "provider_error", false],
    ["unauthorized_client", "provider_error", false],
    ["constructor", "provider_error", false]
  ]
  for (const [error, code, retryable] of errors) {
    it.gen(`P071, H118, P268 the error ${error} of the provider is ${code}`, function* () {
      const failure = yield* against(scripted(), refusal(oidc(), answer({ error, state: "state-1" })))
      assert.strictEqual(failure._tag, "OAuthCallbackError")
      assert.strictEqual(failure.code, code)
      assert.strictEqual(failure.retryable, retryable)
    })
  }

  for (const text of ["<script>alert(1)</script>", "a\r\nSet-Cookie: x=1", "\u001b[31m", "x".repeat(20_000)]) {
    it.gen(`H107 nothing of an error of the provider is repeated (${JSON.stringify(text.slice(0, 20))})`, function* () {
      const failure = yield* against(
        scripted(),
        refusal(oidc(), answer({ error: text, error_description: text, error_uri: text, state: "state-1" }))
      )
      assert.strictEqual(failure.code, "provider_error")
      assert.notInclude(JSON.stringify({ ...failure }) + failure.message + String(failure.stack), text.slice(0, 20))
    })
  }

  it.gen("H118 an issuer that is down does not hide that the person refused", function* () {
    const idp = scripted({ [path]: () => new Response("", { status: 503 }) })
    const failure = yield* against(idp, refusal(oidc(), answer({ error: "access_denied", state: "state-1" })))
    assert.strictEqual(failure.code, "access_denied")
    assert.strictEqual(idp.count("/token"), 0)
  })
})

describe("Authorization request", () => {
  const parametersOf = (url: string) => new URL(url).searchParams

  it.gen("P001, P002, P136 every request asks for the code with PKCE, state and nonce", function* () {
    const { url } = yield* against(scripted(), start())
    assert.deepStrictEqual(Object.fromEntries(parametersOf(url)), {
      scope: "openid profile email",
      response_type: "code",
      client_id: "client-1",
      redirect_uri: flow.redirectUri,
      state: "state-1",
      code_challenge: "challenge-1",
      code_challenge_method: "S256",
      nonce: "nonce-1"
    })
  })

  for (const methods of [undefined, [], ["plain"]]) {
    it.gen(`P003, P098 PKCE and state are sent though the issuer announces ${JSON.stringify(methods)}`, function* () {
      const idp = scripted({ [path]: () => json({ ...metadata, code_challenge_methods_supported: methods }) })
      const parameters = parametersOf((yield* against(idp, start())).url)
      assert.strictEqual(parameters.get("code_challenge_method"), "S256")
      assert.strictEqual(parameters.get("state"), "state-1")
      assert.strictEqual(parameters.get("nonce"), "nonce-1")
    })
  }

  it.gen("P083, P140 neither a request nor the configuration replaces a parameter of the protocol", function* () {
    const hostile = [
      ["response_type", "token"],
      ["client_id", "evil"],
      ["redirect_uri", "https://evil.example"],
      ["state", "evil"],
      ["nonce", "evil"],
      ["code_challenge", "evil"],
      ["code_challenge_method", "plain"]
    ] as const
    const more = [...hostile, ["response_mode", "evil"]] as const
    const provider = oidc({
      authorization: { url: `${issuer}/authorize?response_type=id_token%20token&client_id=evil&audience=api` },
      authorizationParameters: [...hostile, ["scope", "openid"]]
    })
    const { url } = yield* against(scripted(), start(provider, [...more, ["login_hint", "ada"]]))
    assert.deepStrictEqual(Object.fromEntries(parametersOf(url)), {
      audience: "api",
      scope: "openid",
      login_hint: "ada",
      response_type: "code",
      client_id: "client-1",
      redirect_uri: flow.redirectUri,
      state: "state-1",
      code_challenge: "challenge-1",
      code_challenge_method: "S256",
      nonce: "nonce-1"
    })
    assert.strictEqual([...parametersOf(url).keys()].length, new Set(parametersOf(url).keys()).size)
  })

  it.gen("P002 OpenID Connect has a scope even when none is configured, an empty one stays", function* () {
    const without = yield* against(scripted(), start(oidc({ authorizationParameters: [] })))
    assert.strictEqual(parametersOf(without.url).get("scope"), "openid profile email")
    const empty = yield* against(scripted(), start(oidc({ authorizationParameters: [["scope", ""]] })))
    assert.strictEqual(parametersOf(empty.url).get("scope"), "")
  })

  it.gen("P140 a parameter of the server's call replaces one of the configuration, a browser's does not", function* () {
    const provider = oidc({
      authorizationParameters: [
        ["scope", "openid"],
        ["prompt", "consent"]
      ]
    })
    for (const [fromServer, prompt] of [
      [true, "login"],
      [false, "consent"]
    ] as const) {
      const parameters = [
        ["prompt", "login"],
        ["ui_locales", "de & fr"]
      ] as const
      const { url } = yield* against(scripted(), start(provider, parameters, fromServer))
      assert.strictEqual(parametersOf(url).get("prompt"), prompt)
      assert.strictEqual(parametersOf(url).get("ui_locales"), "de & fr")
    }
  })

  it.gen("P009 the redirect URI of the attempt is repeated at the token endpoint", function* () {
    const idp = scripted()
    yield* against(idp, signIn())
    const body = new URLSearchParams(idp.sent.find((one) => one.path === "/token")?.body)
    assert.strictEqual(body.get("redirect_uri"), flow.redirectUri)
    assert.strictEqual(body.get("code_verifier"), flow.codeVerifier)
    assert.strictEqual(body.get("grant_type"), "authorization_code")
  })
})

describe("Apple", () => {
  const post = (user: string) => answer({ code: "code-1", state: "state-1", user })
  const provider = oidc({ conform: "apple", formPost: true })

  it.gen("H110 the name of the first answer joins the profile", function* () {
    const user = JSON.stringify({
      name: { firstName: "Ada", lastName: "Lovelace" },
      email: "evil@example.com",
      admin: true
    })
    const signedIn = yield* against(scripted(), signIn(provider, post(user)))
    assert.deepStrictEqual(signedIn.profile["user"], { name: { firstName: "Ada", lastName: "Lovelace" } })
    assert.strictEqual(signedIn.user.email, "ada@example.com")
  })

  it.gen("H110 markup and control characters are taken out of the name", function* () {
    const user = JSON.stringify({ name: { firstName: "<b>Ada</b>\u0000\r\n", lastName: "x".repeat(300) } })
    const signedIn = yield* against(scripted(), signIn(provider, post(user)))
    assert.deepStrictEqual(signedIn.profile["user"], { name: { firstName: "bAda/b", lastName: "x".repeat(200) } })
  })

  const useless = [
    "",
    "{",
    "null",
    "[]",
    "1",
    `{"name":"Ada"}`,
    `{"name":{"firstName":{"a":1}}}`,
    `{"__proto__":{"name":{"firstName":"x"}}}`,
    `{"name":{"__proto__":{"firstName":"x"}}}`,
    `{"name":{"firstName":"${"x".repeat(5000)}"}}`
  ]
  for (const user of useless) {
    it.gen(`H110 the name field ${user.slice(0, 40) || "(empty)"} is ignored`, function* () {
      const signedIn = yield* against(scripted(), signIn(provider, post(user)))
      assert.isFalse("user" in signedIn.profile)
      assert.isFalse("firstName" in {})
    })
  }

  it.gen("H110 other providers do not see the field", function* () {
    const signedIn = yield* against(scripted(), signIn(oidc(), post(`{"name":{"firstName":"Ada"}}`)))
    assert.isFalse("user" in signedIn.profile)
  })

  it.gen("P080 Apple's text true counts as verified, other texts do not", function* () {
    for (const [email_verified, expected] of [
      ["true", true],
      ["false", false],
      ["TRUE", false],
      [true, true]
    ] as const) {
      const signedIn = yield* against(scripted(issuing({ email_verified })), signIn(provider))
      assert.strictEqual(signedIn.emailVerified, expected)
    }
    assert.strictEqual(goodClaims.email_verified, true)
  })
})
