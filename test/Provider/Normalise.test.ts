import PeerApple from "@auth/core/providers/apple"
import PeerAuth0 from "@auth/core/providers/auth0"
import PeerAzureAd from "@auth/core/providers/azure-ad"
import PeerCredentials from "@auth/core/providers/credentials"
import PeerDiscord from "@auth/core/providers/discord"
import PeerGitHub from "@auth/core/providers/github"
import PeerGoogle from "@auth/core/providers/google"
import PeerKeycloak from "@auth/core/providers/keycloak"
import PeerEntra from "@auth/core/providers/microsoft-entra-id"
import PeerSpotify from "@auth/core/providers/spotify"
import PeerTikTok from "@auth/core/providers/tiktok"
import PeerTwitch from "@auth/core/providers/twitch"
import { customFetch as peerCustomFetch } from "@auth/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { customFetch } from "../../src/internal/Markers.ts"
import { Apple } from "../../src/Provider/Apple.ts"
import { GitHub } from "../../src/Provider/GitHub.ts"
import { MicrosoftEntraId } from "../../src/Provider/MicrosoftEntraId.ts"
import { mapProfile } from "../../src/Provider/internal/ProfileDecoder.ts"
import type { ProviderInput } from "../../src/Provider/internal/ProviderOptions.ts"
import { TikTok } from "../../src/Provider/TikTok.ts"
import { answered, failureOf, providerOf, redirectOf } from "./Read.ts"

const client = Object.freeze({ clientId: "client", clientSecret: "secret" })
const plain = {
  id: "plain",
  name: "Plain",
  type: "oauth",
  authorization: "https://p.example/authorize",
  token: "https://p.example/token",
  userinfo: "https://p.example/me",
  ...client
} as const

