import { assert, describe, it, vi } from "@effect/vitest"
import * as Schema from "effect/Schema"
import {
  chunkLength,
  headerSize,
  largestAfter,
  largestField,
  maxChunks,
  maxNames,
  parseCookieHeader,
  readCookie,
  sizeAfter,
  writeCookie
} from "../../src/http/CookieHeader.ts"

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

  it.each([
    ["x=%zz", ["x"], []],
    ["x=%zz; x=good", ["x"], ["good"]],
    ["x.0=one; x.1=%zz", ["x.1", "x.0"], ["one"]],
    ["x.0=%zz; xy=%zz; x.a=%zz; y=1", ["x.0"], []]
  ] as const)("names a cookie with a broken escape, which an answer removes: %s", (header, names, candidates) => {
    const read = readCookie(parseCookieHeader(header), "x")
    assert.deepStrictEqual([read.names, read.candidates], [names, candidates])
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

const name = "authjs.session-token"

/** The cookie out of a header in which `s` stands for its name. */
const readHeader = (header: string) => readCookie(parseCookieHeader(header.replaceAll(/\bs(?=[.=])/g, name)), name)

const named = (...suffixes: ReadonlyArray<string>) => suffixes.map((suffix) => name + suffix)

const written = (value: string) => {
  const cookies = writeCookie(name, value)
  assert(cookies.ok)
  return cookies.cookies
}

const asHeader = (cookies: ReadonlyArray<{ readonly name: string; readonly value: string }>) =>
  cookies.map((cookie) => `${cookie.name}=${encodeURIComponent(cookie.value)}`)

describe("a value in several cookies, at its bounds", () => {
  it("says what is wrong with chunks that are not the whole set, or contradict each other", () => {
    assert.strictEqual(readHeader("s.1=b").problem, "chunks_incomplete")
    assert.strictEqual(readHeader("s.0=a; s.2=c").problem, "chunks_incomplete")
    const conflicting = readHeader("s.0=a; s.1=b; s.0=c")
    assert.deepStrictEqual(conflicting.candidates, [])
    assert.strictEqual(conflicting.problem, "conflicting_values")
    assert.strictEqual(readHeader("s.0=a; s.0=c").problem, "conflicting_values")
  })

  it("reads chunks beside an empty one of a higher index", () => {
    assert.deepStrictEqual(readHeader("s.0=a; s.1=").candidates, ["a"])
    assert.deepStrictEqual(readHeader("s.0=; s.1=b").candidates, [])
    assert.deepStrictEqual(readHeader(`s.0=a; ${"x".repeat(name.length)}.1=b`).candidates, ["a"])
  })

  it("says that values were left out only where there were more than four", () => {
    const times = (count: number) => readHeader(Array.from({ length: count }, (_, at) => `s=${at}`).join("; "))
    assert.isUndefined(times(4).isCut)
    assert.lengthOf(times(4).candidates, 4)
    assert.isTrue(times(5).isCut)
  })

  it("takes no cookie for a chunk whose name goes on in another way", () => {
    for (const other of [`${name}x`, `${name}-0`, `x${name}.0`, name.slice(0, -1), `${name}.`]) {
      assert.deepStrictEqual(readCookie(parseCookieHeader(`${other}=a`), name).candidates, [], other)
    }
    assert.deepStrictEqual(readHeader("s.1x=a; s=b").names, [name])
    assert.deepStrictEqual(readCookie(parseCookieHeader(`other=1`), name), {
      candidates: [],
      names: [],
      problem: undefined
    })
  })

  it("counts the bytes of cookies in a header, before and after an answer", () => {
    assert.strictEqual(largestField, 8182)
    assert.strictEqual(headerSize([]), 0)
    const two = [
      { name: "ab", value: "cde" },
      { name: "f", value: "é" }
    ]
    assert.strictEqual(headerSize(two), 2 + 3 + 3 + (1 + 6 + 3))
    const header = parseCookieHeader("ab=cde; f=gh")
    assert.strictEqual(sizeAfter(header, []), 8 + 6)
    assert.strictEqual(sizeAfter(header, [{ name: "f", value: "" }]), 8)
    assert.strictEqual(sizeAfter(header, [{ name: "f", value: "ghi" }]), 8 + 7)
    assert.strictEqual(sizeAfter(header, [{ name: "new", value: "x" }]), 8 + 6 + 7)
    assert.strictEqual(largestAfter(header, [{ name: "new", value: "x" }]), 8 + 6 + 7)
    assert.strictEqual(largestAfter(header, [{ name: "f", value: "ghi" }]), 8 + 6 + 7)
    assert.strictEqual(header.values.get("f"), "gh")
  })

  it.each(["", "plain", "with space", "p".repeat(10_000), "%~".repeat(3000)])(
    "says what it wrote takes: %#",
    (value) => {
      const result = writeCookie(name, value)
      assert.strictEqual(result.ok ? result.size : undefined, headerSize(result.ok ? result.cookies : []))
    }
  )

  it("fills the last chunk exactly, also with encoded characters", () => {
    const plain = "a".repeat(chunkLength * maxChunks)
    assert.lengthOf(written(plain), maxChunks)
    assert.isFalse(writeCookie(name, `${plain}a`).ok)
    const encoded = "%".repeat((chunkLength / 3) * 2)
    assert.deepStrictEqual(
      written(encoded).map(({ value }) => value.length),
      [chunkLength / 3, chunkLength / 3]
    )
    // A character that does not fit at the end of a piece goes to the next one, which makes one piece too many.
    const mixed = `a${"%".repeat(chunkLength / 3)}`.repeat(4) + "%".repeat(chunkLength / 3 - 2)
    const refused = writeCookie(name, mixed)
    assert.deepStrictEqual(refused.ok ? undefined : refused.reason, "too_large")
  })
})

describe("a value in several cookies", () => {
  it("reads a plain cookie, a set of chunks, or nothing", () => {
    assert.deepStrictEqual(readHeader("s=abc; other=1"), { candidates: ["abc"], names: [name], problem: undefined })
    assert.deepStrictEqual(readHeader("s.1=b; s.0=a; s.2=c"), {
      candidates: ["abc"],
      names: named(".1", ".0", ".2"),
      problem: undefined
    })
    assert.deepStrictEqual(readHeader("other=1"), { candidates: [], names: [], problem: undefined })
  })

  it("leaves cookies alone whose names only begin like this one", () => {
    const header = "s-foo=1; s.foo=2; s.=3; s.0.1x=4; s.0x=5; sx=6; s.\u0661=7; s. 0=8"
    const { candidates, names, problem } = readHeader(`${header}; ${name}-foo=9; ${name}0=10; ${name}.foo=11; s=abc`)
    assert.deepStrictEqual({ candidates, names, problem }, { candidates: ["abc"], names: [name], problem: undefined })
  })

  it("takes empty cookies for absent and still names them", () => {
    assert.deepStrictEqual(readHeader("s="), { candidates: [], names: [name], problem: undefined })
    assert.deepStrictEqual(readHeader("s.0=a; s.1="), {
      candidates: ["a"],
      names: named(".0", ".1"),
      problem: undefined
    })
    assert.deepStrictEqual(readHeader("s=; s.0=a").candidates, ["a"])
  })

  it.each([
    ["P217 a gap", "s.0=a; s.2=c", [".0", ".2"]],
    ["P217 no .0", "s.1=b; s.2=c", [".1", ".2"]],
    ["P217 only a high index", "s.7=b", [".7"]],
    ["H056 an index of a million", "s.1000000=b", [".1000000"]],
    ["H056 leading zeros", "s.00=a; s.01=b", [".00", ".01"]],
    ["P217 a sign", "s.+1=a; s.-1=b; s.-0=c", [".+1", ".-1", ".-0"]],
    ["P217 an exponent", "s.1e1=a; s.0e0=b", [".1e1", ".0e0"]],
    ["P217 a fraction", "s.0.0=a", [".0.0"]],
    ["P217 a chunk with two values", "s.0=a; s.1=b; s.1=x", [".0", ".1"]]
  ])("%s gives no value and is cleaned up", (_, header, suffixes) => {
    const { candidates, names, problem } = readHeader(header)
    assert.deepStrictEqual(candidates, [])
    assert.deepStrictEqual([...names].toSorted(), named(...suffixes).toSorted())
    assert.isDefined(problem)
  })

  it("P217 ignores digits of other scripts", () => {
    assert.deepStrictEqual(readHeader("s.\u0661=a; s.\uff10=b"), { candidates: [], names: [], problem: undefined })
  })

  it("P217 ignores odd chunks beside an exact set, and has them cleaned up", () => {
    const { candidates, names } = readHeader("s.0=a; s.1=b; s.01=x; s.9=y; s.+2=z")
    assert.deepStrictEqual(candidates, ["ab"])
    assert.deepStrictEqual([...names].toSorted(), named(".0", ".1", ".01", ".9", ".+2").toSorted())
  })

  it("P217 prefers the plain cookie to chunks, and says that there were both", () => {
    assert.deepStrictEqual(readHeader("s.0=a; s=plain; s.1=b"), {
      candidates: ["plain", "ab"],
      names: named("", ".0", ".1"),
      problem: "chunks_beside_plain"
    })
    assert.deepStrictEqual(readHeader("s=plain; s.1=b").candidates, ["plain"])
  })

  it("P213, H055 offers every value of a name sent twice, at most four, and says so", () => {
    assert.deepStrictEqual(readHeader("s=junk; s=good"), {
      candidates: ["junk", "good"],
      names: [name],
      problem: "conflicting_values"
    })
    assert.deepStrictEqual(readHeader("s=1; s=2; s=3; s=4; s=5; s=6").candidates, ["1", "2", "3", "4"])
    assert.deepStrictEqual(readHeader("s=same; s=same"), { candidates: ["same"], names: [name], problem: undefined })
    assert.deepStrictEqual(readHeader("other=1; other=2; s=a").problem, undefined)
  })

  it("P221 reads chunks in any order", () => {
    const pairs = asHeader(written("x".repeat(chunkLength * 3) + "end"))
    for (const order of [pairs, pairs.toReversed(), [...pairs.slice(2), ...pairs.slice(0, 2)]]) {
      assert.deepStrictEqual(readCookie(parseCookieHeader(order.join("; ")), name).candidates, [
        "x".repeat(chunkLength * 3) + "end"
      ])
    }
  })

  it("H057, P225 names at most twenty cookies for deletion, the real ones among them", () => {
    const junk = Array.from({ length: 3000 }, (_, i) => `s.${i + 5}=x`)
    const { candidates, names } = readHeader([...junk, "s.0=a", "s.1=b", "s=p"].join("; "))
    assert.deepStrictEqual(candidates, ["p", "ab"])
    assert.strictEqual(names.length, maxNames)
    for (const one of named("", ".0", ".1")) assert.include(names, one)
    assert.strictEqual(new Set(names).size, maxNames)
  })

  it("P214 writes one cookie up to 3936 characters, then chunks, then refuses", () => {
    assert.deepStrictEqual(written(""), [])
    assert.deepStrictEqual(written("v".repeat(chunkLength)), [{ name, value: "v".repeat(chunkLength) }])
    assert.deepStrictEqual(
      written("v".repeat(chunkLength + 1)).map((cookie) => [cookie.name, cookie.value.length]),
      [
        [`${name}.0`, chunkLength],
        [`${name}.1`, 1]
      ]
    )
    assert.strictEqual(written("v".repeat(chunkLength * maxChunks)).length, maxChunks)
    assert.deepStrictEqual(writeCookie(name, "v".repeat(chunkLength * maxChunks + 1)), {
      ok: false,
      reason: "too_large",
      size: chunkLength * maxChunks + 1,
      limit: chunkLength * maxChunks
    })
  })

  it("P214 keeps name and value within 4096 bytes also for a long name", () => {
    const long = "n".repeat(400)
    const cookies = writeCookie(long, "v".repeat(10_000))
    assert(cookies.ok)
    for (const cookie of cookies.cookies) assert.isAtMost(cookie.name.length + cookie.value.length + 1, 4096)
    assert.isFalse(writeCookie("n".repeat(5000), "v").ok)
  })

  it("H058 refuses a session of 200 kB with its size", () => {
    const refused = writeCookie(name, "v".repeat(200_000))
    assert(!refused.ok)
    assert.deepStrictEqual([refused.reason, refused.size, refused.limit], ["too_large", 200_000, 19_680])
  })

  it("P218 refuses values outside printable ASCII", () => {
    for (const value of ["\u00e9", "a\nb", "a\u0000", "\u007f", "\ud800", "\u{1f600}"]) {
      const refused = writeCookie(name, value)
      assert(!refused.ok)
      assert.strictEqual(refused.reason, "not_ascii")
    }
  })

  it.prop(
    "reads what it wrote, and no cookie is longer than it may be once encoded",
    {
      piece: Schema.String.check(Schema.isPattern(/^[\x20-\x7e]{1,40}$/)),
      times: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 400 }))
    },
    ({ piece, times }) => {
      const value = piece.repeat(times)
      const cookies = writeCookie(name, value)
      if (!cookies.ok) {
        assert.isAbove(encodeURIComponent(value).length, chunkLength * (maxChunks - 1))
        return
      }
      const pairs = asHeader(cookies.cookies)
      for (const cookie of cookies.cookies) assert.isAtMost(encodeURIComponent(cookie.value).length, chunkLength)
      const back = readCookie(parseCookieHeader(pairs.join("; ")), name)
      assert.deepStrictEqual(back.candidates, [value])
      assert.deepStrictEqual(
        back.names,
        cookies.cookies.map((cookie) => cookie.name)
      )
      assert.isUndefined(back.problem)
    }
  )
})
