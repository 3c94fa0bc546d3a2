import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Base64Url from "../../src/crypto/Base64Url.ts"

describe("Base64Url", () => {
  it.prop("writes what Buffer writes and reads it back", { bytes: Schema.Uint8Array }, ({ bytes }) => {
    const text = Base64Url.encode(bytes)
    assert.strictEqual(text, Buffer.from(bytes).toString("base64url"))
    assert.strictEqual(text.length, Base64Url.encodedLength(bytes.length))
    assert.strictEqual(Base64Url.decodedLength(text.length), bytes.length)
    assert.deepStrictEqual([...(Base64Url.decode(text) ?? [])], [...bytes])
  })

  it("handles every length and every byte", () => {
    for (let length = 0; length < 300; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255)
      const text = Buffer.from(bytes).toString("base64url")
      assert.strictEqual(Base64Url.encode(bytes), text)
      assert.deepStrictEqual(Base64Url.decode(text), bytes)
    }
  })

  it("writes a part of the bytes, whatever stands before and behind it", () => {
    const bytes = Uint8Array.from({ length: 24 }, (_, i) => 255 - i)
    for (let start = 0; start <= bytes.length; start++) {
      for (let end = start; end <= bytes.length; end++) {
        const text = Buffer.from(bytes.subarray(start, end)).toString("base64url")
        assert.strictEqual(Base64Url.encode(bytes, start, end), text, `${start} to ${end}`)
      }
    }
  })

  it("knows how many bytes a text of each length stands for", () => {
    assert.deepStrictEqual(
      Array.from({ length: 10 }, (_, characters) => Base64Url.decodedLength(characters)),
      [0, -1, 1, 2, 3, -1, 4, 5, 6, -1]
    )
  })

  it("P235 knows one spelling of every byte string", () => {
    // Every text of up to three characters over the alphabet's neighbourhood: read only if it is what we would write.
    const characters = [..."ABCQgwz09-_+/=. \n\u00e9\u{1f600}"]
    const texts = [""]
    for (let length = 0; length < 3; length++) {
      for (const text of texts.filter((one) => [...one].length === length)) {
        for (const character of characters) texts.push(text + character)
      }
    }
    for (const text of texts) {
      const bytes = Base64Url.decode(text)
      const canonical = Buffer.from(text, "base64url").toString("base64url") === text
      assert.strictEqual(bytes !== undefined, canonical, JSON.stringify(text))
    }
    for (const text of ["AA==", "AAA=", "A", "AAAAA", "AB", "AAB", "AA AA", "AA\n", "+A", "/A"]) {
      assert.isUndefined(Base64Url.decode(text), text)
    }
  })
})
