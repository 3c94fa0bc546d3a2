import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createHash } from "node:crypto"
import { describe } from "vitest"
import type { Flow } from "../../src/oauth/Flow.ts"
import {
  against,
  answer,
  clientId,
  clientSecret,
  flow,
  goodClaims,
  issuer,
  issuing,
  json,
  keyPair,
  metadata,
  now,
  oidc,
  otherRsa,
  part,
  refusal,
  rsa,
  scripted,
  sign,
  signIn,
  signText,
  tokenResponse
} from "./ScriptedProvider.ts"

const es256 = await keyPair("ES256", { kid: "ec" })
const es384 = await keyPair("ES384", { kid: "ec384" })
const es512 = await keyPair("ES512", { kid: "ec512" })
const ed25519 = await keyPair("EdDSA", { kid: "ed" })
const secret = new TextEncoder().encode(clientSecret)

const half = (algorithm: string, value: string): string => {
  const digest = createHash(algorithm).update(value).digest()
  return digest.subarray(0, digest.length / 2).toString("base64url")
}

/** Claims that must not be believed, whatever the rest says. */
const badClaims: ReadonlyArray<readonly [title: string, claims: Record<string, unknown>]> = [
  ["P041, P248 of another issuer", { iss: "https://evil.example" }],
  ["P041 with a slash more in the issuer", { iss: `${issuer}/` }],
  ["P041 with a list of issuers", { iss: [issuer] }],
  ["P041 with a number as issuer", { iss: 1 }],
  ["P041 without issuer", { iss: undefined }],
  ["P250 for another client", { aud: "client-2" }],
  ["P250 without audience", { aud: undefined }],
  ["P250 with an empty list of audiences", { aud: [] }],
  ["P250 with a number among the audiences", { aud: [clientId, 1] }],
  ["P043, P286 with a further audience", { aud: [clientId, "client-2"] }],
  ["P043 with a further audience, though issued to this client", { aud: [clientId, "client-2"], azp: clientId }],
  ["P044 with a list of audiences and issued to another client", { aud: [clientId], azp: "client-2" }],
  ["P045 with one audience and issued to another client", { azp: "client-2" }],
  ["P059, P286 without expiry", { exp: undefined }],
  ["P059 with text as expiry", { exp: String(now + 300) }],
  ["P059 with null as expiry", { exp: null }],
  ["P059 with an expiry beyond every date", { exp: 1e308 }],
  ["P059 with a negative expiry", { exp: -1 }],
  ["P059, P286 that has expired", { exp: now - 61 }],
  ["P061, P251 without time of issue", { iat: undefined }],
  ["P062 from the future", { iat: now + 61 }],
  ["H142 by a clock that is five minutes ahead", { iat: now + 300, nbf: now + 300, exp: now + 600 }],
  ["P063 of a sign-in long ago", { iat: now - 661, exp: now + 300 }],
  ["P063, P286 of last week", { iat: now - 604_800, exp: now + 300 }],
  ["P064 that is not valid yet", { nbf: now + 61 }],
  ["P065, P286 without nonce", { nonce: undefined }],
  ["P065, P263, P286 with another nonce", { nonce: "nonce-2" }],
  ["P065 with a list of nonces", { nonce: ["nonce-1"] }],
  ["P067, P249 without subject", { sub: undefined }],
  ["P068 with an empty subject", { sub: "" }],
  ["P068 with a number as subject", { sub: 1 }],
  ["P068 with an object as subject", { sub: {} }],
  ["P068 with a list as subject", { sub: ["person-1"] }],
  ["P068 with a subject of 256 characters", { sub: "x".repeat(256) }],
  ["P068 with a subject beyond ASCII", { sub: "persön" }],
  ["P068 with NUL in the subject", { sub: "person-1\u0000" }],
  ["P073 with the hash of another code", { c_hash: half("sha256", "code-2") }],
  ["P073 with the hash of another state", { s_hash: half("sha256", "state-2") }],
  ["P266 with the hash of another access token", { at_hash: half("sha256", "access-2") }],
  ["P266 with a whole digest as at_hash", { at_hash: createHash("sha256").update("access-1").digest("base64url") }],
  ["P266 with at_hash of another type", { at_hash: 1 }]
]

