import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as jose from "jose"
import { candidates } from "../../src/oauth/SignedToken.ts"
import type { Outgoing } from "../../src/internal/Network.ts"
import type { Transport } from "../../src/oauth/Transport.ts"
import {
  against,
  buffered,
  issuing,
  json,
  keyPair,
  otherRsa,
  refusal,
  rsa,
  scripted,
  signIn
} from "./ScriptedProvider.ts"

const uri = "https://idp.example/keys"
const ed25519 = await keyPair("EdDSA", { kid: "ed-1" })

/** A key set that changes as a test says, and what was asked of it. */
const publishing = (body: unknown, status = 200) => {
  const published = { body, status }
  const requests: Array<Outgoing> = []
  const transport: Transport = {
    owner: {},
    scope: "",
    send: (_what, request) =>
      Effect.sync(() => {
        requests.push(request)
        return buffered(published.body, published.status)
      })
  }
  const find = (
    header: jose.JWTHeaderParameters = { alg: "RS256", kid: "rsa-1" },
    isAllowed: Parameters<typeof candidates>[4] = () => true
  ) => candidates(transport, "ID token", uri, header, isAllowed).known
  return { published, requests, find }
}

/** The moduli of what was found, by which keys of RSA are told apart. */
const moduli = (keys: ReadonlyArray<jose.CryptoKey>) =>
  Effect.promise(() => Promise.all(keys.map(async (key) => (await jose.exportJWK(key)).n)))

describe("the keys that a header may mean", () => {
  it.gen("are asked for as JSON, once, and kept for ten minutes", function* () {
    const { find, requests } = publishing({ keys: [rsa.jwk, otherRsa.jwk] })
    for (let times = 0; times < 3; times++) assert.deepStrictEqual(yield* moduli(yield* find()), [rsa.jwk.n])
    assert.deepStrictEqual(requests, [
      {
        method: "GET",
        url: uri,
        headers: { accept: "application/json, application/jwk-set+json", "user-agent": "effect-doorman" },
        body: undefined
      }
    ])
    yield* TestClock.adjust("10 minutes")
    yield* find()
    assert.lengthOf(requests, 2)
  })

  it.gen("P100 with an id that is not known lead to one fetch a minute", function* () {
    const { find, published, requests } = publishing({ keys: [rsa.jwk] })
    const unknown = { alg: "RS256", kid: "rsa-2" }
    // Keys that were fetched for this token are not fetched again.
    assert.lengthOf(yield* find(unknown), 0)
    assert.lengthOf(requests, 1)
    published.body = { keys: [rsa.jwk, otherRsa.jwk] }
    yield* TestClock.adjust("1 minute")
    assert.lengthOf(yield* find(unknown), 1)
    assert.lengthOf(requests, 2)
    for (const [wait, fetches] of [
      ["0 seconds", 2],
      ["59999 millis", 2],
      ["1 millis", 3]
    ] as const) {
      yield* TestClock.adjust(wait)
      assert.lengthOf(yield* find({ alg: "RS256", kid: "rsa-3" }), 0)
      assert.lengthOf(requests, fetches)
    }
  })

  it.gen("without an id are eight at most, and those alone that are allowed", function* () {
    const { find } = publishing({
      keys: Array.from({ length: 10 }, (_, at) => ({ ...rsa.jwk, kid: `key-${at}`, issuer: at === 0 ? 5 : `of-${at}` }))
    })
    assert.lengthOf(yield* find({ alg: "RS256" }), 8)
    assert.lengthOf(yield* find({ alg: "RS256" }, ({ issuer }) => issuer === "of-3"), 1)
    assert.lengthOf(yield* find({ alg: "RS256" }, ({ issuer }) => issuer === undefined), 1)
    assert.lengthOf(yield* find({ alg: "RS256" }, () => false), 0)
  })
})

describe("keys that were found once", () => {
  it.gen("are those of the same algorithm and id, and of a set whose keys are all allowed", function* () {
    const { kid: _, ...unnamed } = otherRsa.jwk
    const { find } = publishing({ keys: [rsa.jwk, unnamed] })
    for (let times = 0; times < 2; times++) {
      assert.deepStrictEqual(yield* moduli(yield* find({ alg: "RS256", kid: "rsa-1" })), [rsa.jwk.n])
      assert.deepStrictEqual(yield* moduli(yield* find({ alg: "RS256" }, () => false)), [])
      assert.lengthOf(yield* find({ alg: "RS256", kid: "" }), 0)
      assert.lengthOf(yield* find({ alg: "PS256", kid: "rsa-1" }), 0)
      assert.deepStrictEqual(
        yield* moduli(yield* find({ alg: "RS256", kid: "rsa-1" }, ({ issuer }) => issuer === "none")),
        []
      )
    }
  })

  it.gen("go with their document", function* () {
    const { find, published } = publishing({ keys: [rsa.jwk] })
    assert.deepStrictEqual(yield* moduli(yield* find()), [rsa.jwk.n])
    published.body = { keys: [{ ...otherRsa.jwk, kid: "rsa-1" }] }
    yield* TestClock.adjust("10 minutes")
    assert.deepStrictEqual(yield* moduli(yield* find()), [otherRsa.jwk.n])
  })
})