describe("providers made by Auth.js", () => {
  // Also a proof by the compiler that its provider types are accepted.
  const made: ReadonlyArray<readonly [ProviderInput, Record<string, unknown>]> = [
    [
      PeerGitHub(client),
      {
        _tag: "OAuth",
        id: "github",
        name: "GitHub",
        issuer: "https://github.com/login/oauth",
        authorization: "https://github.com/login/oauth/authorize?scope=read%3Auser+user%3Aemail",
        token: "https://github.com/login/oauth/access_token",
        userinfo: "https://api.github.com/user"
      }
    ],
    [
      PeerGoogle(client),
      { _tag: "Oidc", id: "google", issuer: "https://accounts.google.com", scope: "openid profile email" }
    ],
    [
      PeerEntra({ ...client, issuer: "https://login.microsoftonline.com/common/v2.0" }),
      {
        _tag: "Oidc",
        id: "microsoft-entra-id",
        conform: "microsoft-entra-id",
        scope: "openid profile email User.Read",
        issuer: "https://login.microsoftonline.com/common/v2.0"
      }
    ],
    [
      PeerAzureAd({ ...client, id: "staff", issuer: "https://login.microsoftonline.com/t/v2.0" }),
      { _tag: "Oidc", id: "staff", conform: "microsoft-entra-id" }
    ],
    [
      PeerApple(client),
      {
        _tag: "Oidc",
        id: "apple",
        conform: "apple",
        formPost: true,
        scope: "name email",
        clientAuthentication: "client_secret_post"
      }
    ],
    [
      PeerDiscord(client),
      { _tag: "OAuth", id: "discord", scope: "identify email", token: "https://discord.com/api/oauth2/token" }
    ],
    [
      PeerKeycloak({ ...client, issuer: "https://k.example/realms/r" }),
      {
        _tag: "Oidc",
        id: "keycloak",
        issuer: "https://k.example/realms/r",
        authorization: undefined,
        scope: "openid profile email"
      }
    ],
    [
      PeerAuth0({ ...client, issuer: "https://t.auth0.com/" }),
      { _tag: "Oidc", id: "auth0", issuer: "https://t.auth0.com/" }
    ],
    [
      PeerTikTok(client),
      {
        _tag: "OAuth",
        id: "tiktok",
        scope: "user.info.basic",
        clientAuthentication: "client_secret_post",
        authorization: "https://www.tiktok.com/v2/auth/authorize?client_key=client&scope=user.info.basic"
      }
    ],
    [
      PeerSpotify(client),
      { _tag: "OAuth", id: "spotify", authorization: "https://accounts.spotify.com/authorize?scope=user-read-email" }
    ],
    [
      PeerTwitch(client),
      {
        _tag: "Oidc",
        id: "twitch",
        scope: "openid user:read:email",
        issuer: "https://id.twitch.tv/oauth2",
        claims: '{"id_token":{"email":null,"picture":null,"preferred_username":null}}'
      }
    ]
  ]
  for (const [input, expected] of made) {
    it(`${String(expected["id"])} is accepted as it is`, () => {
      const provider = redirectOf(input)
      const parameters = Object.fromEntries(provider.authorizationParameters)
      const seen: Record<string, unknown> = {
        ...provider,
        authorization: provider.authorization.url,
        token: provider.token.url,
        userinfo: provider.userinfo.url,
        ...parameters
      }
      for (const [name, value] of Object.entries(expected)) assert.deepStrictEqual(seen[name], value, name)
      assert.strictEqual(provider.clientId, "client")
      assert.strictEqual(Redacted.value(provider.clientSecret ?? Redacted.make("")), "secret")
    })
  }
  it("credentials is accepted as it is", () => {
    const provider = providerOf(
      PeerCredentials({
        credentials: { user: { label: "User", autoComplete: "username" }, pass: { type: "password" } },
        authorize: () => ({ id: "1" })
      })
    )
    assert(provider._tag === "Credentials")
    assert.deepStrictEqual(
      provider.fields.map((field) => [field.name, field.label, field.type, field.attributes]),
      [
        ["user", "User", undefined, { autoComplete: "username" }],
        ["pass", undefined, "password", {}]
      ]
    )
    assert.deepStrictEqual(provider.authorize({}, new Request("https://a.example")), { id: "1" })
  })
  it("functions see the endpoints where Auth.js has them", () => {
    const { source } = redirectOf(PeerGitHub(client))
    assert.strictEqual(String(Reflect.get(Object(source["userinfo"]), "url")), "https://api.github.com/user")
    assert.strictEqual(source["clientId"], "client")
  })
})

