import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as crypto from "node:crypto"
import { readFileSync } from "node:fs"
import * as jose from "jose"
import { describe } from "vitest"
import { nodeCrypto } from "../../src/internal/NodeCrypto.ts"
import { halfDigest } from "../../src/oauth/IdToken.ts"
import {
  keyRule,
  makeNode,
  makeWeb,
  nodeSignatures,
  type PublicJwk,
  type Signed,
  type Verifier
} from "../../src/oauth/Verifier.ts"

const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]

const engines: ReadonlyArray<
  readonly [name: string, make: (jwk: PublicJwk, algorithm: string) => Effect.Effect<Verifier | undefined>]
> = [
  [
    "node:crypto",
    (jwk, algorithm) => makeNode(nodeSignatures ?? assert.fail(), jwk, keyRule(algorithm) ?? assert.fail())
  ],
  ["WebCrypto", (jwk, algorithm) => makeWeb(jwk, algorithm)]
]

const made = await Promise.all(
  algorithms.map(async (algorithm) => {
    const pair = await jose.generateKeyPair(algorithm, { extractable: true })
    const jwk = (await jose.exportJWK(pair.publicKey)) as PublicJwk
    const token = await new jose.CompactSign(new TextEncoder().encode("{}"))
      .setProtectedHeader({ alg: algorithm })
      .sign(pair.privateKey)
    const [header = "", payload = "", signature = ""] = token.split(".")
    const signed: Signed = {
      input: new Uint8Array(Buffer.from(`${header}.${payload}`)),
      signature: new Uint8Array(Buffer.from(signature, "base64url"))
    }
    return { algorithm, jwk, signed }
  })
)

const changed = (bytes: Uint8Array<ArrayBuffer>, at: number): Uint8Array<ArrayBuffer> => {
  const copy = Uint8Array.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe("Signatures", () => {
  for (const [engine, make] of engines) {
    for (const { algorithm, jwk, signed } of made) {
      it.effect(`P046, P254, P256 ${algorithm} over ${engine} tells a good signature from every changed one`, () =>
        Effect.gen(function* () {
          const verify = (yield* make(jwk, algorithm)) ?? assert.fail("no key")
          assert.isTrue(yield* verify(signed))
          assert.isFalse(yield* verify({ ...signed, input: changed(signed.input, 3) }))
          for (const at of [0, signed.signature.length - 1]) {
            assert.isFalse(yield* verify({ ...signed, signature: changed(signed.signature, at) }))
          }
          for (const length of [0, 1, signed.signature.length - 1]) {
            assert.isFalse(yield* verify({ ...signed, signature: signed.signature.slice(0, length) }))
          }
          assert.isFalse(yield* verify({ ...signed, signature: new Uint8Array([...signed.signature, 0]) }))
          assert.isFalse(yield* verify({ ...signed, signature: new Uint8Array(signed.signature.length) }))
        })
      )

      it.effect(`P056 ${algorithm} over ${engine} does without a key that is none`, () =>
        Effect.gen(function* () {
          assert.isUndefined(yield* make({ kty: jwk.kty }, algorithm))
          assert.isUndefined(yield* make({ kty: "oct", k: "AAAA" }, algorithm))
        })
      )
    }
  }

  for (const algorithm of ["none", "HS256", "RS1", "ES256K", "constructor", ""]) {
    it(`P050 ${algorithm || "the empty algorithm"} has no rule`, () => assert.isUndefined(keyRule(algorithm)))
  }
})

interface Published {
  readonly payload: string
  readonly vectors: ReadonlyArray<{
    readonly section: string
    readonly algorithm: string
    readonly jwk: PublicJwk
    readonly jws: string
  }>
}

const published = JSON.parse(
  readFileSync(new URL("../vectors/rfc7520.json", import.meta.url), "utf8")
) as unknown as Published

describe("Signatures of RFC 7520", () => {
  for (const { section, algorithm, jwk, jws } of published.vectors) {
    const [header = "", payload = "", signature = ""] = jws.split(".")
    const signed: Signed = {
      input: new Uint8Array(Buffer.from(`${header}.${payload}`)),
      signature: new Uint8Array(Buffer.from(signature, "base64url"))
    }

    it(`section ${section}: jose reads what the RFC signed with ${algorithm}`, async () => {
      const read = await jose.compactVerify(jws, await jose.importJWK(jwk, algorithm), { algorithms: [algorithm] })
      assert.strictEqual(new TextDecoder().decode(read.payload), published.payload)
      assert.deepStrictEqual(read.protectedHeader, { alg: algorithm, kid: "bilbo.baggins@hobbiton.example" })
    })

    for (const [engine, make] of engines) {
      it.effect(`P046, P256 section ${section}: ${algorithm} over ${engine} tells it from one with another byte`, () =>
        Effect.gen(function* () {
          const verify = (yield* make(jwk, algorithm)) ?? assert.fail("no key")
          assert.isTrue(yield* verify(signed))
          for (const at of [0, signed.signature.length >> 1, signed.signature.length - 1]) {
            assert.isFalse(yield* verify({ ...signed, signature: changed(signed.signature, at) }))
          }
        })
      )
    }
  }
})

describe("Hashes in ID tokens", () => {
  for (const [algorithm, digest] of [
    ["RS256", "sha256"],
    ["ES384", "sha384"],
    ["PS512", "sha512"],
    ["EdDSA", "sha512"],
    ["Ed25519", "sha512"]
  ] as const) {
    it.effect(`P266, P073 ${algorithm} takes the left half of ${digest}, with either cryptography`, () =>
      Effect.gen(function* () {
        const whole = crypto.createHash(digest).update("access-tökén").digest()
        const expected = whole.subarray(0, whole.length / 2).toString("base64url")
        assert.strictEqual(yield* halfDigest(nodeCrypto() ?? assert.fail(), algorithm, "access-tökén"), expected)
        assert.strictEqual(yield* halfDigest(undefined, algorithm, "access-tökén"), expected)
      })
    )
  }
})
