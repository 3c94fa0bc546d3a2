/** Encrypted ID tokens (OpenID Connect Core section 10.2). */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as jose from "jose"
import {
  against,
  goodClaims,
  json,
  oidc,
  otherRsa,
  refusal,
  rsa,
  scripted,
  sign,
  signIn,
  tokenResponse
} from "./ScriptedProvider.ts"

const rsaKeys = await jose.generateKeyPair("RSA-OAEP-256")
const otherKeys = await jose.generateKeyPair("RSA-OAEP-256")
const curveKeys = await jose.generateKeyPair("ECDH-ES")
const shared = new Uint8Array(32).fill(7)

const signed = (claims: object = goodClaims) => sign(claims, { alg: "RS256", kid: "rsa-1" }, rsa.privateKey)

type Header = jose.CompactJWEHeaderParameters

const encrypted = (
  text: string | Uint8Array,
  header: Header = { alg: "RSA-OAEP-256", enc: "A256GCM" },
  key: jose.CryptoKey | Uint8Array = rsaKeys.publicKey
): Promise<string> =>
  new jose.CompactEncrypt(typeof text === "string" ? new TextEncoder().encode(text) : text)
    .setProtectedHeader(header)
    .encrypt(key)

const issues = (make: () => Promise<string>) =>
  scripted({ "/token": () => Effect.map(Effect.promise(make), (token) => json(tokenResponse(token))) })

const provider = oidc({ idTokenDecryption: [rsaKeys.privateKey] })

describe("an encrypted ID token", () => {
  const good: ReadonlyArray<readonly [alg: string, enc: string, keys: jose.GenerateKeyPairResult]> = [
    ["RSA-OAEP-256", "A256GCM", rsaKeys],
    ["RSA-OAEP-256", "A128CBC-HS256", rsaKeys],
    ["ECDH-ES", "A128GCM", curveKeys],
    ["ECDH-ES+A256KW", "A256CBC-HS512", curveKeys]
  ]
  for (const [alg, enc, { privateKey, publicKey }] of good) {
    it.gen(`with ${alg} and ${enc} signs in`, function* () {
      const idp = issues(async () => encrypted(await signed(), { alg, enc, cty: "JWT" }, publicKey))
      const { profile } = yield* against(idp, signIn(oidc({ idTokenDecryption: [privateKey] })))
      assert.strictEqual(profile.sub, goodClaims.sub)
    })
  }

  it.gen("is decrypted with any key of a list", function* () {
    const idp = issues(async () => encrypted(await signed()))
    const idTokenDecryption = [curveKeys.privateKey, otherKeys.privateKey, rsaKeys.privateKey]
    yield* against(idp, signIn(oidc({ idTokenDecryption })))
  })

  it.gen("may have the algorithms that the client registered for", function* () {
    const idp = issues(async () => encrypted(await signed()))
    const clientMetadata = {
      id_token_encrypted_response_alg: "RSA-OAEP-256",
      id_token_encrypted_response_enc: "A256GCM"
    }
    yield* against(idp, signIn({ ...provider, clientMetadata }))
  })
})

const refused: ReadonlyArray<readonly [title: string, make: () => Promise<string>, metadata?: object]> = [
  ["one that is not encrypted", () => signed()],
  [
    "one without signature",
    () =>
      encrypted(jose.base64url.encode(`{"alg":"none"}`) + "." + jose.base64url.encode(JSON.stringify(goodClaims)) + ".")
  ],
  ["claims that are encrypted and not signed", () => encrypted(JSON.stringify(goodClaims))],
  [
    "one that is signed by another key",
    async () => encrypted(await sign(goodClaims, { alg: "RS256", kid: "rsa-1" }, otherRsa.privateKey))
  ],
  ["one for another client", async () => encrypted(await signed({ ...goodClaims, aud: "client-2" }))],
  ["one that is encrypted twice", async () => encrypted(await encrypted(await signed()))],
  ["one that is encrypted to another key", async () => encrypted(await signed(), undefined, otherKeys.publicKey)],
  [
    "one that is encrypted with a shared key",
    async () => encrypted(await signed(), { alg: "dir", enc: "A256GCM" }, shared)
  ],
  [
    "one whose key is wrapped with a shared key",
    async () => encrypted(await signed(), { alg: "A256KW", enc: "A256GCM" }, shared)
  ],
  [
    "one that is encrypted with a password",
    async () => encrypted(await signed(), { alg: "PBES2-HS256+A128KW", enc: "A256GCM" }, shared)
  ],
  [
    "another algorithm of keys than the registered one",
    async () => encrypted(await signed()),
    { id_token_encrypted_response_alg: "ECDH-ES" }
  ],
  [
    "another algorithm of content than the registered one",
    async () => encrypted(await signed()),
    { id_token_encrypted_response_enc: "A128GCM" }
  ],
  [
    "a registered algorithm that is not supported",
    async () => encrypted(await signed()),
    { id_token_encrypted_response_alg: "RSA1_5" }
  ],
  [
    "one that is compressed",
    async () => encrypted(await signed(), { alg: "RSA-OAEP-256", enc: "A256GCM", zip: "DEF" })
  ],
  ["one that is not UTF-8", () => encrypted(new Uint8Array([0xff, 0xfe]))],
  [
    "one that was changed on its way",
    async () => (await encrypted(await signed())).replace(/\.[^.]*$/, ".AAAAAAAAAAAAAAAAAAAAAA")
  ],
  ["five empty parts", async () => "...."]
]

describe("where encryption was asked for", () => {
  for (const [title, make, clientMetadata = {}] of refused) {
    it.gen(`P046 ${title} is refused`, function* () {
      const idp = issues(make)
      const failure = yield* against(idp, refusal({ ...provider, clientMetadata: { ...clientMetadata } }))
      assert.strictEqual(failure.code, "invalid_token")
      assert.isUndefined(failure.cause)
      assert.strictEqual(idp.count("/userinfo"), 0)
    })
  }

  it.gen("P046 the detail says what is wrong with the encryption", function* () {
    const plain = yield* against(
      issues(() => signed()),
      refusal(provider)
    )
    assert.include(plain.message, "not encrypted, which idTokenDecryption asks for")
    const other = yield* against(
      issues(async () => encrypted(await signed(), { alg: "dir", enc: "A256GCM" }, shared)),
      refusal(provider)
    )
    assert.include(other.message, "with an algorithm that was not agreed")
  })
})