describe("a key set", () => {
  const { kid: _, ...unnamed } = rsa.jwk
  const { alg: __, ...general } = rsa.jwk
  const longest = { ...rsa.jwk, n: "A".repeat(1366) }
  it.effect.each<readonly [name: string, key: unknown]>([
    ["a kty that is no text", { ...rsa.jwk, kty: ["RSA"] }],
    ["a kid that is no text", { ...rsa.jwk, kid: 1 }],
    ["an alg that is no text", { ...rsa.jwk, alg: ["RS256"] }],
    ["a crv that is no text", { ...rsa.jwk, crv: 1 }],
    ["a modulus that is no text", { ...rsa.jwk, n: 1 }],
    ["a modulus of more than 8192 bits", { ...rsa.jwk, n: "A".repeat(1367) }],
    ["another algorithm", { ...rsa.jwk, alg: "PS256" }],
    ["the algorithm of another type of key", { ...rsa.jwk, alg: "EdDSA" }],
    ["another use", { ...rsa.jwk, use: "enc" }],
    ["operations without verify", { ...rsa.jwk, key_ops: ["encrypt"] }],
    ["operations that are no list", { ...rsa.jwk, key_ops: "verify" }],
    ["null for a key", null],
    ["a text for a key", "key"]
  ])("leaves a key with %s out, and keeps the others", ([, key]) =>
    Effect.gen(function* () {
      const { find } = publishing({ keys: [key, otherRsa.jwk] })
      assert.lengthOf(yield* find(), 0)
      assert.lengthOf(yield* find({ alg: "RS256", kid: "rsa-2" }), 1)
    })
  )

  it.effect.each<readonly [name: string, key: jose.JWK]>([
    ["without an algorithm", general],
    ["without an id", unnamed],
    ["with several operations", { ...rsa.jwk, key_ops: ["sign", "verify"] }],
    ["with the longest modulus", longest]
  ])("has keys %s", ([, key]) =>
    Effect.gen(function* () {
      assert.lengthOf(yield* publishing({ keys: [key] }).find(key.kid === undefined ? { alg: "RS256" } : undefined), 1)
    })
  )

  it.gen("knows both names of the algorithm of Ed25519, and no other for its keys", function* () {
    for (const alg of ["EdDSA", "Ed25519"]) {
      const { find } = publishing({ keys: [{ ...ed25519.jwk, alg }] })
      for (const asked of ["EdDSA", "Ed25519"]) assert.lengthOf(yield* find({ alg: asked, kid: "ed-1" }), 1, asked)
    }
    const { find } = publishing({ keys: [{ ...ed25519.jwk, alg: "ES256" }] })
    assert.lengthOf(yield* find({ alg: "EdDSA", kid: "ed-1" }), 0)
  })

  it.gen("has a hundred keys at most", function* () {
    const keys = Array.from({ length: 100 }, (_, at) => ({ ...rsa.jwk, kid: `key-${at}` }))
    assert.lengthOf(yield* publishing({ keys }).find({ alg: "RS256", kid: "key-99" }), 1)
    const fault = yield* Effect.flip(publishing({ keys: [...keys, rsa.jwk] }).find())
    assert.include(fault.detail, "the key set has more than 100 keys")
  })

  it.effect.each<readonly [body: unknown, status: number, detail: string]>([
    [{}, 200, "the key set has no keys"],
    [{ keys: {} }, 200, "the key set has no keys"],
    [{ keys: [rsa.jwk] }, 404, "key set answered with status 404"]
  ])("%j with status %d is a fault", ([body, status, detail]) =>
    Effect.gen(function* () {
      assert.include((yield* Effect.flip(publishing(body, status).find())).detail, detail)
    })
  )
})

describe("a signature that does not verify", () => {
  const { kid: _, ...unnamed } = rsa.jwk
  const { kid: __, ...otherUnnamed } = otherRsa.jwk
  const changes: ReadonlyArray<readonly [title: string, before: object, after: object, header: object]> = [
    ["changes a key under one id", { ...otherRsa.jwk, kid: "rsa-1" }, rsa.jwk, { kid: "rsa-1" }],
    ["has no key ids", otherUnnamed, unnamed, {}]
  ]
  for (const [title, before, after, header] of changes) {
    it.gen(`fetches the keys once more, from a provider that ${title}`, function* () {
      const keys = { now: before }
      const idp = scripted({
        ...issuing({}, { alg: "RS256", ...header }),
        "/keys": () => json({ keys: [keys.now] })
      })
      const journey = Effect.gen(function* () {
        // These keys are kept.
        yield* refusal()
        keys.now = after
        assert.strictEqual((yield* signIn()).user.name, "Ada")
      })
      yield* against(idp, journey)
      assert.strictEqual(idp.count("/keys"), 2)
    })
  }

  it.gen("P100 fetches them once a minute at most, and the fault stays the same", function* () {
    const forged = scripted(issuing({}, { alg: "RS256", kid: "rsa-1" }, otherRsa.privateKey))
    const counts: Array<number> = []
    const journey = Effect.gen(function* () {
      for (const wait of ["0 seconds", "0 seconds", "59 seconds", "1 second"] as const) {
        yield* TestClock.adjust(wait)
        const failure = yield* refusal()
        assert.strictEqual(failure.code, "invalid_token")
        assert.include(failure.message, "signature")
        counts.push(forged.count("/keys"))
      }
    })
    yield* against(forged, journey)
    assert.deepStrictEqual(counts, [1, 2, 2, 3])
  })

  it.gen("of an expired token fetches nothing: another fault is not about keys", function* () {
    const idp = scripted(issuing({ exp: 1 }))
    yield* against(idp, Effect.andThen(refusal(), refusal()))
    assert.strictEqual(idp.count("/keys"), 1)
  })
})
