import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import {
  against,
  answer,
  flow,
  goodClaims,
  issuer,
  json,
  keyPair,
  metadata,
  oauth,
  oidc,
  refusal,
  rsa,
  scripted,
  sign,
  signIn,
  start,
  tokenResponse
} from "./ScriptedProvider.ts"

const path = "/.well-known/openid-configuration"
const announcing = (changes: Record<string, unknown>) => ({ [path]: () => json({ ...metadata, ...changes }) })

describe("Discovery", () => {
  it.gen("P269 an issuer is all that a provider needs", function* () {
    const idp = scripted()
    const { url } = yield* against(idp, start())
    assert.isTrue(url.startsWith(`${issuer}/authorize?`))
    assert.strictEqual(idp.sent[0]?.headers.get("accept"), "application/json")
  })

  it.gen("P269 the path of an issuer is kept in front", function* () {
    const idp = scripted({
      "/realm/.well-known/openid-configuration": () => json({ ...metadata, issuer: `${issuer}/realm` })
    })
    yield* against(idp, start(oidc({ issuer: `${issuer}/realm` })))
    assert.strictEqual(idp.count("/realm/.well-known/openid-configuration"), 1)
  })

  const otherIssuers: ReadonlyArray<readonly [announced: unknown, configured: string]> = [
    ["https://evil.example", issuer],
    ["https://IDP.example", issuer],
    ["https://idp.example:443", issuer],
    [`${issuer}//`, issuer],
    [`${issuer}/realm/`, `${issuer}/realm`],
    [`${issuer}/realm`, `${issuer}/realm/`],
    [`${issuer}/%72ealm`, `${issuer}/realm`],
    [[issuer], issuer],
    ["", issuer],
    [undefined, issuer]
  ]
  for (const [announced, configured] of otherIssuers) {
    it.gen(`P089, P271 metadata of ${String(announced) || "no issuer"} is not that of ${configured}`, function* () {
      const idp = scripted({
        [path]: () => json({ ...metadata, issuer: announced }),
        "/realm/.well-known/openid-configuration": () => json({ ...metadata, issuer: announced })
      })
      const failure = yield* against(idp, Effect.flip(start(oidc({ issuer: configured }))))
      assert.strictEqual(failure._tag, "OAuthSignInError")
      assert.strictEqual(failure.code, "invalid_response")
    })
  }

  it.effect("P089 the slash of an empty path is the only freedom, and tokens must spell it like the metadata", () => {
    const slashed = (iss: string) =>
      scripted({
        ...announcing({ issuer: `${issuer}/` }),
        "/token": () =>
          Effect.map(
            Effect.promise(() => sign({ ...goodClaims, iss }, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)),
            (token) => json(tokenResponse(token))
          )
      })
    return Effect.gen(function* () {
      yield* against(slashed(`${issuer}/`), signIn())
      assert.strictEqual((yield* against(slashed(issuer), refusal())).code, "invalid_token")
    })
  })

  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const) {
    it.gen(`P091 metadata without ${name} is a typed error at first use`, function* () {
      const idp = scripted(announcing({ [name]: undefined }))
      const failure =
        name === "authorization_endpoint" ? yield* against(idp, Effect.flip(start())) : yield* against(idp, refusal())
      assert.strictEqual(failure.code, "provider_error")
      assert.include(failure.detail, name)
    })
  }

  it.effect("P091 metadata without userinfo_endpoint is enough when userinfo is not used", () =>
    Effect.asVoid(against(scripted(announcing({ userinfo_endpoint: undefined })), signIn()))
  )

  for (const status of [301, 302, 307, 308]) {
    it.gen(`P092 a redirect with ${status} is not followed`, function* () {
      const idp = scripted({
        [path]: () => new Response(null, { status, headers: { location: `${issuer}/elsewhere` } }),
        "/elsewhere": () => json(metadata)
      })
      const failure = yield* against(idp, Effect.flip(start()))
      assert.strictEqual(failure.code, "invalid_response")
      assert.strictEqual(idp.sent.length, 1)
    })
  }

  const broken: ReadonlyArray<readonly [title: string, response: () => Response]> = [
    ["of 5 MB", () => json({ ...metadata, filler: "x".repeat(5_000_000) })],
    [
      "that never ends",
      () =>
        new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }), {
          headers: { "content-type": "application/json" }
        })
    ],
    ["that is no JSON", () => json("{")],
    ["that is an array", () => json([metadata])],
    ["that is not marked as JSON", () => json(metadata, { headers: { "content-type": "text/html" } })],
    [
      "that is not UTF-8",
      () => new Response(new Uint8Array([123, 255, 125]), { headers: { "content-type": "application/json" } })
    ],
    ["that repeats a member", () => json(`{"issuer":"${issuer}",${JSON.stringify(metadata).slice(1)}`)],
    ["with a number as endpoint", () => json({ ...metadata, token_endpoint: 1 })]
  ]
  for (const [title, response] of broken) {
    it.gen(`P093 a document ${title} is refused`, function* () {
      const failure = yield* against(scripted({ [path]: response }), Effect.flip(start()))
      assert.strictEqual(failure.code, "invalid_response")
    })
  }

  it.effect("P094, H131 an issuer that is down fails its own sign-ins only, and is asked again later", () => {
    let down = true
    const idp = scripted({ [path]: () => (down ? new Response("down", { status: 503 }) : json(metadata)) })
    return against(
      idp,
      Effect.gen(function* () {
        const provider = oidc()
        const failure = yield* Effect.flip(start(provider))
        assert.strictEqual(failure.code, "provider_unavailable")
        assert.isTrue(failure.retryable)
        yield* start(oauth({ id: "other" }))
        down = false
        assert.strictEqual((yield* Effect.flip(start(provider))).code, "provider_unavailable")
        assert.strictEqual(idp.count(path), 1)
        yield* TestClock.adjust("5 seconds")
        yield* start(provider)
        assert.strictEqual(idp.count(path), 2)
      })
    )
  })

  it.effect("P095, H302 fifty sign-ins at once lead to one fetch an hour", () => {
    const idp = scripted({ [path]: () => Effect.as(Effect.sleep("1 second"), json(metadata)) })
    return against(
      idp,
      Effect.gen(function* () {
        const provider = oidc()
        const all = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 50 }, () => start(provider)),
            { concurrency: "unbounded" }
          )
        )
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(all)
        yield* start(provider)
        assert.strictEqual(idp.count(path), 1)
        yield* TestClock.adjust("59 minutes")
        yield* start(provider)
        assert.strictEqual(idp.count(path), 1)
        yield* TestClock.adjust("1 minute")
        const late = yield* Effect.forkChild(start(provider))
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(late)
        assert.strictEqual(idp.count(path), 2)
      })
    )
  })

  it.gen("P095 what one issuer said is not used for another, nor over another client", function* () {
    const first = scripted()
    const second = scripted(announcing({ authorization_endpoint: `${issuer}/other` }))
    const provider = oidc()
    assert.include((yield* against(first, start(provider))).url, "/authorize?")
    assert.include((yield* against(second, start(provider))).url, "/other?")
  })

  it.effect("P094 a known issuer that goes down is still used, for a day", () => {
    let down = false
    const idp = scripted({ [path]: () => (down ? new Response("down", { status: 503 }) : json(metadata)) })
    return against(
      idp,
      Effect.gen(function* () {
        const provider = oidc()
        yield* start(provider)
        down = true
        yield* TestClock.adjust("23 hours")
        yield* start(provider)
        assert.strictEqual(idp.count(path), 2)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual((yield* Effect.flip(start(provider))).code, "provider_unavailable")
      })
    )
  })

  it.effect("P089 a known issuer that changes its name is not used any more", () => {
    let announced = issuer
    const idp = scripted({ [path]: () => json({ ...metadata, issuer: announced }) })
    return against(
      idp,
      Effect.gen(function* () {
        const provider = oidc()
        yield* start(provider)
        announced = "https://evil.example"
        yield* TestClock.adjust("1 hour")
        assert.strictEqual((yield* Effect.flip(start(provider))).code, "invalid_response")
      })
    )
  })

  const internal = [
    "https://127.0.0.1/token",
    "https://2130706433/token",
    "https://localhost/token",
    "https://app.localhost./token",
    "https://10.1.2.3/token",
    "https://172.31.0.1/token",
    "https://192.168.0.1/token",
    "https://169.254.169.254/token",
    "https://100.64.0.1/token",
    "https://0.0.0.0/token",
    "https://[::1]/token",
    "https://[fd00::1]/token",
    "https://[fe80::1]/token",
    "https://[::ffff:10.0.0.1]/token",
    "https://[64:ff9b::a00:1]/token",
    "https://[64:ff9b:1::a00:1]/token",
    "https://[2002:a00:1::1]/token",
    "https://[fec0::1]/token",
    "https://metadata.google.internal/token",
    "https://vault.default.svc.cluster.local/token",
    "https://nas.home.arpa/token",
    "https://vault:8200/token",
    "https://[::ffff:0:a00:1]/token",
    "https://[2001:0:a00:1::1]/token",
    "http://idp.example/token",
    "ftp://idp.example/token",
    "https://user:pass@idp.example/token",
    "token"
  ]
  for (const address of internal) {
    it.gen(`P097 an endpoint at ${address} is refused`, function* () {
      const idp = scripted(announcing({ token_endpoint: address }))
      const failure = yield* against(idp, refusal())
      assert.strictEqual(failure.code, "invalid_response")
      assert.deepStrictEqual(
        idp.sent.map((one) => one.path),
        [path]
      )
    })
  }

  for (const name of ["authorization_endpoint", "userinfo_endpoint", "jwks_uri"]) {
    it.gen(`P097 an internal address as ${name} is refused`, function* () {
      const idp = scripted(announcing({ [name]: "https://vault.default.svc.cluster.local/" }))
      assert.strictEqual((yield* against(idp, refusal())).code, "invalid_response")
      assert.lengthOf(idp.sent, 1)
    })
  }

  for (const address of [
    "https://172.32.0.1/token",
    "https://tokens.example/token",
    "https://[2606:4700::1111]/token"
  ]) {
    it.effect(`P097 an endpoint at ${address} is used`, () =>
      Effect.asVoid(against(scripted(announcing({ token_endpoint: address })), signIn()))
    )
  }

  it.effect("P097 an issuer on this machine may have its endpoints here too, without TLS", () => {
    const local = "http://localhost:4000"
    const here = {
      authorization_endpoint: `${local}/authorize`,
      token_endpoint: "http://127.0.0.1:4000/token",
      jwks_uri: `${local}/keys`
    }
    const idp = scripted({
      ...announcing({ issuer: local, userinfo_endpoint: undefined, ...here }),
      "/token": () =>
        Effect.map(
          Effect.promise(() => sign({ ...goodClaims, iss: local }, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)),
          (token) => json(tokenResponse(token))
        )
    })
    return Effect.asVoid(against(idp, signIn(oidc({ issuer: local }), answer(undefined, { ...flow, issuer: local }))))
  })

  it.gen("P097 http is for this machine only", function* () {
    const idp = scripted()
    const byIssuer = yield* against(idp, Effect.flip(start(oidc({ issuer: "http://idp.example" }))))
    assert.strictEqual(byIssuer.code, "provider_error")
    const byEndpoint = yield* against(
      idp,
      Effect.flip(start(oauth({ authorization: { url: "http://idp.example/authorize" } })))
    )
    assert.strictEqual(byEndpoint.code, "provider_error")
    assert.strictEqual(idp.sent.length, 0)
  })

  for (const bad of [`${issuer}?tenant=1`, `${issuer}#x`, "idp.example", "https://user:pw@idp.example"]) {
    it.gen(`P037 ${bad} is no issuer`, function* () {
      const idp = scripted()
      const failure = yield* against(idp, Effect.flip(start(oidc({ issuer: bad }))))
      assert.strictEqual(failure.code, "provider_error")
      assert.strictEqual(idp.sent.length, 0)
    })
  }

  it.gen("P011 the token request goes to the endpoint of the configured issuer only", function* () {
    const honest = scripted()
    const malicious = scripted(announcing({ issuer: "https://evil.example" }))
    yield* against(honest, signIn())
    assert.strictEqual(honest.sent.find((one) => one.method === "POST")?.url, `${issuer}/token`)
    yield* against(malicious, refusal())
    assert.isUndefined(malicious.sent.find((one) => one.method === "POST"))
  })

  it.gen("P269 a configured endpoint wins, the others are still discovered", function* () {
    const idp = scripted({ "/own-token": (sent) => idp.endpoints["/token"]?.(sent) ?? json({}) })
    const provider = oidc({ token: { url: `${issuer}/own-token`, conform: undefined, request: undefined } })
    yield* against(idp, signIn(provider))
    assert.strictEqual(idp.count("/own-token"), 1)
    assert.strictEqual(idp.count("/token"), 0)
    const mine = scripted({ "/me": () => json({ sub: "person-1", name: "Ada from userinfo" }) })
    const signedIn = yield* against(
      mine,
      signIn(oidc({ idToken: false, userinfo: { url: `${issuer}/me`, request: undefined } }))
    )
    assert.strictEqual(signedIn.user.name, "Ada from userinfo")
    assert.strictEqual(mine.count("/userinfo"), 0)
  })

  it.gen("P269 plain OAuth falls back to the well-known address of RFC 8414", function* () {
    const idp = scripted({
      "/as/.well-known/openid-configuration": () => new Response("", { status: 404 }),
      "/.well-known/oauth-authorization-server/as": () => json({ ...metadata, issuer: `${issuer}/as` })
    })
    const { url } = yield* against(idp, start(oauth({ issuer: `${issuer}/as`, authorization: { url: undefined } })))
    assert.include(url, `${issuer}/authorize?`)
    const strict = yield* against(idp, Effect.flip(start(oidc({ issuer: `${issuer}/as` }))))
    assert.strictEqual(strict.code, "invalid_response")
  })
})

