/**
 * One rule for what is an address: the corpus with a verdict for every row, and the promise behind it, that every parser
 * reads an accepted address as the one mailbox that it names. `test/real/EmailSmtp.test.ts` asks a mail server too.
 */
import * as Result from "effect/Result"
import { assert, describe, it } from "@effect/vitest"
import addressparser from "nodemailer/lib/addressparser"
import * as EmailAddress from "../src/EmailAddress.ts"
import corpus from "./emails.json" with { type: "json" }
import { inputOf } from "./Emails.ts"

const parsed = (input: unknown) => Result.merge(EmailAddress.parse(input))

const accepts = (input: string) => assert.strictEqual(parsed(input), input)
const refuses = (fault: EmailAddress.EmailAddressFault, input: unknown) =>
  assert.deepStrictEqual(EmailAddress.parse(input), Result.fail(fault), JSON.stringify(input))

/** What a parser of free text makes of an address: it must be this mailbox alone. */
const isReadAlike = (address: string) => {
  const read = addressparser(address, { flatten: true })
  assert.deepStrictEqual(read, [{ address, name: "" }])
  assert.deepStrictEqual(addressparser(`Somebody <${address}>`, { flatten: true }), [{ address, name: "Somebody" }])
}

describe("EmailAddress.parse", () => {
  for (const row of corpus) {
    it(`${row.no}, H148 ${row.verdict}s ${row.why}`, () => {
      const input = inputOf(row)
      if (row.verdict === "reject") return refuses(row.fault as EmailAddress.EmailAddressFault, input)
      assert.strictEqual(parsed(input), row.canonical)
      assert.strictEqual(parsed(row.canonical), row.canonical)
      isReadAlike(row.canonical ?? "")
    })
  }

  it("H151 has one spelling for an address: blanks and upper case are folded, the rest stays", () => {
    for (const input of ["ann@example.com", "ANN@EXAMPLE.COM", "\t Ann@Example.Com  ", "ann@EXAMPLE.com "]) {
      assert.strictEqual(parsed(input), "ann@example.com")
    }
    for (const input of ["a.nn@example.com", "ann+x@example.com", "o'hara@example.com", "a_b-c&d@mail.example.co.uk"]) {
      accepts(input)
    }
  })

  it("H152 refuses controls, line breaks and what is not ASCII, wherever they stand", () => {
    for (const bad of ["\r", "\n", "\0", "\u007f", "\u0085", "\u00a0", "\u2028", "\u200d", "é", "\ud800", "\u3002"]) {
      for (const input of [`a${bad}@x.com`, `a@x${bad}.com`, `${bad}a@x.com`, `a@x.com${bad}`, `a${bad}b@x.com`]) {
        refuses("characters", input)
      }
    }
  })

  it("H153 counts: 64 characters, 253, and 254 in all", () => {
    const domain = (length: number) =>
      `${"d".repeat(60)}.${"e".repeat(60)}.${"f".repeat(60)}.`.padEnd(length - 4, "g") + ".com"
    accepts(`${"l".repeat(64)}@example.com`)
    refuses("too_long", `${"l".repeat(65)}@example.com`)
    accepts(`a@${domain(240)}`)
    accepts(`${"l".repeat(13)}@${domain(240)}`)
    refuses("too_long", `${"l".repeat(14)}@${domain(240)}`)
    refuses("too_long", `a@${domain(254)}`)
    refuses("domain", `a@${"d".repeat(64)}.com`)
    accepts(`a@${"d".repeat(63)}.com`)
  })

  it("H154 refuses literals, single labels, numbers at the end, and edges", () => {
    for (const host of [
      "[127.0.0.1]",
      "[::1]",
      "1.2.3.4",
      "x",
      "com",
      "x.1",
      "x.c",
      "x-.com",
      "x.com-",
      ".com",
      "x.com.",
      "x_y.com"
    ]) {
      refuses("domain", `a@${host}`)
    }
    for (const local of [".a", "a.", "a..b", ".", '"a"', "a b", "a\\b"]) {
      assert.isTrue(Result.isFailure(EmailAddress.parse(`${local}@x.com`)), local)
    }
  })

  it("H155 refuses routes: percent, bang and a list of hosts", () => {
    for (const local of ["a%b", "b!a", "@b:a", "a%b%c"])
      assert.isTrue(Result.isFailure(EmailAddress.parse(`${local}@x.com`)), local)
  })

  it("knows names in other scripts by their ASCII form alone", () => {
    accepts("a@xn--bcher-kva.example")
    accepts("a@example.xn--p1ai")
    accepts("a@xn--0ca.xn--fiqs8s")
    // Names that become others when they are shown and written again: with a wide e, an upper-case Ö, a ligature.
    const variants = ["xn--xample-hy68a.com", "xn--x-6ea.com", "xn--x-sy8h.com", "xn--fi-9tb.com"]
    for (const host of [
      "xn--.com",
      "xn--b-.com",
      "xn--99999999.com",
      "xn--a.com",
      ...variants,
      "xn--\u0430.com",
      "a.xn--"
    ]) {
      assert.isTrue(Result.isFailure(EmailAddress.parse(`a@${host}`)), host)
    }
  })

  it("accepts nothing that a parser of addresses reads in another way", () => {
    // Every pair of visible characters, around and inside a plain address.
    const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
    let accepted = 0
    for (const one of visible) {
      for (const two of visible) {
        for (const input of [
          `${one}a${two}@x.com`,
          `${one}${two}@x.com`,
          `a${one}${two}@x.com`,
          `a@x${one}${two}.com`,
          `a@x.com${one}${two}`
        ]) {
          const address = parsed(input)
          if (typeof address !== "string" || Result.isFailure(EmailAddress.parse(input))) continue
          accepted++
          assert.strictEqual(address, input.toLowerCase())
          isReadAlike(address)
        }
      }
    }
    assert.isAbove(accepted, 5000)
  })

  it("is told apart from other texts by a guard", () => {
    assert.isTrue(EmailAddress.isCanonical("ann@example.com"))
    for (const input of ["Ann@example.com", " ann@example.com", "ann", 1, undefined]) {
      assert.isFalse(EmailAddress.isCanonical(input))
    }
  })
})

describe("EmailAddress.mailboxOf", () => {
  it("H158 counts aliases of one mailbox as one", () => {
    for (const [address, mailbox] of [
      ["ann@example.com", "ann@example.com"],
      ["ann+shop@example.com", "ann@example.com"],
      ["a.nn@example.com", "a.nn@example.com"],
      ["a.n.n+x@gmail.com", "ann@gmail.com"],
      ["ann@googlemail.com", "ann@gmail.com"],
      ["+x@example.com", "+x@example.com"]
    ] as const) {
      assert.strictEqual(EmailAddress.mailboxOf(address), mailbox)
    }
    for (const alias of ["1<v@x.com>", "2<v@x.com>"]) assert.isTrue(Result.isFailure(EmailAddress.parse(alias)))
  })
})
