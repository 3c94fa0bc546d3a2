/** Tokens that are bound to a key (RFC 9449). */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as jose from "jose"
import {
  against,
  type Endpoint,
  goodClaims,
  issuer,
  json,
  now,
  oauth,
  oauthFlow,
  answer,
  oidc,
  refusal,
  rsa,
  type Scripted,
  scripted,
  type Sent,
  sign,
  signIn,
  start,
  tokenResponse
} from "./ScriptedProvider.ts"

const dpop = await jose.generateKeyPair("ES256")
const jwk = await jose.exportJWK(dpop.publicKey)
const provider = oidc({ dpop })
/** A provider whose profile comes from userinfo. */
const plain = oauth({ dpop, issuer })
const given = answer(undefined, { ...oauthFlow, issuer })

const issued = (more: object = { token_type: "DPoP" }) =>
  Effect.map(
    Effect.promise(() => sign(goodClaims, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)),
    (token) => json(tokenResponse(token, more))
  )

const profile = () => json({ sub: "person-1", id: "person-1", name: "Ada" })

const wantsNonce = (nonce: string, status = 400) =>
  json({ error: "use_dpop_nonce" }, { status, headers: { "dpop-nonce": nonce } })

const challenge = (nonce: string) =>
  new Response(null, {
    status: 401,
    headers: { "www-authenticate": `DPoP error="use_dpop_nonce", algs="ES256"`, "dpop-nonce": nonce }
  })

const binding = (endpoints: Record<string, Endpoint> = {}): Scripted =>
  scripted({ "/token": () => issued(), ...endpoints })

/** The claims of a proof whose signature and header are as they must be (RFC 9449 section 4.2). */
const proofIn = async ({ headers }: Sent): Promise<jose.JWTPayload> => {
  const { payload, protectedHeader } = await jose.jwtVerify(headers.get("dpop") ?? "", dpop.publicKey, {
    typ: "dpop+jwt",
    currentDate: new Date(now * 1000)
  })
  assert.deepStrictEqual<unknown>(protectedHeader, {
    alg: "ES256",
    typ: "dpop+jwt",
    jwk: { kty: "EC", crv: "P-256", x: jwk.x, y: jwk.y }
  })
  return payload
}

const proofsTo = (idp: Scripted, path: string) =>
  Effect.promise(() => Promise.all(idp.sent.filter((sent) => sent.path === path).map(proofIn)))

describe("a provider with a key pair", () => {
  it.gen("is sent a proof with the token request, and the token has to be bound", function* () {
    const idp = binding()
    const { tokens } = yield* against(idp, signIn(provider))
    const [proof, ...more] = yield* proofsTo(idp, "/token")
    assert.deepStrictEqual(more, [])
    assert.deepInclude(proof, { htm: "POST", htu: `${issuer}/token` })
    assert.approximately(proof?.iat ?? 0, now, 1)
    assert.isString(proof?.jti)
    assert.strictEqual(tokens.token_type, "dpop")
  })

  it.gen("is sent the token to userinfo with a proof of its own", function* () {
    const idp = binding({ "/userinfo": profile })
    yield* against(idp, signIn(plain, given))
    const [token] = yield* proofsTo(idp, "/token")
    const [proof] = yield* proofsTo(idp, "/userinfo")
    const sent = idp.sent.find(({ path }) => path === "/userinfo")
    assert.strictEqual(sent?.headers.get("authorization"), "DPoP access-1")
    const digest = yield* Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode("access-1")))
    const ath = jose.base64url.encode(new Uint8Array(digest))
    assert.deepInclude(proof, { htm: "GET", htu: `${issuer}/userinfo`, ath })
    assert.approximately(proof?.iat ?? 0, now, 1)
    assert.notStrictEqual(proof?.jti, token?.jti)
  })

  it.gen("binds the code to the key in the authorization request", function* () {
    const { url } = yield* against(binding(), start(provider))
    const thumbprint = yield* Effect.promise(() => jose.calculateJwkThumbprint(jwk))
    assert.deepStrictEqual(new URL(url).searchParams.getAll("dpop_jkt"), [thumbprint])
    const { url: own } = yield* against(binding(), start(provider, [["dpop_jkt", "another-key"]], true))
    assert.deepStrictEqual(new URL(own).searchParams.getAll("dpop_jkt"), [thumbprint])
  })

  it.gen("is sent nothing of it without one", function* () {
    const idp = scripted()
    const { url } = yield* against(idp, start(oidc()))
    yield* against(idp, signIn(oauth(), answer(undefined, oauthFlow)))
    assert.isNull(new URL(url).searchParams.get("dpop_jkt"))
    for (const { headers } of idp.sent) assert.isNull(headers.get("dpop"))
    assert.strictEqual(idp.sent.at(-1)?.headers.get("authorization"), "Bearer access-1")
  })

  for (const token_type of ["Bearer", "bearer", "mac", "", undefined]) {
    it.gen(`refuses a token of type ${token_type}`, function* () {
      const idp = binding({ "/token": () => issued({ token_type }), "/userinfo": profile })
      const failure = yield* against(idp, refusal(plain, given))
      assert.strictEqual(failure.code, "invalid_response")
      assert.strictEqual(idp.count("/userinfo"), 0)
    })
  }

  it.gen("takes the type in any case", function* () {
    yield* against(binding({ "/token": () => issued({ token_type: "dPoP" }) }), signIn(provider))
  })
})

