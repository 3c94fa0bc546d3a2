import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as crypto from "node:crypto"
import { readFileSync } from "node:fs"
import * as jose from "jose"
import { describe } from "vitest"
import { connectionOf } from "../../src/oauth/Connection.ts"
import { halfDigest } from "../../src/oauth/IdToken.ts"
import { read, verify } from "../../src/oauth/SignedToken.ts"
import type { Transport } from "../../src/oauth/Transport.ts"
import { buffered, oidc } from "./ScriptedProvider.ts"

/** The way to a provider that publishes these keys. */
const publishing = (...keys: ReadonlyArray<object>): Transport => ({
  send: () => Effect.succeed(buffered({ keys })),
  owner: {},
  scope: ""
})

/** Is the signature of this token good? */
const isGood = (token: string, algorithm: string, ...keys: ReadonlyArray<object>): Effect.Effect<boolean> => {
  const expected = { what: "token", registered: algorithm, announced: undefined }
  return Effect.flatMap(read(expected, token), (unverified) =>
    verify(connectionOf(publishing(...keys), oidc()), { ...unverified, jwksUri: "https://idp.example/keys" })
  ).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false)
  )
}

const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]

const made = await Promise.all(
  algorithms.map(async (algorithm) => {
    const pair = await jose.generateKeyPair(algorithm, { extractable: true })
    const jwk = await jose.exportJWK(pair.publicKey)
    const secret = await jose.exportJWK(pair.privateKey)
    const token = await new jose.CompactSign(new TextEncoder().encode("{}"))
      .setProtectedHeader({ alg: algorithm })
      .sign(pair.privateKey)
    return { algorithm, jwk, secret, token }
  })
)

/** The token with another signature. */
const resigned = (token: string, change: (signature: Buffer) => Uint8Array): string => {
  const [header = "", payload = "", signature = ""] = token.split(".")
  return `${header}.${payload}.${Buffer.from(change(Buffer.from(signature, "base64url"))).toString("base64url")}`
}

const changed = (bytes: Uint8Array, at: number): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe("Signatures", () => {
  for (const { algorithm, jwk, secret, token } of made) {
    it.gen(`P046, P254, P256 jose tells a good ${algorithm} signature from every changed one`, function* () {
      assert.isTrue(yield* isGood(token, algorithm, jwk))
      const other = token.replace(/\.[^.]*\./, `.${Buffer.from('{"a":1}').toString("base64url")}.`)
      assert.isFalse(yield* isGood(other, algorithm, jwk))
      const { length } = Buffer.from(token.split(".")[2] ?? "", "base64url")
      const changes: ReadonlyArray<(signature: Buffer) => Uint8Array> = [
        (signature) => changed(signature, 0),
        (signature) => changed(signature, length - 1),
        () => new Uint8Array(0),
        (signature) => signature.subarray(0, 1),
        (signature) => signature.subarray(0, length - 1),
        (signature) => Buffer.concat([signature, new Uint8Array(1)]),
        () => new Uint8Array(length)
      ]
      for (const change of changes) assert.isFalse(yield* isGood(resigned(token, change), algorithm, jwk))
    })

    it.gen(`P056 ${algorithm} takes a key of several operations, with verify among them`, function* () {
      assert.isTrue(yield* isGood(token, algorithm, { ...jwk, key_ops: ["verify", "encrypt"] }))
    })

    it.gen(`P056 ${algorithm} does without a key that is none, is private, or is for something else`, function* () {
      for (const key of [
        { kty: jwk.kty },
        { kty: "oct", k: "AAAA" },
        secret,
        { ...jwk, key_ops: "verify" },
        { ...jwk, key_ops: ["sign"] },
        { ...jwk, use: "enc" }
      ]) {
        assert.isFalse(yield* isGood(token, algorithm, key))
        assert.isTrue(yield* isGood(token, algorithm, key, jwk))
      }
    })
  }

  for (const algorithm of ["none", "RS1", "ES256K", "constructor", ""]) {
    it.gen(`P050 ${algorithm || "the empty algorithm"} cannot be registered`, function* () {
      const [, payload, signature] = made[0]?.token.split(".") ?? []
      const header = Buffer.from(JSON.stringify({ alg: algorithm })).toString("base64url")
      assert.isFalse(yield* isGood(`${header}.${payload}.${signature}`, algorithm, made[0]?.jwk ?? {}))
    })
  }
})

interface Published {
  readonly payload: string
  readonly vectors: ReadonlyArray<{
    readonly section: string
    readonly algorithm: string
    readonly jwk: jose.JWK
    readonly jws: string
  }>
}

const published = JSON.parse(
  readFileSync(new URL("../vectors/rfc7520.json", import.meta.url), "utf8")
) as unknown as Published

describe("Signatures of RFC 7520", () => {
  for (const { section, algorithm, jwk, jws } of published.vectors) {
    it(`P046 section ${section}: jose verifies what the RFC signed with ${algorithm}`, async () => {
      const key = await jose.importJWK(jwk, algorithm)
      const verified = await jose.compactVerify(jws, key, { algorithms: [algorithm] })
      assert.strictEqual(new TextDecoder().decode(verified.payload), published.payload)
      for (const at of [0, 40, 63]) {
        const other = resigned(jws, (signature) => changed(signature, at))
        const refused = await jose.compactVerify(other, key, { algorithms: [algorithm] }).catch(() => undefined)
        assert.isUndefined(refused)
      }
    })
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
    it.gen(`P266, P073 ${algorithm} takes the left half of ${digest}, with either cryptography`, function* () {
      const whole = crypto.createHash(digest).update("access-tökén").digest()
      const expected = whole.subarray(0, whole.length / 2).toString("base64url")
      assert.strictEqual(yield* halfDigest(algorithm, "access-tökén"), expected)
    })
  }
})