describe("options over a preset", () => {
  it("parameters over an address keep the address", () => {
    const provider = redirectOf(
      PeerSpotify({ ...client, authorization: { params: { scope: "a b", show_dialog: true } } })
    )
    assert.strictEqual(provider.authorization.url, "https://accounts.spotify.com/authorize?scope=a+b&show_dialog=true")
    assert.deepStrictEqual(provider.authorizationParameters, [
      ["scope", "a b"],
      ["show_dialog", "true"]
    ])
  })
  it("an address replaces an endpoint", () => {
    const provider = redirectOf(GitHub({ ...client, authorization: "https://g.example/authorize" }))
    assert.strictEqual(provider.authorization.url, "https://g.example/authorize?scope=openid+profile+email")
  })
  it("a URL object is an address", () => {
    assert.strictEqual(
      redirectOf(GitHub({ ...client, token: new URL("https://g.example/t") })).token.url,
      "https://g.example/t"
    )
  })
  it("undefined is as if absent, and arrays replace", () => {
    const provider = redirectOf({
      ...plain,
      client: { contacts: ["a", "b", "c"], tos_uri: "https://p.example/tos" },
      options: { clientId: undefined, name: undefined, client: { contacts: ["z"] } }
    })
    assert.deepStrictEqual([provider.clientId, provider.name], ["client", "Plain"])
    assert.deepStrictEqual(provider.clientMetadata, { contacts: ["z"], tos_uri: "https://p.example/tos" })
  })
  it("the response mode says how the answer comes, and whether it is signed", () => {
    for (const [mode, formPost, jwtResponse] of [
      ["form_post", true, false],
      ["form_post.jwt", true, true],
      ["query.jwt", false, true],
      ["jwt", false, true],
      ["query", false, false]
    ] as const) {
      const url = `https://p.example/authorize?response_mode=${mode}`
      for (const authorization of [{ params: { response_mode: mode } }, url]) {
        const provider = redirectOf({ ...plain, issuer: "https://p.example", authorization })
        assert.deepStrictEqual([provider.formPost, provider.jwtResponse], [formPost, jwtResponse])
      }
    }
  })
  it("instances stay the instances they are", async () => {
    const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, [
      "sign",
      "verify"
    ])
    const given = { client: { token_endpoint_auth_method: "private_key_jwt" }, clientId: "client" }
    for (const clientPrivateKey of [privateKey, { key: privateKey, kid: "k" }]) {
      const provider = redirectOf(GitHub({ ...given, token: { clientPrivateKey } }))
      assert.strictEqual(provider.clientPrivateKey?.key, privateKey)
      assert.strictEqual(provider.clientPrivateKey?.kid, "kid" in clientPrivateKey ? "k" : undefined)
      assert.strictEqual(provider.token.url, "https://github.com/login/oauth/access_token")
    }
  })
  it("a private key alone authenticates a client; beside a secret the method decides", async () => {
    const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign"])
    const key = { clientId: "client", token: { clientPrivateKey: privateKey } }
    assert.strictEqual(redirectOf(GitHub(key)).clientAuthentication, "private_key_jwt")
    const beside = { ...key, clientSecret: "a secret" }
    assert.strictEqual(redirectOf(GitHub(beside)).clientAuthentication, "client_secret_basic")
    const client = { token_endpoint_auth_method: "private_key_jwt" }
    assert.strictEqual(redirectOf(GitHub({ ...beside, client })).clientAuthentication, "private_key_jwt")
  })
  it("nothing given is changed", () => {
    const freeze = (value: unknown): void => {
      if (typeof value !== "object" || value === null || Object.isFrozen(value)) return
      Object.freeze(value)
      Object.values(value).forEach(freeze)
    }
    const input = PeerGitHub({ ...client, authorization: { params: { scope: "x" } } })
    freeze(input)
    assert.strictEqual(redirectOf(input).authorizationParameters[0]?.[1], "x")
  })
  it("members named __proto__ are left out", () => {
    const provider = redirectOf({
      ...plain,
      options: JSON.parse('{"__proto__": {"idToken": false}, "client": {"__proto__": {"x": 1}}}') as unknown
    })
    assert.strictEqual(Reflect.get(provider.clientMetadata, "x"), undefined)
    assert.strictEqual(Reflect.get(Object.prototype, "x"), undefined)
  })
})

describe("the authorization request", () => {
  const parametersOf = (input: unknown) => Object.fromEntries(redirectOf(input).authorizationParameters)
  it("has the default scope when the URL has none", () => {
    assert.strictEqual(parametersOf(plain)["scope"], "openid profile email")
  })
  it("keeps an empty scope", () => {
    assert.strictEqual(parametersOf({ ...plain, authorization: "https://p.example/authorize?scope=" })["scope"], "")
  })
  it("has no scope where it is said to be null, unless OpenID Connect needs one", () => {
    const authorization = { url: "https://p.example/authorize", params: { scope: null } }
    const params = (type: "oauth" | "oidc", options: object = {}) =>
      parametersOf({ ...plain, type, authorization, options })
    assert.deepStrictEqual(params("oauth"), {})
    assert.deepStrictEqual(params("oauth", { authorization: { params: { scope: "own" } } }), { scope: "own" })
    assert.deepStrictEqual(params("oidc"), { scope: "openid profile email" })
  })
  it("of an OpenID provider that is discovered has the default scope", () => {
    assert.strictEqual(
      parametersOf({ id: "d", name: "D", type: "oidc", issuer: "https://d.example", ...client })["scope"],
      "openid profile email"
    )
  })
  it("of an OAuth provider that is discovered has none of its own", () => {
    assert.deepStrictEqual(
      parametersOf({ id: "d", name: "D", type: "oauth", issuer: "https://d.example", ...client }),
      {}
    )
  })
  it("writes objects as JSON, other values as text, and leaves nothing out but nothing", () => {
    const params = {
      claims: { userinfo: { a: null } },
      max_age: 0,
      prompt: ["a", "b"],
      x: null,
      y: undefined,
      z: false
    }
    assert.deepStrictEqual(parametersOf({ ...plain, authorization: { url: plain.authorization, params } }), {
      claims: '{"userinfo":{"a":null}}',
      max_age: "0",
      prompt: "a,b",
      z: "false",
      scope: "openid profile email"
    })
  })
})