describe("a nonce that the provider asks for", () => {
  for (const status of [400, 401]) {
    it.gen(`stands in the second token request, after ${status}, and in the second userinfo request`, function* () {
      let tokens = 0
      let profiles = 0
      const idp = binding({
        "/token": () => (tokens++ === 0 ? wantsNonce("nonce-a", status) : issued()),
        "/userinfo": () => (profiles++ === 0 ? challenge("nonce-b") : profile())
      })
      yield* against(idp, signIn(plain, given))
      const sent = [...(yield* proofsTo(idp, "/token")), ...(yield* proofsTo(idp, "/userinfo"))]
      assert.deepStrictEqual(
        sent.map(({ nonce }) => nonce),
        [undefined, "nonce-a", undefined, "nonce-b"]
      )
      assert.strictEqual(new Set(sent.map(({ jti }) => jti)).size, 4)
    })
  }

  it.gen("is asked for once: who asks again is refused", function* () {
    let asked = 0
    const idp = binding({ "/token": () => wantsNonce(`nonce-${asked++}`) })
    const failure = yield* against(idp, refusal(provider))
    assert.strictEqual(failure.code, "provider_error")
    assert.notInclude(failure.message, "nonce-1")
    assert.strictEqual(idp.count("/token"), 2)
    const endless = binding({ "/userinfo": () => challenge(`nonce-${asked++}`) })
    assert.strictEqual((yield* against(endless, refusal(plain, given))).code, "invalid_response")
    assert.strictEqual(endless.count("/userinfo"), 2)
  })

  const ignored: ReadonlyArray<readonly [title: string, answer: () => Response]> = [
    ["is empty", () => wantsNonce("")],
    ["has characters that a nonce may not have", () => wantsNonce(`a"b`)],
    ["has spaces", () => wantsNonce("a b")],
    ["has no end", () => wantsNonce("n".repeat(1025))],
    [
      "comes without the error",
      () => json({ error: "invalid_grant" }, { status: 400, headers: { "dpop-nonce": "n" } })
    ],
    ["comes with a page", () => new Response("use_dpop_nonce", { status: 400, headers: { "dpop-nonce": "n" } })],
    ["comes with an error of the server", () => wantsNonce("n", 500)],
    ["is not there", () => json({ error: "use_dpop_nonce" }, { status: 400 })]
  ]
  for (const [title, answered] of ignored) {
    it.gen(`and that ${title} leads to no second request`, function* () {
      const idp = binding({ "/token": answered })
      yield* against(idp, refusal(provider))
      assert.strictEqual(idp.count("/token"), 1)
    })
  }

  it.gen("is not answered by a provider without key pair: the code is sent once", function* () {
    const idp = binding({ "/token": () => wantsNonce("n") })
    yield* against(idp, refusal(oidc()))
    assert.strictEqual(idp.count("/token"), 1)
  })
})