describe("Entra ID", () => {
  const host = "https://login.microsoftonline.com"
  const tenant = "11111111-2222-3333-4444-555555555555"
  const consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"
  const keys = () => json({ keys: [{ ...rsa.jwk, issuer: `${host}/{tenantid}/v2.0` }] })

  const entra = (word: string, announced: string, claims: object, more = {}) => {
    const configured = `${host}/${word}/v2.0`
    const idp = scripted({
      [`/${word}/v2.0/.well-known/openid-configuration`]: () =>
        json({ ...metadata, issuer: announced, token_endpoint: `${host}/token`, jwks_uri: `${host}/keys` }),
      "/keys": keys,
      "/token": () =>
        Effect.map(
          Effect.promise(() => sign({ ...goodClaims, ...claims }, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)),
          (token) => json(tokenResponse(token))
        ),
      ...more
    })
    const provider = oidc({ issuer: configured, conform: "microsoft-entra-id" })
    return { idp, provider, given: answer(undefined, { ...flow, issuer: configured }) }
  }
  const template = `${host}/{tenantid}/v2.0`
  const of = (id: string) => ({ iss: `${host}/${id}/v2.0`, tid: id })

  const good = [
    ["common", template, of(tenant)],
    ["common", template, of(consumers)],
    ["organizations", template, of(tenant)],
    ["consumers", `${host}/${consumers}/v2.0`, of(consumers)]
  ] as const
  for (const [word, announced, claims] of good) {
    it.effect(`P041 a token of tenant ${claims.tid} is one of ${word}`, () => {
      const { given, idp, provider } = entra(word, announced, claims)
      return Effect.asVoid(against(idp, signIn(provider, given)))
    })
  }

  const bad = [
    ["the issuer is not that of the tenant", "common", { ...of(tenant), iss: `${host}/${consumers}/v2.0` }],
    ["the tenant is missing", "common", { iss: `${host}/${tenant}/v2.0` }],
    ["the tenant is no identifier", "common", { iss: `${host}/../v2.0`, tid: ".." }],
    ["the tenant is a placeholder", "common", { iss: template, tid: "{tenantid}" }],
    ["a personal account comes to organizations", "organizations", of(consumers)],
    ["an organization comes to consumers", "consumers", of(tenant)],
    ["the issuer has another host", "common", { iss: `https://evil.example/${tenant}/v2.0`, tid: tenant }]
  ] as const
  for (const [title, word, claims] of bad) {
    it.gen(`P041 a token is refused when ${title}`, function* () {
      const { given, idp, provider } = entra(word, template, claims)
      assert.notStrictEqual((yield* against(idp, refusal(provider, given))).code, undefined)
      assert.oneOf((yield* against(idp, refusal(provider, given))).code, ["invalid_token", "invalid_response"])
    })
  }

  it.gen("P033 the answer and the ID token must come from the same tenant", function* () {
    const { given, idp, provider } = entra("common", template, of(tenant))
    const from = (iss: string) => answer({ code: "code-1", state: "state-1", iss }, given.flow)
    yield* against(idp, signIn(provider, from(`${host}/${tenant}/v2.0`)))
    assert.strictEqual(
      (yield* against(idp, refusal(provider, from(`${host}/${consumers}/v2.0`)))).code,
      "invalid_token"
    )
    assert.strictEqual((yield* against(idp, refusal(provider, from(template)))).code, "invalid_response")
    assert.strictEqual((yield* against(idp, refusal(provider, from("https://evil.example")))).code, "invalid_response")
  })

  it.gen("P056 a key that belongs to another tenant is not used", function* () {
    const { given, idp, provider } = entra("common", template, of(tenant), {
      "/keys": () => json({ keys: [{ ...rsa.jwk, issuer: `${host}/${consumers}/v2.0` }] })
    })
    assert.strictEqual((yield* against(idp, refusal(provider, given))).code, "invalid_token")
  })

  it.gen("P089 the placeholder is accepted from Microsoft only, and when the provider asks for it", function* () {
    const evil = "https://evil.example"
    const idp = scripted({
      "/common/v2.0/.well-known/openid-configuration": () => json({ ...metadata, issuer: `${evil}/{tenantid}/v2.0` })
    })
    const ms = scripted({
      "/common/v2.0/.well-known/openid-configuration": () => json({ ...metadata, issuer: template })
    })
    const foreign = yield* against(
      idp,
      Effect.flip(start(oidc({ issuer: `${evil}/common/v2.0`, conform: "microsoft-entra-id" })))
    )
    assert.strictEqual(foreign.code, "invalid_response")
    const unasked = yield* against(ms, Effect.flip(start(oidc({ issuer: `${host}/common/v2.0` }))))
    assert.strictEqual(unasked.code, "invalid_response")
  })
})

