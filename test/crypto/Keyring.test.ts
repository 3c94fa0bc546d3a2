import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { calculateJwkThumbprint, decodeProtectedHeader } from "jose"
import { hkdfSync } from "node:crypto"
import type { Encryption } from "../../src/crypto/KeyFormat.ts"
import { isDerived, isNodeKeyring, keyring, nodeKeyAt } from "../../src/crypto/Keyring.ts"
import { webKeyAt } from "../../src/crypto/WebKeys.ts"
import type { CryptoEngine } from "../../src/crypto/CryptoEngine.ts"
import { webCrypto } from "../../src/crypto/CryptoEngine.ts"
import { counting, engines, node, otherSecret, salt, secret } from "./Engines.ts"

const keyAt = async (
  engine: CryptoEngine,
  secrets: ReadonlyArray<string>,
  name: string,
  index: number,
  enc: Encryption
) => {
  const ring = keyring(secrets, name, engine)
  if (!isNodeKeyring(ring)) return webKeyAt(ring, index, enc)
  return enc === "A256GCM" ? webKeyAt({ ...ring, slots: [] }, index, enc) : nodeKeyAt(ring, index)
}

const referenceKid = (ikm: string, name: string, length: 64 | 32): Promise<string> => {
  const material = Buffer.from(hkdfSync("sha256", ikm, name, `Auth.js Generated Encryption Key (${name})`, length))
  return calculateJwkThumbprint({ kty: "oct", k: material.toString("base64url") }, length === 64 ? "sha512" : "sha256")
}

describe.each(engines)("Keyring on %s", (_, engine) => {
  it.effect.prop(
    "derives the key the format describes, for any secret and salt",
    { ikm: Schema.NonEmptyString, name: Schema.String },
    Effect.fnUntraced(function* ({ ikm, name }) {
      if (name.length > 256) return
      for (const [enc, length] of [
        ["A256CBC-HS512", 64],
        ["A256GCM", 32]
      ] as const) {
        const derived = yield* Effect.promise(() => keyAt(engine, ["first", ikm], name, 1, enc))
        const kid = yield* Effect.promise(() => referenceKid(ikm, name, length))
        assert.strictEqual(derived.kid, kid)
        assert.deepStrictEqual(decodeProtectedHeader(`${derived.prefix}..`), { alg: "dir", enc, kid })
      }
    }),
    { arbitrary: { runs: 25 } }
  )

  it("refuses what cannot be derived from", () => {
    for (const secrets of [[], [""], [secret, ""]]) assert.throws(() => keyring(secrets, salt, engine), TypeError)
    assert.throws(() => keyring([secret], "s".repeat(1100), engine), TypeError)
    assert.throws(() => keyring([secret], "\u20ac".repeat(340), engine), TypeError)
    // What a program in JavaScript may pass.
    assert.throws(() => Reflect.apply(keyring, undefined, [[secret], undefined, engine]), TypeError)
    assert.throws(() => Reflect.apply(keyring, undefined, [[secret, undefined], salt, engine]), TypeError)
  })

  it("says which of its parts cannot be used", () => {
    for (const name of [undefined, 5, ["a"]])
      assert.throws(() => Reflect.apply(keyring, undefined, [[secret], name, engine]), TypeError, /salt/)
    assert.throws(() => keyring([], salt, engine), TypeError, /secret/)
  })

  it("knows whether the key that seals is there", async () => {
    const ring = keyring([`${secret} not derived yet`, secret], salt, engine)
    assert.isFalse(isDerived(ring))
    for (const [index, isThere] of [
      [1, false],
      [0, true]
    ] as const) {
      await (isNodeKeyring(ring) ? nodeKeyAt(ring, index) : webKeyAt(ring, index, "A256CBC-HS512"))
      assert.strictEqual(isDerived(ring), isThere)
    }
  })

  it("keeps its key while many others are derived", async () => {
    const ring = keyring([`${secret} kept`], salt, engine)
    const key = () => (isNodeKeyring(ring) ? nodeKeyAt(ring, 0) : webKeyAt(ring, 0, "A256CBC-HS512"))
    const first = await key()
    for (let other = 0; other < 70; other++) keyring([secret], `${salt} ${other}`, engine)
    assert.strictEqual(await key(), first)
  })

  it("takes the longest salt it accepts", async () => {
    const longest = "s".repeat(1024 - "Auth.js Generated Encryption Key ()".length)
    assert.throws(() => keyring([secret], `${longest}s`, engine), TypeError)
    assert.strictEqual((await keyAt(engine, [secret], longest, 0, "A256CBC-HS512")).kid.length, 86)
  })

  it("P239 gives every purpose keys of its own", async () => {
    const names = [salt, `__Secure-${salt}`, "authjs.state", "authjs.nonce", "encodedState", "authjs.challenge"]
    const kids = new Set<string>()
    for (const name of names) {
      for (const enc of ["A256CBC-HS512", "A256GCM"] as const)
        kids.add((await keyAt(engine, [secret], name, 0, enc)).kid)
    }
    assert.strictEqual(kids.size, names.length * 2)
  })
})