/** Claims at the edge of what is allowed. */
const goodEdges: ReadonlyArray<readonly [title: string, claims: Record<string, unknown>]> = [
  ["P286 with the audience as a list of one", { aud: [clientId] }],
  ["P044 with the authorized party", { aud: [clientId], azp: clientId }],
  ["P059 that expired within the tolerance", { exp: now - 59 }],
  ["P062 from a clock a minute ahead", { iat: now + 60, nbf: now + 60 }],
  ["P063 of ten minutes ago", { iat: now - 600 }],
  ["P068 with a subject of 255 characters", { sub: "x".repeat(255) }],
  [
    "P073, P267 with the hashes of code and state",
    { c_hash: half("sha256", "code-1"), s_hash: half("sha256", "state-1") }
  ],
  ["P266 with the hash of the access token", { at_hash: half("sha256", "access-1") }],
  [
    "P277 with distributed claims, whose endpoints stay alone",
    { _claim_names: { address: "a" }, _claim_sources: { a: { endpoint: "https://internal.example/claims" } } }
  ]
]

describe("ID token claims", () => {
  for (const [title, claims] of badClaims) {
    it.gen(`${title}: refused`, function* () {
      const idp = scripted(issuing(claims))
      const failure = yield* against(idp, refusal())
      assert.strictEqual(failure._tag, "OAuthCallbackError")
      assert.strictEqual(failure.code, "invalid_token")
      assert.strictEqual(failure.retryable, false)
      assert.strictEqual(idp.count("/userinfo"), 0)
    })
  }

  for (const [title, claims] of goodEdges) {
    it.gen(`${title}: accepted`, function* () {
      const idp = scripted(issuing(claims))
      const signedIn = yield* against(idp, signIn())
      assert.strictEqual(signedIn.user.id, "sub" in claims ? claims["sub"] : "person-1")
      assert.deepStrictEqual(
        idp.sent.map((one) => one.path),
        ["/.well-known/openid-configuration", "/token", "/keys"]
      )
    })
  }

  it.gen("P039 a token response without ID token is refused", function* () {
    const idp = scripted({ "/token": () => json(tokenResponse(undefined)) })
    const failure = yield* against(idp, refusal())
    assert.strictEqual(failure.code, "invalid_response")
  })

  it.gen("P043 an audience that the configuration trusts is accepted with azp only", function* () {
    const provider = oidc({ clientMetadata: { trusted_audiences: ["project"] } })
    yield* against(scripted(issuing({ aud: [clientId, "project"], azp: clientId })), signIn(provider))
    const without = yield* against(scripted(issuing({ aud: [clientId, "project"] })), refusal(provider))
    assert.strictEqual(without.code, "invalid_token")
    const other = yield* against(scripted(issuing({ aud: [clientId, "evil"], azp: clientId })), refusal(provider))
    assert.strictEqual(other.code, "invalid_token")
  })

  it.gen("P065 a nonce that was not sent is refused, the token of another flow too", function* () {
    const unsent = yield* against(scripted(), refusal(oidc(), answer(undefined, { ...flow, nonce: undefined })))
    assert.strictEqual(unsent.code, "invalid_token")
    const replayed = yield* against(scripted(), refusal(oidc(), answer(undefined, { ...flow, nonce: "nonce-2" })))
    assert.strictEqual(replayed.code, "invalid_token")
  })

  it.gen("P065 an empty nonce is none: good where none was sent, and never in place of one", function* () {
    const bare = oidc({ refuses: ["nonce"] })
    yield* against(scripted(issuing({ nonce: "" })), signIn(bare, answer(undefined, { ...flow, nonce: undefined })))
    const instead = yield* against(scripted(issuing({ nonce: "" })), refusal())
    assert.strictEqual(instead.code, "invalid_token")
  })

  it.gen("P069 a requested authentication context must be met", function* () {
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ["mfa", "hardware"] } } })
    const provider = oidc({ authorizationParameters: [["claims", claims]] })
    yield* against(scripted(issuing({ acr: "mfa" })), signIn(provider))
    const missing = yield* against(scripted(), refusal(provider))
    assert.strictEqual(missing.code, "invalid_token")
    const other = yield* against(scripted(issuing({ acr: "password" })), refusal(provider))
    assert.strictEqual(other.code, "invalid_token")
  })

  it.gen("P070 a max_age that this attempt sent counts in place of the configured one, from any source", function* () {
    const configured = oidc({ authorizationParameters: [["max_age", "120"]] })
    const attempt = (requested: Flow["requested"]) => answer(undefined, { ...flow, requested })
    for (const provider of [oidc(), configured]) {
      yield* against(scripted(issuing({ auth_time: now - 90 })), signIn(provider, attempt({ maxAge: 30 })))
      for (const auth_time of [undefined, now - 91, now + 61]) {
        const failure = yield* against(scripted(issuing({ auth_time })), refusal(provider, attempt({ maxAge: 30 })))
        assert.strictEqual(failure.code, "invalid_token", String(auth_time))
      }
    }
    // The server's own call asked for more time than the configuration.
    yield* against(scripted(issuing({ auth_time: now - 600 })), signIn(configured, attempt({ maxAge: 3600 })))
  })

  it.gen("the hosted domain that was asked for is that of the token", function* () {
    const attempt = answer(undefined, { ...flow, requested: { hd: "Example.com" } })
    yield* against(scripted(issuing({ hd: "example.com" })), signIn(oidc(), attempt))
    for (const hd of [undefined, "", "evil.example", "example.com.evil.example", ["example.com"], null]) {
      const failure = yield* against(scripted(issuing({ hd })), refusal(oidc(), attempt))
      assert.strictEqual(failure.code, "invalid_token", JSON.stringify(hd))
    }
    const configured = oidc({ authorizationParameters: [["hd", "example.com"]] })
    assert.strictEqual((yield* against(scripted(), refusal(configured))).code, "invalid_token")
    yield* against(scripted(), signIn(oidc({ authorizationParameters: [["hd", "*"]] })))
  })

  it.gen("P069 acr_values of the request are those of an essential acr that names none", function* () {
    const attempt = answer(undefined, { ...flow, requested: { acr: ["gold", "silver"] } })
    yield* against(scripted(issuing({ acr: "silver" })), signIn(oidc(), attempt))
    for (const acr of [undefined, "bronze", ["gold"]]) {
      assert.strictEqual((yield* against(scripted(issuing({ acr })), refusal(oidc(), attempt))).code, "invalid_token")
    }
  })

  it.gen("P070 max_age demands auth_time, and a recent one", function* () {
    const byParameter = oidc({ authorizationParameters: [["max_age", "120"]] })
    const byMetadata = oidc({ clientMetadata: { default_max_age: 120 } })
    for (const provider of [byParameter, byMetadata]) {
      yield* against(scripted(issuing({ auth_time: now - 180 })), signIn(provider))
      for (const auth_time of [undefined, now - 181, now + 61, String(now)]) {
        const failure = yield* against(scripted(issuing({ auth_time })), refusal(provider))
        assert.strictEqual(failure.code, "invalid_token")
      }
    }
    const required = yield* against(scripted(), refusal(oidc({ clientMetadata: { require_auth_time: true } })))
    assert.strictEqual(required.code, "invalid_token")
  })

  it.gen("an auth_time that was not asked for is not compared with the clock", function* () {
    const ahead = scripted(issuing({ auth_time: now + 86_400 }))
    const { user } = yield* against(ahead, signIn(oidc()))
    assert.strictEqual(user.id, "person-1")
    const required = oidc({ clientMetadata: { require_auth_time: true } })
    assert.strictEqual((yield* against(ahead, refusal(required))).code, "invalid_token")
  })
})