describe("Signing keys", () => {
  const rotated = keyPair("RS256", { kid: "rsa-new" })
  const counting = (keys: () => Response) => scripted({ "/keys": keys })

  it.effect("P095 keys are fetched once in ten minutes", () => {
    const idp = scripted({
      "/token": () =>
        Effect.gen(function* () {
          const iat = Math.floor(
            (yield* TestClock.testClockWith((clock) => Effect.sync(() => clock.currentTimeMillisUnsafe()))) / 1000
          )
          const claims = { ...goodClaims, iat, exp: iat + 300 }
          return json(
            tokenResponse(yield* Effect.promise(() => sign(claims, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)))
          )
        })
    })
    return against(
      idp,
      Effect.gen(function* () {
        const provider = oidc()
        yield* signIn(provider)
        yield* TestClock.adjust("9 minutes")
        yield* signIn(provider)
        assert.strictEqual(idp.count("/keys"), 1)
        yield* TestClock.adjust("1 minute")
        yield* signIn(provider)
        assert.strictEqual(idp.count("/keys"), 2)
        assert.strictEqual(idp.count(path), 1)
      })
    )
  })

  it.gen("P053, P253 a token without key id is checked with every key that fits", function* () {
    const idp = (keys: ReadonlyArray<object>) =>
      scripted({
        "/keys": () => json({ keys }),
        "/token": () =>
          Effect.map(
            Effect.promise(() => sign(goodClaims, { alg: "RS256" }, rsa.privateKey)),
            (token) => json(tokenResponse(token))
          )
      })
    const other = (yield* Effect.promise(() => rotated)).jwk
    yield* against(idp([rsa.jwk]), signIn())
    yield* against(idp([other, rsa.jwk]), signIn())
    assert.strictEqual((yield* against(idp([other]), refusal())).code, "invalid_token")
  })

  it.effect("P055, P100, H141 unknown key ids lead to one fetch a minute", () => {
    const idp = scripted({
      "/token": () =>
        Effect.map(
          Effect.promise(() => sign(goodClaims, { alg: "RS256", kid: unknown }, rsa.privateKey)),
          (token) => json(tokenResponse(token))
        )
    })
    let unknown = "rsa-1"
    return against(
      idp,
      Effect.gen(function* () {
        const provider = oidc()
        yield* signIn(provider)
        for (let at = 0; at < 20; at++) {
          unknown = `unknown-${at}`
          assert.strictEqual((yield* refusal(provider)).code, "invalid_token")
        }
        assert.strictEqual(idp.count("/keys"), 2)
        yield* TestClock.adjust("1 minute")
        yield* refusal(provider)
        assert.strictEqual(idp.count("/keys"), 3)
      })
    )
  })

  it.gen("P055 a key id that a fresh document does not have is not looked for again", function* () {
    const idp = scripted({
      "/token": () =>
        Effect.map(
          Effect.promise(() => sign(goodClaims, { alg: "RS256", kid: "x" }, rsa.privateKey)),
          (token) => json(tokenResponse(token))
        )
    })
    assert.strictEqual((yield* against(idp, refusal())).code, "invalid_token")
    assert.strictEqual(idp.count("/keys"), 1)
  })

  it.gen("P099, P274, P275 a key made just before signing is found", function* () {
    const fresh = yield* Effect.promise(() => rotated)
    let current = rsa
    const idp = scripted({
      "/keys": () => json({ keys: [current.jwk] }),
      "/token": () =>
        Effect.map(
          Effect.promise(() => sign(goodClaims, { alg: "RS256", kid: String(current.jwk.kid) }, current.privateKey)),
          (token) => json(tokenResponse(token))
        )
    })
    yield* against(
      idp,
      Effect.gen(function* () {
        const provider = oidc()
        yield* signIn(provider)
        current = fresh
        yield* signIn(provider)
        assert.strictEqual(idp.count("/keys"), 2)
      })
    )
  })

  it.effect("H141 keys that cannot be fetched end the sign-in, known ones serve their time", () => {
    let down = false
    let kid = "rsa-1"
    const idp = scripted({
      "/keys": () => (down ? new Response("", { status: 500 }) : json({ keys: [rsa.jwk] })),
      "/token": () =>
        Effect.map(
          Effect.promise(() => sign(goodClaims, { alg: "RS256", kid }, rsa.privateKey)),
          (token) => json(tokenResponse(token))
        )
    })
    return against(
      idp,
      Effect.gen(function* () {
        const provider = oidc()
        yield* signIn(provider)
        down = true
        kid = "unknown"
        assert.strictEqual((yield* refusal(provider)).code, "invalid_token")
        kid = "rsa-1"
        yield* signIn(provider)
        yield* TestClock.adjust("10 minutes")
        const failure = yield* refusal(provider)
        assert.strictEqual(failure.code, "provider_unavailable")
        assert.isTrue(failure.retryable)
      })
    )
  })

  const material = { kty: "RSA", n: rsa.jwk.n, e: rsa.jwk.e, kid: "rsa-1" }
  const ignored: ReadonlyArray<readonly [title: string, key: unknown]> = [
    ["for encryption", { ...material, use: "enc" }],
    ["with an operation other than verify", { ...material, key_ops: ["encrypt"] }],
    ["for another algorithm", { ...material, alg: "RS512" }],
    ["for an unknown algorithm", { ...material, alg: "RSA-OAEP" }],
    ["with private members", { ...material, d: "AQAB" }],
    ["with a short modulus", { ...material, n: String(rsa.jwk.n).slice(0, 170) }],
    ["with a modulus of leading zeros", { ...material, n: "A".repeat(343) }],
    ["without modulus", { ...material, n: undefined }],
    ["of another type", { kty: "EC", crv: "P-256", x: rsa.jwk.n, y: rsa.jwk.n, kid: "rsa-1" }],
    ["that is a secret", { kty: "oct", k: "c2VjcmV0", kid: "rsa-1" }],
    ["that is no object", "rsa-1"]
  ]
  for (const [title, key] of ignored) {
    it.gen(`P056 a key ${title} is ignored`, function* () {
      const failure = yield* against(
        counting(() => json({ keys: [key] })),
        refusal()
      )
      assert.strictEqual(failure.code, "invalid_token")
      yield* against(
        counting(() => json({ keys: [key, rsa.jwk] })),
        signIn()
      )
    })
  }

  const refused: ReadonlyArray<readonly [title: string, response: () => Response]> = [
    ["more than 100 keys", () => json({ keys: Array.from({ length: 101 }, () => rsa.jwk) })],
    ["more than 512 kB", () => json({ keys: [rsa.jwk], filler: "x".repeat(600_000) })],
    ["no keys", () => json({})],
    ["an object of keys", () => json({ keys: { "rsa-1": rsa.jwk } })],
    ["another content type", () => json({ keys: [rsa.jwk] }, { headers: { "content-type": "text/plain" } })]
  ]
  for (const [title, response] of refused) {
    it.gen(`P101 a key set with ${title} is refused`, function* () {
      assert.strictEqual((yield* against(counting(response), refusal())).code, "invalid_response")
    })
  }

  it.effect("P101 a key set with its own media type is read", () =>
    Effect.asVoid(
      against(
        counting(() => json({ keys: [rsa.jwk] }, { headers: { "content-type": "application/jwk-set+json" } })),
        signIn()
      )
    )
  )
})