describe("Keyring", () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it("never mistakes one secret and salt for another when they join to the same text", () => {
    const kid = (ikm: string, name: string) => {
      const ring = keyring([ikm], name, node)
      assert(isNodeKeyring(ring))
      return nodeKeyAt(ring, 0).kid
    }
    assert.strictEqual(new Set([kid("bc", "a"), kid("c", "ab"), kid(" bc", "a"), kid("abc", "")]).size, 4)
  })

  it("derives on node:crypto when a key is needed, and once for all rings", () => {
    const { calls, engine } = counting()
    const ring = keyring([secret, otherSecret], salt, engine)
    assert(isNodeKeyring(ring))
    assert.strictEqual(calls.get("hkdf"), undefined)
    nodeKeyAt(ring, 0)
    assert.strictEqual(calls.get("hkdf"), 1)
    for (let i = 0; i < 10; i++) {
      const again = keyring([secret, otherSecret], salt, engine)
      assert(isNodeKeyring(again))
      nodeKeyAt(again, 0)
      nodeKeyAt(again, 1)
    }
    assert.strictEqual(calls.get("hkdf"), 2)
  })

  it("derives on WebCrypto once, also for concurrent callers, and again after a failure", async () => {
    const ring = keyring(["web-secret-0123456789-abcdefghijklmnopqrstuvwxyz"], salt, webCrypto)
    assert(!isNodeKeyring(ring))
    const deriveBits = vi.spyOn(globalThis.crypto.subtle, "deriveBits")
    deriveBits.mockRejectedValueOnce(new Error("out of entropy"))
    const failed = await Promise.resolve(webKeyAt(ring, 0, "A256CBC-HS512")).then(
      () => false,
      () => true
    )
    assert.isTrue(failed)
    const [a, b] = await Promise.all([webKeyAt(ring, 0, "A256CBC-HS512"), webKeyAt(ring, 0, "A256CBC-HS512")])
    assert.strictEqual(a, b)
    assert.strictEqual(webKeyAt(ring, 0, "A256CBC-HS512"), a)
    assert.strictEqual(deriveBits.mock.calls.length, 2)
  })

  it("H303 keeps a bounded number of keys, the ones in use", () => {
    const { calls, engine } = counting()
    const derive = (name: string) => {
      const ring = keyring([secret], name, engine)
      assert(isNodeKeyring(ring))
      nodeKeyAt(ring, 0)
    }
    derive(salt)
    for (let i = 0; i < 500; i++) {
      derive(`authjs.flow.${i}`)
      derive(salt)
    }
    assert.strictEqual(calls.get("hkdf"), 501)
    derive("authjs.flow.0")
    assert.strictEqual(calls.get("hkdf"), 502)
  })

  it("H303 keeps 64 keys, and forgets the one that was not used for longest", () => {
    const { calls, engine } = counting()
    const derive = (name: number) => {
      const ring = keyring([secret], `${salt} ${name}`, engine)
      assert(isNodeKeyring(ring))
      nodeKeyAt(ring, 0)
    }
    for (let name = 0; name < 64; name++) derive(name)
    for (let name = 0; name < 64; name++) derive(name)
    assert.strictEqual(calls.get("hkdf"), 64)
    derive(64)
    for (let name = 1; name < 64; name++) derive(name)
    assert.strictEqual(calls.get("hkdf"), 65)
    derive(0)
    assert.strictEqual(calls.get("hkdf"), 66)
  })
})
