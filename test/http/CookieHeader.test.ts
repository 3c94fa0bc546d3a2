import { assert, describe, it, vi } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { parseCookieHeader } from "../../src/http/CookieHeader.ts"

const values = (header: string | null | undefined) => Object.fromEntries(parseCookieHeader(header).values)
const conflicts = (header: string) => Object.fromEntries(parseCookieHeader(header).conflicts ?? [])

/** How many characters `indexOf` looks at while `f` runs. */
const charactersSearched = (f: () => unknown): number => {
  let searched = 0
  const indexOf = String.prototype.indexOf
  const spy = vi.spyOn(String.prototype, "indexOf").mockImplementation(function (
    this: string,
    text: string,
    start = 0
  ) {
    const found = indexOf.call(this, text, start)
    searched += (found === -1 ? this.length : found) - start
    return found
  })
  try {
    f()
    return searched
  } finally {
    spy.mockRestore()
  }
}

describe("CookieHeader", () => {
  it("reads pairs", () => {
    assert.deepStrictEqual(values("a=1; b=2;c=3;\td = 4 "), { a: "1", b: "2", c: "3", d: "4" })
    assert.deepStrictEqual(values('a=b=c; q="quoted"; one="'), { a: "b=c", q: "quoted", one: '"' })
    assert.deepStrictEqual(values('a="b; c=d"; e=""'), { a: '"b', c: 'd"', e: "" })
    assert.deepStrictEqual(values("csrf=token%7Chash; url=https%3A%2F%2Fapp.example%2F"), {
      csrf: "token|hash",
      url: "https://app.example/"
    })
    assert.deepStrictEqual(values("empty=; ;;"), { empty: "" })
    for (const nothing of [null, undefined, "", ";", "=", " ; = ; "]) assert.deepStrictEqual(values(nothing), {})
    assert.isUndefined(parseCookieHeader("a=1; b=2").conflicts)
  })

  it("keeps names that objects have as what they are", () => {
    const { values } = parseCookieHeader("__proto__=1; constructor=2; toString=3")
    assert.deepStrictEqual(
      [...values],
      [
        ["__proto__", "1"],
        ["constructor", "2"],
        ["toString", "3"]
      ]
    )
    assert.isUndefined(values.get("hasOwnProperty"))
  })

  it("P213 reports different values of one name, and keeps the first", () => {
    const header = "a=1; b=2; a=3; b=2; a=1; a=4; a=5; a=6; a=7; c=%7C; c=|"
    assert.deepStrictEqual(values(header), { a: "1", b: "2", c: "|" })
    assert.deepStrictEqual(conflicts(header), { a: ["1", "3", "4", "5", "6"] })
  })

  it("P219 takes a value with a broken escape for absent", () => {
    for (const broken of ["%", "%2", "%zz", "%ff", "%c3%28", "a%", "%u0041"]) {
      assert.deepStrictEqual(values(`x=${broken}; y=1`), { y: "1" }, broken)
      assert.deepStrictEqual(values(`x=${broken}; x=good`), { x: "good" }, broken)
    }
  })

  it("P220 ignores nameless cookies", () => {
    assert.deepStrictEqual(values("=v; v; a=1; =; ==; b=2; last"), { a: "1", b: "2" })
  })

  it("P221 reads the same values in any order", () => {
    const pairs = ["a=1", "b=2", "c=%7C", "d"]
    assert.deepStrictEqual(values(pairs.join("; ")), values(pairs.toReversed().join("; ")))
  })

  it.prop(
    "P218 never throws, and reads what encodeURIComponent wrote",
    { junk: Schema.String, name: Schema.String, value: Schema.String },
    ({ junk, name, value }) => {
      assert.isDefined(parseCookieHeader(junk).values)
      if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /\p{Surrogate}/u.test(value)) return
      assert.strictEqual(parseCookieHeader(`${name}=${encodeURIComponent(value)}; ${junk}`).values.get(name), value)
    }
  )

  it("P218 tolerates every character in names and values", () => {
    for (let code = 0; code < 0x180; code++) {
      const character = String.fromCharCode(code)
      assert.strictEqual(values(`a=${character}x; b=1`)["b"], "1", `code ${code}`)
      assert.strictEqual(values(`x${character}y=1; b=1`)["b"], "1", `code ${code}`)
    }
  })

  it("P225, H304 looks at each character a bounded number of times", () => {
    for (const pair of ["a", "=", "a=", "=a", "a=1", " ", "a=%", '"']) {
      for (const end of ["", "b=1", "b"]) {
        const header = `${`${pair};`.repeat(4000)}${end}`
        assert.isAtMost(
          charactersSearched(() => parseCookieHeader(header)),
          header.length * 3,
          `${pair} ${end}`
        )
      }
    }
    assert.strictEqual(values(`${"a;".repeat(4000)}b=1`)["b"], "1")
    assert.strictEqual(values(`${"a;".repeat(5000)}b=1`)["b"], undefined)
    const thousand = Array.from({ length: 1000 }, (_, i) => `c${i}=v${i}`).join("; ")
    assert.strictEqual(parseCookieHeader(thousand).values.size, 1000)
    const many = Array.from({ length: 100_000 }, (_, i) => `c${i}=v`).join(";")
    assert.strictEqual(parseCookieHeader(many).values.size, 4096)
  })
})