describe("the redirect proxy", () => {
  const proxy = { redirectProxyUrl: "https://proxy.example/auth/" }
  it("of the configuration is used, that of the provider wins", () => {
    assert.strictEqual(redirectOf(plain, proxy).redirectProxyUrl, "https://proxy.example/auth")
    assert.strictEqual(
      redirectOf({ ...plain, redirectProxyUrl: "https://own.example" }, proxy).redirectProxyUrl,
      "https://own.example"
    )
  })
  it("is not used by providers that answer with a form post", () => {
    assert.strictEqual(redirectOf(Apple(client), proxy).redirectProxyUrl, undefined)
  })
  it("must be a web address", () => {
    assert.strictEqual(failureOf(plain, { redirectProxyUrl: "nonsense" })?.[0], "InvalidConfiguration")
    assert.strictEqual(failureOf({ ...plain, redirectProxyUrl: "file:///x" })?.[0], "InvalidConfiguration")
  })
})

describe("fetch and adaptations", () => {
  const mine: typeof fetch = () => Promise.resolve(new Response("mine"))
  const other: typeof fetch = () => Promise.resolve(new Response("other"))
  for (const [name, key] of [
    ["ours", customFetch],
    ["that of Auth.js", peerCustomFetch],
    ["any of that description", Symbol("custom-fetch")]
  ] as const) {
    it(`the marker is recognised: ${name}`, () => {
      assert.strictEqual(redirectOf({ ...plain, [key]: mine }).fetch, mine)
      assert.strictEqual(redirectOf({ ...plain, [key]: other, options: { [key]: mine } }).fetch, mine)
    })
  }
  for (const [name, provider] of [
    ["Apple of Auth.js", PeerApple({ ...client, [peerCustomFetch]: mine })],
    ["Entra of Auth.js", PeerEntra({ ...client, [peerCustomFetch]: mine })],
    ["TikTok of Auth.js", PeerTikTok({ ...client, [peerCustomFetch]: mine })],
    ["Apple", Apple({ ...client, [customFetch]: mine })],
    ["TikTok", TikTok({ ...client, [customFetch]: mine })],
    ["Apple of Auth.js, added later", { ...PeerApple(client), [peerCustomFetch]: mine }]
  ] as const) {
    it(`the application's fetch wins: ${name}`, () => assert.strictEqual(redirectOf(provider).fetch, mine))
  }
  for (const [name, provider, conform] of [
    ["Apple", Apple({ ...client, id: "a" }), "apple"],
    ["Apple of Auth.js", PeerApple({ ...client, id: "a" }), "apple"],
    ["Apple of Auth.js, renamed later", { ...PeerApple(client), id: "a" }, "apple"],
    ["Entra", MicrosoftEntraId({ ...client, id: "a" }), "microsoft-entra-id"],
    ["Entra of Auth.js", PeerEntra({ ...client, id: "a" }), "microsoft-entra-id"],
    ["Entra of Auth.js, renamed later", { ...PeerEntra({ ...client }), id: "a" }, "microsoft-entra-id"],
    ["an object that is only called apple", { ...plain, id: "apple" }, undefined]
  ] as const) {
    it(`the adaptation stays under another id: ${name}`, () =>
      assert.strictEqual(redirectOf(provider).conform, conform))
  }
  for (const peer of [PeerApple(client), PeerEntra({ ...client }), PeerTikTok(client)]) {
    it(`${peer.id} of Auth.js brings its own fetch, as in Auth.js`, () =>
      assert.strictEqual(redirectOf(peer).fetch, Reflect.get(peer, peerCustomFetch)))
  }
  for (const [name, provider] of [["TikTok", TikTok({ ...client, id: "t" })]] as const) {
    it.gen(`the client key goes into token requests through the given fetch: ${name}`, function* () {
      const sent: Array<readonly [string, string]> = []
      const inner: typeof fetch = async (input, init) => {
        const request = new Request(input, init)
        sent.push([request.headers.get("content-type") ?? "", await request.text()])
        return new Response("{}")
      }
      const adapt = redirectOf(provider).adaptFetch
      assert(adapt !== undefined)
      const fetch = adapt(inner)
      const body = new URLSearchParams({ code: "c" })
      const token = "https://open.tiktokapis.com/v2/oauth/token/"
      const form: readonly [string, string] = ["application/x-www-form-urlencoded", "code=c&client_key=client"]
      yield* Effect.promise(() => fetch(token, { method: "POST", body }))
      yield* Effect.promise(() =>
        fetch(token, { method: "POST", body: String(body), headers: { "content-type": "text/plain" } })
      )
      yield* Effect.promise(() => fetch(new Request(token, { method: "POST", body })))
      yield* Effect.promise(() => fetch(token, { method: "POST", body: new Blob([String(body)]) }))
      yield* Effect.promise(() =>
        fetch("https://open.tiktokapis.com/v2/other/", {
          method: "POST",
          body: "x",
          headers: { "content-type": "text/plain" }
        })
      )
      assert.deepStrictEqual(sent, [form, form, form, form, ["text/plain", "x"]])
    })
  }
})

