import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { isLine, isStorable, toLine } from "../../src/internal/Text.ts"

const names = [
  "Ada Lovelace",
  "Zo\u0065\u0308",
  "\u{1f469}\u200d\u{1f4bb} Ada",
  "\u0639\u0644\u064a",
  "\u674e\u534e",
  "\u0e2a\u0e21\u0e0a\u0e32\u0e22"
]

describe("texts from outside", () => {
  it("names of people pass unchanged, with emoji, marks and joiners", () => {
    for (const name of names) {
      assert.isTrue(isLine(name, 200), name)
      assert.isTrue(isStorable(name), name)
      assert.strictEqual(toLine(name, 200), name)
    }
  })

  it("half a surrogate pair, controls and what is too long are no line", () => {
    for (const text of ["a\ud800", "\udc00a", "a\0", "a\nb", "a\u007f", "a\u0085", "a".repeat(201)]) {
      assert.isFalse(isLine(text, 200), JSON.stringify(text))
    }
    assert.isFalse(isStorable("\ud83d"))
    assert.isFalse(isStorable("a\0"))
    assert.isTrue(isStorable("two\nlines"))
  })

  it("becomes a line: breaks are spaces, controls go, half a pair is the replacement character", () => {
    assert.strictEqual(toLine("Ada\r\nLove\u001blace", 200), "Ada Lovelace")
    assert.strictEqual(toLine("Ada\ud800", 200), "Ada\ufffd")
  })

  it("a cut leaves no half of a character", () => {
    assert.strictEqual(toLine("ab\u{1f600}", 3), "ab")
    assert.strictEqual(toLine("ab\u{1f600}", 4), "ab\u{1f600}")
  })

  it.prop("every text becomes one line", [Schema.String], ([text]) => {
    assert.isTrue(isLine(toLine(text, 20), 20))
  })
})
