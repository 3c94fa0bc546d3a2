import { domainToASCII, domainToUnicode } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { decode } from "../../src/models/Punycode.ts"

describe("Punycode.decode", () => {
  // RFC 3492 section 7.1, in lower case.
  for (const [ascii, text] of [
    ["egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"],
    ["ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"],
    ["ihqwctvzc91f659drss3x8bo0yb", "他們爲什麽不說中文"],
    ["proprostnemluvesky-uyb24dma41a", "proč prostěnemluvíčesky".replace(" ", "").toLowerCase()],
    ["4dbcagdahymbxekheh6e0a7fei0b", "למההםפשוטלאמדבריםעברית"],
    ["n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa", "なぜみんな日本語を話してくれないのか"],
    ["b1abfaaepdrnnbgefbadotcwatmq2g4l", "почемужеонинеговорятпорусски"],
    ["3b-ww4c5e180e575a65lsy2b", "3年b組金八先生"],
    ["d9juau41awczczp", "そのスピードで"]
  ] as const) {
    it(`reads ${ascii}`, () => assert.strictEqual(decode(ascii), text))
  }

  it("reads what the platform writes", () => {
    for (const name of ["bücher", "mañana", "ascii-ö-mixed", "𐌰𐌱", "é", "日本語"]) {
      assert.strictEqual(decode(domainToASCII(name).slice(4)), domainToUnicode(domainToASCII(name)), name)
    }
  })

  it("reads code points whose distance changes the bias by a hair (RFC 3492 section 6.1)", () => {
    assert.strictEqual(decode("xv4kqa"), "\u{27188}\u{27190}")
    assert.strictEqual(decode("abc-2f2sfa"), "abc\uf986\uf987")
  })

  it("reads the last code point, and those beside the surrogates", () => {
    assert.strictEqual(decode("dn32g"), "\u{10ffff}")
    assert.isUndefined(decode("en32g"))
    assert.strictEqual(decode("hb9b"), "\ud7ff")
    assert.strictEqual(decode("0y0c"), "\ue000")
    for (const surrogate of ["ib9b", "zy0c"]) assert.isUndefined(decode(surrogate), surrogate)
  })

  it("takes no other characters than lower-case letters and digits for digits", () => {
    for (const label of ["0/a", "0:a", "0`a", "0{a", "-0ca"]) assert.isUndefined(decode(label), label)
  })

  it("says when there is nothing to read", () => {
    for (const label of ["99999999", "a_b", "\u00e9", "A", "abc-zzzzzzzzzz"]) assert.isUndefined(decode(label), label)
    assert.strictEqual(decode("abc-"), "abc")
  })
})
