import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { compile } from "../../src/config/Settings.ts"
import { skipCSRFCheck } from "../../src/index.ts"
import { at, browser, config, cookieOf, start, visit } from "../Browser.ts"
import { idp, idpOrigin, idpSecret, memoryProvider } from "../MemoryProvider.ts"
import { acme, password, site, withoutReference } from "../Visitor.ts"

const redirected = config({ providers: [idp(), idp({ id: "second" }), password()] })

/** The time of the tests, as ID tokens write it. */
const seconds = Math.floor(start / 1000)

/** Parameters of the authorization request that a sign-in leads to. */
const asked = (location: string | null) => {
  const url = new URL(location ?? "")
  assert.strictEqual(url.origin + url.pathname, `${idpOrigin}/authorize`)
  return url.searchParams
}

describe("POST signin/<provider>", () => {
  it.gen("P001, P002, P136 asks for a code with state, PKCE by S256 and a nonce", at(redirected), function* () {
    const parameters = asked(yield* browser().leave())
    const { code_challenge, nonce, state, ...rest } = Object.fromEntries(parameters)
    assert.deepStrictEqual(rest, {
      scope: "openid profile email",
      response_type: "code",
      client_id: "client-1",
      redirect_uri: `${site}/auth/callback/idp`,
      code_challenge_method: "S256"
    })
    for (const value of [code_challenge, nonce, state]) assert.match(value ?? "", /^[\w-]{43}$/)
    assert.strictEqual(new Set([code_challenge, nonce, state]).size, 3)
  })

  it.effect("P002 sends state and PKCE for any checks that the provider lists", () =>
    Effect.gen(function* () {
      const parameters = asked(yield* browser().leave())
      for (const name of ["state", "code_challenge", "nonce"]) assert.isTrue(parameters.has(name), name)
    }).pipe(at(config({ providers: [idp({ checks: ["none"] })] })))
  )

  it.gen("P004 asks with other values every time", at(redirected), function* () {
    const person = browser()
    const [first, second] = [asked(yield* person.leave()), asked(yield* person.leave())]
    for (const name of ["state", "code_challenge", "nonce"])
      assert.notStrictEqual(first.get(name), second.get(name), name)
  })

  it.gen("P009 names a redirect URI of its own for every provider", at(redirected), function* () {
    const person = browser()
    const uris = [asked(yield* person.leave("idp")), asked(yield* person.leave("second"))].map((parameters) =>
      parameters.get("redirect_uri")
    )
    assert.deepStrictEqual(uris, [`${site}/auth/callback/idp`, `${site}/auth/callback/second`])
  })

  it("P010 is not started with two providers that share a redirect URI", () => {
    const { settings } = compile(config({ providers: [idp(), idp({ issuer: "https://other.example" })] }))
    assert.isTrue(Result.isFailure(settings))
  })

  for (const [who, params, query, good, bad] of [
    ["the browser", {}, "?max_age=60", { auth_time: seconds }, {}],
    ["the configuration", { max_age: 60 }, "", { auth_time: seconds }, { auth_time: seconds - 3600 }],
    [
      "the configuration, although the browser asks for more",
      { max_age: 60 },
      "?max_age=9999",
      { auth_time: seconds },
      { auth_time: seconds - 600 }
    ],
    [
      "the configuration, of a domain",
      { hd: "example.com" },
      "?hd=evil.example",
      { hd: "example.com" },
      { hd: "evil.example" }
    ]
  ] as const) {
    it.effect(`P070 what ${who} asked for is what the ID token must show`, () => {
      const provider = memoryProvider()
      const options = config({ providers: [idp({ authorization: { params } })] })
      return Effect.gen(function* () {
        for (const [claims, isGood] of [
          [good, true],
          [bad, false]
        ] as const) {
          for (const name of Object.keys(provider.claims)) delete provider.claims[name]
          Object.assign(provider.claims, claims)
          const person = browser()
          const away = (yield* person.submit(`/auth/signin/idp${query}`)).location ?? ""
          const back = yield* person.get(provider.agree(away))
          assert.strictEqual(back.location?.includes("code=invalid_token"), !isGood, JSON.stringify(claims))
          assert.strictEqual((yield* person.session) !== null, isGood)
        }
      }).pipe(at(options, provider))
    })
  }

  it("P070 what no ID token can show is a warning at the start, and only there", () => {
    const authorization = (params: object) => ({ authorization: { url: "https://acme.example/authorize", params } })
    const warnings = (provider: ReturnType<typeof acme>) =>
      compile(config({ providers: [provider] }))
        .problems()
        .flatMap(({ error, level }) => (level === "warning" ? [error.message] : []))
    const asking = { max_age: 60, acr_values: "gold", hd: "example.com" }
    const told = warnings(acme(authorization(asking))).join()
    for (const name of Object.keys(asking)) assert.include(told, `asks for ${name}, which only an ID token can show`)
    assert.include(warnings(acme({ authorization: "https://acme.example/authorize?max_age=60" })).join(), "max_age")
    assert.deepStrictEqual(warnings(acme(authorization({ hd: "*", prompt: "login" }))), [])
    assert.deepStrictEqual(
      warnings(acme({ ...authorization(asking), type: "oidc", issuer: "https://acme.example" })),
      []
    )
  })

  it.effect("P083, P140, P164 lets the query choose what is a person's to choose, and nothing else", () =>
    Effect.gen(function* () {
      const person = browser()
      const chosen = { login_hint: "ada@example.com", prompt: "login", ui_locales: "de", max_age: "60" }
      const forbidden = {
        client_id: "evil",
        redirect_uri: "https://evil.example",
        response_type: "token",
        response_mode: "query",
        scope: "everything",
        state: "mine",
        nonce: "mine",
        code_challenge: "mine",
        code_challenge_method: "plain",
        code_verifier: "mine",
        request: "x",
        request_uri: "https://evil.example",
        registration: "{}",
        claims: "{}",
        resource: "https://evil.example",
        callbackUrl: "/x",
        __proto__x: "y"
      }
      const plain = asked(yield* person.leave())
      const query = new URLSearchParams({ ...chosen, ...forbidden })
      const parameters = asked((yield* person.submit(`/auth/signin/idp?${query.toString()}`)).location)
      for (const [name, value] of Object.entries(chosen)) assert.deepStrictEqual(parameters.getAll(name), [value])
      for (const [name, value] of Object.entries(forbidden)) {
        assert.notInclude(parameters.getAll(name), value, name)
        if (!["state", "nonce", "code_challenge"].includes(name))
          assert.strictEqual(parameters.get(name), plain.get(name), name)
      }
      assert.sameMembers([...parameters.keys()], [...plain.keys(), ...Object.keys(chosen)])
    }).pipe(at(redirected))
  )

  it.gen("P083 drops a requested address that is too long or has control characters", at(redirected), function* () {
    const person = browser()
    const query = new URLSearchParams({ login_hint: "x".repeat(513), prompt: "log\r\nin" })
    const parameters = asked((yield* person.submit(`/auth/signin/idp?${query.toString()}`)).location)
    assert.isFalse(parameters.has("login_hint"))
    assert.isFalse(parameters.has("prompt"))
  })

  it.gen("never tells the provider's address or a cookie the client secret", at(redirected), function* () {
    const seen = yield* browser().submit("/auth/signin/idp")
    const told = JSON.stringify([seen.location, seen.lines, seen.body])
    assert.notInclude(told, idpSecret)
    assert.notInclude(told, encodeURIComponent(idpSecret))
  })

  it.gen("H034 starts nothing by GET", at(redirected), function* () {
    const provider = yield* browser().get("/auth/signin/idp")
    assert.strictEqual(provider.status, 405)
    assert.strictEqual(provider.headers.get("allow"), "POST")
    assert.deepStrictEqual(provider.lines, [])
  })

  it.play("H089 starts nothing without the token of this browser", visit(redirected), function* ({ provider }) {
    const seen = yield* browser().send("POST", "/auth/signin/idp", {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "csrfToken=none"
    })
    assert.strictEqual(seen.location, `${site}/auth/signin?error=MissingCSRF`)
    assert.deepStrictEqual(seen.lines, [])
    assert.deepStrictEqual(provider.received, [])
  })

  it.effect("asks for no token when the framework checks itself", () =>
    Effect.gen(function* () {
      const seen = yield* browser().send("POST", "/auth/signin/idp")
      asked(seen.location)
    }).pipe(at(config({ providers: [idp()], skipCSRFCheck })))
  )

  it.gen("H113 does not know other providers", at(redirected), function* () {
    const person = browser()
    for (const id of ["nobody", "__proto__", "constructor", "toString"]) {
      const seen = yield* person.submit(`/auth/signin/${id}`)
      assert.strictEqual(withoutReference(seen.location ?? ""), `${site}/auth/error?error=Configuration`, id)
      assert.deepStrictEqual(seen.lines, [], id)
    }
  })

  it.gen("leads to the sign-in page without a provider and for a form of its own", at(redirected), function* () {
    const person = browser()
    for (const path of ["/auth/signin", "/auth/signin/credentials"]) {
      const seen = yield* person.submit(path, { callbackUrl: "/x" })
      assert.strictEqual(seen.location, `${site}/auth/signin`)
      assert.strictEqual(seen.status, 302)
    }
    assert.strictEqual(person.cookies.get("__Secure-authjs.callback-url"), encodeURIComponent(`${site}/x`))
  })

  it.effect("P094 says that the provider is down, and sets no cookie of an attempt", () => {
    const provider = memoryProvider()
    provider.script["/.well-known/openid-configuration"] = () => new Response("down", { status: 503 })
    return Effect.gen(function* () {
      const person = browser()
      const seen = yield* person.submit("/auth/signin/idp")
      assert.strictEqual(seen.location, `${site}/auth/signin?error=OAuthSignin&code=provider_unavailable`)
      assert.isFalse(seen.lines.some((line) => /flow|pkce|state|nonce/.test(cookieOf(line).name)))
      assert.isNull(yield* person.session)
      assert.isNotNull((yield* person.signInWithPassword()).location)
      assert.isNotNull(yield* person.session)
    }).pipe(at(redirected, provider))
  })
})