describe("default functions", () => {
  const tokens = { access_token: "a", id_token: "i", scope: "s", extra: 1, token_type: "bearer" } as const
  const user = (profile: Record<string, unknown>) => answered(mapProfile(redirectOf(plain), profile, tokens))
  it.gen("the user of standard claims", function* () {
    assert.deepStrictEqual(yield* user({ sub: "1", id: 2, name: "N", email: "e@x.com", picture: "https://p" }), {
      id: "1",
      name: "N",
      email: "e@x.com",
      image: "https://p"
    })
    assert.deepStrictEqual(yield* user({ id: 7, preferred_username: "p" }), {
      id: "7",
      name: "p",
      email: undefined,
      image: undefined
    })
    assert.strictEqual((yield* user({ id: "7", nickname: "n", preferred_username: "p" })).name, "n")
  })
  for (const profile of [
    { sub: "" },
    { id: 1.5 },
    { id: 2 ** 60 },
    { sub: {} },
    { id: true },
    { id: "1", email: ["a"] },
    { id: "1", name: { a: 1 } }
  ]) {
    it.effect(
      `H137 P086 a profile without a usable id or with members of other types is refused: ${JSON.stringify(profile)}`,
      () =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(user(profile))
          assert.strictEqual(
            failure instanceof Error && "_tag" in failure ? failure._tag : undefined,
            "OAuthProfileParseError"
          )
        })
    )
  }
  for (const profile of [{}, { sub: null, id: null }]) {
    it.gen(`H136 the id of ${JSON.stringify(profile)} is empty, which names no user`, function* () {
      assert.strictEqual((yield* user(profile)).id, "")
    })
  }
  it("what is kept of the tokens", () => {
    assert.deepStrictEqual(redirectOf(plain).account(tokens), {
      access_token: "a",
      id_token: "i",
      scope: "s",
      token_type: "bearer"
    })
  })
})

