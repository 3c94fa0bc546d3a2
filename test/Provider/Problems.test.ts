import { assert, describe, it } from "@effect/vitest"
import { generateKeyPair } from "jose"
import { problems } from "./Read.ts"

const email = { id: "mail", name: "Mail", type: "email" }
const passkey = { id: "passkey", name: "Passkey", type: "webauthn" }

describe("providers that need storage", () => {
  const cases: ReadonlyArray<readonly [string, unknown, boolean, boolean, string]> = [
    ["email without an adapter", email, false, false, "MissingAdapter"],
    ["email without an adapter, with WebAuthn", email, false, true, "MissingAdapter"],
    ["WebAuthn that is not enabled", passkey, false, false, "ExperimentalFeatureNotEnabled"],
    ["WebAuthn that is not enabled, with an adapter", passkey, true, false, "ExperimentalFeatureNotEnabled"],
    ["WebAuthn without an adapter", passkey, false, true, "MissingAdapter"]
  ]
  for (const [name, provider, hasAdapter, enableWebAuthn, tag] of cases) {
    it(`${name}: ${tag}, and the place`, () => {
      const [problem, ...others] = problems(provider, 2, { hasAdapter, enableWebAuthn })
      assert.deepStrictEqual([problem?._tag, others.length], [tag, 0])
      assert.include(problem?.message, "providers[2]")
      assert.strictEqual(problem?.provider, Reflect.get(Object(provider), "id"))
    })
  }

  it("nothing is said of storage when nothing is known of it", () => {
    assert.deepStrictEqual(problems(email), [])
  })
})

describe("options that need the metadata of an issuer", () => {
  const endpoint = "https://idp.example/oauth"
  const bank = {
    id: "bank",
    name: "Bank",
    type: "oauth",
    clientId: "web",
    clientSecret: "secret",
    authorization: endpoint,
    token: endpoint,
    userinfo: endpoint
  }

  it("pushed requests without an issuer: the option is named", () => {
    const [problem, ...others] = problems({ ...bank, pushedAuthorizationRequests: true })
    assert.deepStrictEqual(others, [])
    assert.strictEqual(problem?.field, "providers.bank.pushedAuthorizationRequests")
    assert.strictEqual(problem?.remedy, "Set issuer, or leave the option out.")
  })

  it("work with one, and are not needed where they are off", () => {
    assert.deepStrictEqual(problems({ ...bank, issuer: "https://idp.example", pushedAuthorizationRequests: true }), [])
    for (const pushedAuthorizationRequests of [false, null, undefined])
      assert.deepStrictEqual(problems({ ...bank, pushedAuthorizationRequests }), [])
  })
})

describe("keys for encrypted ID tokens", () => {
  const bank = {
    id: "bank",
    name: "Bank",
    type: "oidc",
    issuer: "https://idp.example",
    clientId: "web",
    clientSecret: "secret"
  }
  const field = "providers.bank.idTokenDecryption"

  it("are private, and may decrypt", async () => {
    const rsa = await generateKeyPair("RSA-OAEP-256")
    const curve = await generateKeyPair("ECDH-ES+A256KW")
    const signing = await generateKeyPair("RS256")
    const good = [rsa.privateKey, curve.privateKey, [rsa.privateKey, curve.privateKey], null, undefined]
    for (const idTokenDecryption of good) assert.deepStrictEqual(problems({ ...bank, idTokenDecryption }), [])
    const bad = [
      rsa.publicKey,
      signing.privateKey,
      [],
      [rsa.privateKey, "key"],
      "-----BEGIN PRIVATE KEY-----",
      {},
      true
    ]
    for (const idTokenDecryption of bad) {
      assert.deepStrictEqual(
        problems({ ...bank, idTokenDecryption }).map((problem) => problem.field),
        [field]
      )
    }
  })

  it("are needed where the client is registered for encrypted ones", () => {
    const [problem, ...others] = problems({ ...bank, client: { id_token_encrypted_response_alg: "RSA-OAEP" } })
    assert.deepStrictEqual([problem?._tag, problem?.field, others.length], ["InvalidConfiguration", field, 0])
  })
})

describe("key pairs for bound tokens", () => {
  const bank = {
    id: "bank",
    name: "Bank",
    type: "oidc",
    issuer: "https://idp.example",
    clientId: "web",
    clientSecret: "secret"
  }

  it("sign, and show their public key", async () => {
    const pair = await generateKeyPair("ES256")
    const other = await generateKeyPair("RSA-OAEP")
    const hidden = await crypto.subtle.importKey(
      "jwk",
      await crypto.subtle.exportKey("jwk", pair.publicKey),
      { name: "ECDSA", namedCurve: "P-256" },
      false,
      ["verify"]
    )
    const good = [pair, await generateKeyPair("Ed25519"), await generateKeyPair("PS256"), null, undefined]
    for (const dpop of good) assert.deepStrictEqual(problems({ ...bank, dpop }), [])
    const swapped = { privateKey: pair.publicKey, publicKey: pair.privateKey }
    const bad = [
      true,
      "key",
      {},
      [],
      pair.privateKey,
      other,
      swapped,
      { ...pair, publicKey: hidden },
      { ...pair, privateKey: 1 }
    ]
    for (const dpop of bad) {
      assert.deepStrictEqual(
        problems({ ...bank, dpop }).map(({ field }) => field),
        ["providers.bank.dpop"]
      )
    }
  })
})
