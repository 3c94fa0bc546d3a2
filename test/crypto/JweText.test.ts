import { assert, describe, it } from "@effect/vitest"
import { webCrypto } from "../../src/crypto/CryptoEngine.ts"
import { ivLength } from "../../src/crypto/KeyFormat.ts"
import { keyring } from "../../src/crypto/Keyring.ts"
import { openText, sealText } from "../../src/crypto/Jwe.ts"

const salt = "a purpose"
const random = new Uint8Array(ivLength).fill(7)
const rings = (secrets: ReadonlyArray<string>, purpose = salt) => [
  keyring(secrets, purpose),
  keyring(secrets, purpose, webCrypto)
]

describe("a sealed text", () => {
  it("makes the same text with either engine, which either opens", async () => {
    const text = "a token, of any length and of any alphabet: žluťoučký 👩‍👩‍👧 ".repeat(2000)
    const sealed = await Promise.all(rings(["secret"]).map(async (ring) => sealText(ring, random, text)))
    assert.strictEqual(sealed[0], sealed[1])
    for (const ring of rings(["newer", "secret"])) assert.strictEqual(await openText(ring, sealed[0] ?? ""), text)
    for (const ring of rings(["secret"])) assert.strictEqual(await openText(ring, await sealText(ring, random, "")), "")
  })

  it("is not made with fewer random bytes than it needs, or more", () => {
    for (const length of [0, 4, ivLength - 1, ivLength + 1]) {
      for (const ring of rings(["secret"])) {
        const seal = () => void sealText(ring, new Uint8Array(length), "a token")
        assert.throws(seal, TypeError, `16 random bytes, not ${length}`)
      }
    }
  })

  it("opens nothing with another secret or for another purpose, and nothing that was changed", async () => {
    const sealed = await sealText(keyring(["secret"], salt), random, "a token")
    const changed = [
      "",
      "....",
      sealed.slice(0, -1),
      `${sealed}A`,
      `${sealed}.`,
      `${sealed}.A`,
      sealed.replace(/\.([\w-])([\w-]+)$/, (_, first: string, rest: string) => `.${first === "A" ? "B" : "A"}${rest}`),
      sealed.split(".").slice(0, 4).join(".")
    ]
    for (const ring of [...rings(["other"]), ...rings(["secret"], "another purpose")]) {
      assert.isUndefined(await openText(ring, sealed))
    }
    for (const ring of rings(["secret"])) {
      assert.strictEqual(await openText(ring, sealed), "a token")
      for (const text of changed) assert.isUndefined(await openText(ring, text), text)
    }
  })
})