describe("configuration faults", () => {
  const cases: ReadonlyArray<readonly [name: string, input: unknown, tag: string]> = [
    ["no authorization endpoint", { ...plain, authorization: undefined }, "InvalidEndpoints"],
    ["authorization without a URL", { ...plain, authorization: { params: { a: 1 } } }, "InvalidEndpoints"],
    ["no token endpoint", { ...plain, token: undefined }, "InvalidEndpoints"],
    ["no userinfo endpoint", { ...plain, userinfo: undefined }, "InvalidEndpoints"],
    ["an endpoint that is no URL", { ...plain, token: "/token" }, "InvalidEndpoints"],
    ["an endpoint with a fragment", { ...plain, authorization: "https://p.example/a#b" }, "InvalidEndpoints"],
    ["an endpoint of another protocol", { ...plain, userinfo: "file:///etc/passwd" }, "InvalidEndpoints"],
    ["no clientId", { ...plain, clientId: undefined }, "InvalidConfiguration"],
    ["an empty clientId", { ...plain, clientId: "" }, "InvalidConfiguration"],
    ["a clientId that is no text", { ...plain, clientId: 7 }, "InvalidConfiguration"],
    ["no clientSecret", { ...plain, clientSecret: undefined }, "InvalidConfiguration"],
    [
      "an unknown client authentication",
      { ...plain, client: { token_endpoint_auth_method: "client_secret_digest" } },
      "InvalidConfiguration"
    ],
    [
      "private_key_jwt without a key",
      { ...plain, client: { token_endpoint_auth_method: "private_key_jwt" } },
      "InvalidConfiguration"
    ],
    [
      "private_key_jwt with a text for a key",
      {
        ...plain,
        client: { token_endpoint_auth_method: "private_key_jwt" },
        token: { url: plain.token, clientPrivateKey: "PEM" }
      },
      "InvalidConfiguration"
    ],
    [
      "signed responses without an issuer",
      { ...plain, authorization: { url: plain.authorization, params: { response_mode: "jwt" } } },
      "InvalidConfiguration"
    ],
    ["a profile that is no function", { ...plain, profile: "x" }, "InvalidConfiguration"],
    [
      "a userinfo.request that is no function",
      { ...plain, userinfo: { url: plain.userinfo, request: 1 } },
      "InvalidConfiguration"
    ],
    ["a link without lifetime", { id: "email", name: "E", type: "email", maxAge: 0 }, "InvalidConfiguration"],
    ["credentials without authorize", { id: "c", name: "C", type: "credentials", credentials: {} }, "MissingAuthorize"],
    ["P037 an issuer with a query", { ...plain, issuer: "https://p.example/?a=b" }, "InvalidConfiguration"],
    ["P037 an issuer with an empty query", { ...plain, issuer: "https://p.example/?" }, "InvalidConfiguration"],
    ["P037 an issuer with a fragment", { ...plain, issuer: "https://p.example/#a" }, "InvalidConfiguration"],
    ["P037 an issuer that is no URL", { ...plain, issuer: "p.example" }, "InvalidConfiguration"],
    ["P037 an issuer with user information", { ...plain, issuer: "https://u@p.example" }, "InvalidConfiguration"]
  ]
  for (const [name, input, tag] of cases) {
    it(name, () => {
      const failure = failureOf(input)
      assert.strictEqual(failure?.[0], tag)
      assert.include(failure?.[1], "providers[0]")
    })
  }
  it("a public client needs no secret", () => {
    const provider = redirectOf({ ...plain, clientSecret: undefined, client: { token_endpoint_auth_method: "none" } })
    assert.deepStrictEqual([provider.clientAuthentication, provider.clientSecret], ["none", undefined])
  })
  it("a provider that fetches for itself needs no address for it", () => {
    const request = () => ({ id: "1" })
    assert.strictEqual(redirectOf({ ...plain, userinfo: { request } }).userinfo.request, request)
  })
  it("secrets are in no failure and in no rendering", () => {
    const secret = "a-very-secret-client-secret"
    assert.notInclude(
      JSON.stringify(failureOf({ ...plain, clientSecret: secret, issuer: `https://x.example/?${secret}` })),
      secret
    )
    assert.notInclude(String(redirectOf({ ...plain, clientSecret: secret }).clientSecret), secret)
  })
})
