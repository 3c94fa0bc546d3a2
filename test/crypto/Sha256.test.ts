import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { defaultEngine, webCrypto } from "../../src/crypto/CryptoEngine.ts"
import * as Base64Url from "../../src/crypto/Base64Url.ts"
import { equalText, hex, sha256 } from "../../src/crypto/Sha256.ts"
import { counting, node } from "./Engines.ts"

describe("SHA-256", () => {
  for (const [name, engine] of [
    ["node:crypto", defaultEngine()],
    ["@noble/hashes", webCrypto]
  ] as const) {
    it(`gives the digests of FIPS 180-4, ${name}`, () => {
      const vectors = [
        ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
        ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
        [
          "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ]
      ] as const
      for (const [text, digest] of vectors) assert.strictEqual(sha256(text, "hex", engine), digest)
    })

    it(`P135 gives the challenge of RFC 7636 appendix B, ${name}`, () => {
      const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
      assert.strictEqual(sha256(verifier, "base64url", engine), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    })

    it(`is that of node:crypto for every length around a block, ${name}`, () => {
      for (let length = 0; length <= 200; length++) {
        const text = "é€x".repeat(length).slice(0, length)
        assert.strictEqual(sha256(text, "hex", engine), createHash("sha256").update(text).digest("hex"))
      }
    })
  }

  it("is computed by node:crypto in one call, and in three where it lacks that call", () => {
    const asked: Array<ReadonlyArray<string | Uint8Array>> = []
    const hash = (...call: ReadonlyArray<string | Uint8Array>) => {
      asked.push(call)
      return "digest"
    }
    assert.strictEqual(sha256("abc", "base64url", { ...node, hash }), "digest")
    assert.deepStrictEqual(asked, [["sha256", "abc", "base64url"]])
    const { calls, engine } = counting()
    assert.strictEqual(sha256("abc", "base64url", engine), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0")
    assert.strictEqual(calls.get("hash"), 1)
  })

  it.prop("is the same either way, for every text", [Schema.String], ([text]) => {
    assert.strictEqual(sha256(text, "hex", webCrypto), sha256(text, "hex"))
    assert.strictEqual(sha256(text, "base64url", webCrypto), sha256(text, "base64url"))
  })
})

describe("spelling and comparing", () => {
  it("spells bytes", () => {
    const bytes = Uint8Array.of(0, 15, 16, 251, 255)
    assert.strictEqual(hex(bytes), "000f10fbff")
    assert.strictEqual(Base64Url.encode(bytes), "AA8Q-_8")
  })

  it("tells texts apart, also when one begins like the other", () => {
    assert.isTrue(equalText("", ""))
    assert.isTrue(equalText("abc", "abc"))
    for (const other of ["", "ab", "abd", "abcd", "abcabc", "Abc"]) {
      assert.isFalse(equalText("abc", other))
      assert.isFalse(equalText(other, "abc"))
    }
  })
})