const announcing = (...algorithms: ReadonlyArray<string>) => ({
  "/.well-known/openid-configuration": () => json({ ...metadata, id_token_signing_alg_values_supported: algorithms })
})

describe("ID token signatures", () => {
  const tampered = async (): Promise<string> => {
    const [header, , signature] = (await sign(goodClaims, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)).split(".")
    return `${header}.${part({ ...goodClaims, sub: "person-2" })}.${signature}`
  }
  const good = JSON.stringify(goodClaims)
  const header = `{"alg":"RS256","kid":"rsa-1"}`
  const publicKey = new TextEncoder().encode(String(rsa.jwk.n))

  const bad: ReadonlyArray<readonly [title: string, token: () => string | Promise<string>]> = [
    ["P046, P256 claims changed after signing", tampered],
    [
      "P046 the key of somebody else under the known key id",
      () => sign(goodClaims, { alg: "RS256", kid: "rsa-1" }, otherRsa.privateKey)
    ],
    ["P046 an empty signature", () => `${part({ alg: "RS256", kid: "rsa-1" })}.${part(goodClaims)}.`],
    ["P049, P255, P286 alg none", () => `${part({ alg: "none" })}.${part(goodClaims)}.`],
    ["P049 alg None", () => `${part({ alg: "None" })}.${part(goodClaims)}.c2ln`],
    [
      "P050, P286 an algorithm that the issuer does not announce",
      () => sign(goodClaims, { alg: "ES256", kid: "rsa-1" }, es256.privateKey)
    ],
    ["P051 HS256 with the client secret", () => sign(goodClaims, { alg: "HS256" }, secret)],
    ["P051 HS256 with the public key as secret", () => sign(goodClaims, { alg: "HS256", kid: "rsa-1" }, publicKey)],
    ["P058 an unknown critical parameter", () => signText(`{"alg":"RS256","kid":"rsa-1","crit":["x"],"x":1}`, good)],
    ["P058 an unencoded payload", () => signText(`{"alg":"RS256","kid":"rsa-1","crit":["b64"],"b64":false}`, good)],
    ["P058 b64 without crit", () => signText(`{"alg":"RS256","kid":"rsa-1","b64":false}`, good)],
    ["P046 a byte order mark before the claims", () => signText(header, `\ufeff${good}`)],
    ["P046 a byte order mark before the header", () => signText(`\ufeff${header}`, good)],
    ["P046 claims with a member twice, deep inside", () => signText(header, good.replace("{", '{"a":{"b":1,"b":2},'))],
    ["P046 a header that says the algorithm twice", () => signText(`{"alg":"none","alg":"RS256","kid":"rsa-1"}`, good)],
    ["P046 claims that name two people", () => signText(header, good.replace("{", `{"sub":"person-2",`))],
    ["P046 claims that are a list", () => signText(header, `[${good}]`)],
    ["P046 a key id that is no text", () => signText(`{"alg":"RS256","kid":["rsa-1"]}`, good)],
    [
      "P046 a token of another type",
      () => sign(goodClaims, { alg: "RS256", kid: "rsa-1", typ: "at+jwt" }, rsa.privateKey)
    ],
    ["P046 an encrypted token", () => "a.b.c.d.e"],
    ["P046 two parts", () => "a.b"],
    ["P046 a header that is no JSON", () => `bm8.${part(goodClaims)}.c2ln`],
    ["P046 padding", async () => `${await sign(goodClaims, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)}==`]
  ]
  for (const [title, token] of bad) {
    it.gen(`${title}: refused`, function* () {
      const idp = scripted({
        "/token": () =>
          Effect.map(
            Effect.promise(async () => token()),
            (made) => json(tokenResponse(made))
          )
      })
      const failure = yield* against(idp, refusal())
      assert.strictEqual(failure.code, "invalid_token")
    })
  }

  for (const [alg, { jwk, privateKey }] of [
    ["ES256", es256],
    ["ES384", es384],
    ["ES512", es512],
    ["EdDSA", ed25519]
  ] as const) {
    it.effect(`P050 ${alg} is accepted when the issuer announces it, with its own digest for at_hash`, () => {
      const digest = alg === "EdDSA" ? "sha512" : `sha${alg.slice(2)}`
      const idp = scripted({
        ...announcing("RS256", alg),
        "/keys": () => json({ keys: [rsa.jwk, jwk] }),
        ...issuing({ at_hash: half(digest, "access-1") }, { alg, kid: String(jwk.kid) }, privateKey)
      })
      return Effect.asVoid(against(idp, signIn()))
    })
  }

  it.effect("P050 PS256 with a key that names no algorithm is accepted when the issuer announces it", () => {
    const { alg: _, ...jwk } = rsa.jwk
    const idp = scripted({
      ...announcing("PS256"),
      "/keys": () => json({ keys: [jwk] }),
      "/token": () =>
        Effect.map(
          Effect.promise(async () => {
            const pair = await crypto.subtle.exportKey("jwk", rsa.privateKey)
            const { key_ops: _ops, alg: _alg, ...material } = pair
            const key = await crypto.subtle.importKey("jwk", material, { name: "RSA-PSS", hash: "SHA-256" }, false, [
              "sign"
            ])
            return sign(goodClaims, { alg: "PS256", kid: "rsa-1" }, key)
          }),
          (token) => json(tokenResponse(token))
        )
    })
    return Effect.asVoid(against(idp, signIn()))
  })

  it.gen("P050 the registered algorithm is the only one", function* () {
    const provider = oidc({ clientMetadata: { id_token_signed_response_alg: "ES256" } })
    const endpoints = { ...announcing("RS256", "ES256"), "/keys": () => json({ keys: [rsa.jwk, es256.jwk] }) }
    yield* against(
      scripted({ ...endpoints, ...issuing({}, { alg: "ES256", kid: "ec" }, es256.privateKey) }),
      signIn(provider)
    )
    const other = yield* against(scripted(endpoints), refusal(provider))
    assert.strictEqual(other.code, "invalid_token")
  })

  it.gen("P050 without an announcement RS256 is the only one", function* () {
    const { id_token_signing_alg_values_supported: _, ...silent } = metadata
    const endpoints = {
      "/.well-known/openid-configuration": () => json(silent),
      "/keys": () => json({ keys: [rsa.jwk, es256.jwk] })
    }
    yield* against(scripted(endpoints), signIn())
    const other = yield* against(
      scripted({ ...endpoints, ...issuing({}, { alg: "ES256", kid: "ec" }, es256.privateKey) }),
      refusal()
    )
    assert.strictEqual(other.code, "invalid_token")
  })

  it.gen("P049 none cannot be announced or registered", function* () {
    const idp = () =>
      scripted({
        ...announcing("none"),
        "/token": () => json(tokenResponse(`${part({ alg: "none" })}.${part(goodClaims)}.`))
      })
    const announced = yield* against(idp(), refusal())
    assert.strictEqual(announced.code, "invalid_token")
    const registered = yield* against(
      idp(),
      refusal(oidc({ clientMetadata: { id_token_signed_response_alg: "none" } }))
    )
    assert.strictEqual(registered.code, "invalid_token")
  })

  it.gen("P051, P257 HS256 works when registered, with the client secret only", function* () {
    const provider = oidc({ clientMetadata: { id_token_signed_response_alg: "HS256" } })
    const idp = scripted(issuing({}, { alg: "HS256" }, secret))
    yield* against(idp, signIn(provider))
    assert.strictEqual(idp.count("/keys"), 0)
    const forged = scripted(
      issuing({}, { alg: "HS256" }, new TextEncoder().encode("another secret of 32 bytes or more"))
    )
    assert.strictEqual((yield* against(forged, refusal(provider))).code, "invalid_token")
    assert.strictEqual((yield* against(scripted(), refusal(provider))).code, "invalid_token")
  })

  it.gen("P052 HS256 with a secret of less than 256 bits is refused", function* () {
    const short = "short secret of 31 bytes-------"
    const provider = oidc({
      clientSecret: Redacted.make(short),
      clientMetadata: { id_token_signed_response_alg: "HS256" }
    })
    const idp = scripted(issuing({}, { alg: "HS256" }, new TextEncoder().encode(short.padEnd(32, "-"))))
    const failure = yield* against(idp, refusal(provider))
    assert.strictEqual(failure.code, "provider_error")
  })

  it.effect("P046 what is signed as text is accepted when it is honest", () => {
    const idp = scripted({
      "/token": () =>
        Effect.map(
          Effect.promise(() => signText(header, good)),
          (token) => json(tokenResponse(token))
        )
    })
    return Effect.asVoid(against(idp, signIn()))
  })

  it.gen("P057 keys in the header, or pointed to by it, are not used or fetched", function* () {
    const header = {
      alg: "RS256",
      jku: "https://evil.example/keys",
      x5u: "https://evil.example/x5u",
      jwk: otherRsa.jwk,
      x5c: ["MIIB"]
    }
    const idp = scripted(issuing({}, header, otherRsa.privateKey))
    const failure = yield* against(idp, refusal())
    assert.strictEqual(failure.code, "invalid_token")
    assert.deepStrictEqual(
      idp.sent.map((one) => new URL(one.url).host),
      ["idp.example", "idp.example", "idp.example"]
    )
  })
})
