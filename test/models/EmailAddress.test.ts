/**
 * One rule for what is an address: the corpus with a verdict for every row, and the promise behind it, that every parser
 * reads an accepted address as the one mailbox that it names. `test/real/EmailSmtp.test.ts` asks a mail server too.
 */
import * as Result from "effect/Result"
import { assert, describe, it } from "@effect/vitest"
import addressparser from "nodemailer/lib/addressparser"
import * as EmailAddress from "../../src/models/EmailAddress.ts"
import corpus from "../emails.json" with { type: "json" }
import { inputOf } from "../Emails.ts"

const parsed = (input: unknown) => Result.merge(EmailAddress.parse(input))

const accepts = (input: string) => assert.strictEqual(parsed(input), input)
const refuses = (fault: EmailAddress.EmailAddressFault, input: unknown) =>
  assert.deepStrictEqual(EmailAddress.parse(input), Result.fail(fault), JSON.stringify(input))

/** The reading of an address by a parser of free text: it must be this mailbox alone. */
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

  it("refuses letters of two alphabets that look alike, anywhere in a domain", () => {
    for (const input of ["ann@москва.рф", "ann@сор.рф"]) {
      const address = String(parsed(input))
      assert.match(address, /^ann@xn--[a-z0-9.-]+$/, input)
      assert.strictEqual(EmailAddress.inOwnScript(address), input)
    }
    for (const input of ["ann@москва.com", "ann@сор.example.рф", "ann@сбеρбанк.рф"]) {
      refuses("characters", input)
      accepts(`ann@${new URL(`http://${input.slice(4)}`).hostname}`)
    }
  })

  it("refuses a domain whose ASCII form is longer than names may be", () => {
    const label = "ü".repeat(29)
    const ascii = new URL(`http://${label}`).hostname.length
    const fits = (length: number) => {
      const labels = Array.from({ length: Math.floor(length / (ascii + 1)) }, () => label).join(".")
      const rest = length - Math.floor(length / (ascii + 1)) * (ascii + 1) - 3
      return `${labels}.${"b".repeat(rest)}.de`
    }
    const ascii252 = new URL(`http://${fits(251)}`).hostname
    assert.strictEqual(Result.isSuccess(EmailAddress.parse(`a@${fits(251)}`)), true, String(ascii252.length))
    refuses("characters", `a@${fits(260)}`)
    const longest = [...Array.from({ length: 6 }, () => label), "b".repeat(34), "de"].join(".")
    assert.lengthOf(new URL(`http://${longest}`).hostname, 253)
    refuses("too_long", `a@${longest}`)
  })

  it("shows a domain in its own script where a label has one", () => {
    assert.strictEqual(EmailAddress.inOwnScript("ann@xn--bcher-kva.example"), "ann@bücher.example")
    assert.isUndefined(EmailAddress.inOwnScript("ann@axn--b.example"))
    assert.isUndefined(EmailAddress.inOwnScript("ann@example.com"))
  })

  it("H151 has one spelling for an address: blanks and upper case are folded, the rest stays", () => {
    for (const input of ["ann@example.com", "ANN@EXAMPLE.COM", "\t Ann@Example.Com  ", "ann@EXAMPLE.com "]) {
      assert.strictEqual(parsed(input), "ann@example.com")
    }
    for (const input of ["a.nn@example.com", "ann+x@example.com", "o'hara@example.com", "a_b-c&d@mail.example.co.uk"]) {
      accepts(input)
    }
  })

  it("H152 refuses controls, line breaks and what cannot be seen, wherever they stand", () => {
    for (const bad of [
      "\r",
      "\n",
      "\0",
      "\u007f",
      "\u0085",
      "\u00a0",
      "\u2028",
      "\u200d",
      "\ud800",
      "\u3002",
      "\uff0e"
    ]) {
      for (const input of [`a${bad}@x.com`, `a@x${bad}.com`, `${bad}a@x.com`, `a@x.com${bad}`, `a${bad}b@x.com`]) {
        refuses("characters", input)
      }
    }
  })

  it("spells a domain in another script in its ASCII form (RFC 5891)", () => {
    for (const [input, address] of [
      ["ann@b\u00fccher.example", "ann@xn--bcher-kva.example"],
      ["ANN@B\u00dcCHER.Example", "ann@xn--bcher-kva.example"],
      ["ann@bu\u0308cher.example", "ann@xn--bcher-kva.example"],
      ["ann@stra\u00dfe.de", "ann@xn--strae-oqa.de"],
      ["ann@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444", "ann@xn--80a1acny.xn--p1ai"],
      ["ann@\u4f8b\u5b50.\u4e2d\u56fd", "ann@xn--fsqu00a.xn--fiqs8s"],
      ["ann@\u65e5\u672c\u8a9e.jp", "ann@xn--wgv71a119e.jp"],
      ["ann@mail.b\u00fccher.example", "ann@mail.xn--bcher-kva.example"],
      ["ann@\u0645\u062b\u0627\u0644.example", "ann@xn--mgbh0fb.example"]
    ] as const) {
      assert.strictEqual(parsed(input), address, input)
      assert.strictEqual(parsed(address), address)
      isReadAlike(address)
      assert.isTrue(EmailAddress.isSame(address, EmailAddress.inOwnScript(address) ?? ""))
    }
    assert.strictEqual(EmailAddress.inOwnScript("ann@xn--bcher-kva.example"), "ann@b\u00fccher.example")
    assert.isUndefined(EmailAddress.inOwnScript("ann@example.com"))
    assert.isFalse(EmailAddress.isSame("ann@xn--bcher-kva.example", "bob@b\u00fccher.example"))
  })

  it("refuses domains that stand for another name, or look like one", () => {
    for (const domain of [
      // Characters that become others: wide letters, ligatures, roman numerals, circled letters, the Kelvin sign, \u0130.
      "e\uff58ample.com",
      "\ufb01.com",
      "\u2167.com",
      "\u24e7.com",
      "\u212aelvin.com",
      "\u0130stanbul.com",
      "x\u00ad.com",
      "x\u200c\u0646.com",
      // Words of two alphabets, and words of letters that look Latin.
      "ex\u0430mple.com",
      "\u0430\u0440\u0440\u04cf\u0435.com",
      "\u0445.com",
      "\u03bf\u03bd.com",
      // No domain names.
      "\u00fc_x.com",
      "\u00fc.1",
      "\u00fc/x.com",
      "\u00fc:25.com",
      "\u00fc..com",
      "\u00fc.com."
    ]) {
      assert.isTrue(Result.isFailure(EmailAddress.parse(`ann@${domain}`)), domain)
    }
  })

  it("accepts hosts without a dot from the application", () => {
    for (const host of ["localhost", "mailhost", "mx-1", "b\u00fccher", "example.com"]) {
      assert.isTrue(Result.isSuccess(EmailAddress.parseTrusted(`ann@${host}`)), host)
    }
    for (const host of ["mailhost", "localhost"]) refuses("domain", `ann@${host}`)
    for (const host of ["1", "2130706433", "x_y", "-x", "x-", "[::1]", "127.0.0.1", "x.", ".x", "a,b", "x:25"]) {
      assert.isTrue(Result.isFailure(EmailAddress.parseTrusted(`ann@${host}`)), host)
    }
  })

  it("accepts local parts beyond ASCII from the application (RFC 6531)", () => {
    for (const [input, address] of [
      ["J\u00f6rg@example.com", "j\u00f6rg@example.com"],
      ["jo\u0308rg@example.com", "j\u00f6rg@example.com"],
      ["\u0438\u0432\u0430\u043d@example.com", "\u0438\u0432\u0430\u043d@example.com"],
      ["\u5c71\u7530.taro@\u65e5\u672c\u8a9e.jp", "\u5c71\u7530.taro@xn--wgv71a119e.jp"]
    ] as const) {
      assert.strictEqual(Result.merge(EmailAddress.parseTrusted(input)), address)
      assert.strictEqual(Result.merge(EmailAddress.parseTrusted(address)), address)
      isReadAlike(address)
      refuses("characters", input)
    }
    for (const local of [
      "\uff41",
      "\u0430dmin",
      "\u017f",
      "\u212a",
      "a\uff20evil.com",
      "\u00f6\u200b",
      "\u00f6..a",
      "\u00f6,b",
      '"\u00f6"',
      "\u00f6".repeat(33)
    ]) {
      assert.isTrue(Result.isFailure(EmailAddress.parseTrusted(`${local}@example.com`)), local)
    }
  })

  for (const row of corpus.filter(({ no }) => no !== "E45" && no !== "E46")) {
    it(`${row.no} ${row.verdict}s ${row.why}, from the application too`, () => {
      const parsed = EmailAddress.parseTrusted(inputOf(row))
      assert.strictEqual(Result.isSuccess(parsed), row.verdict === "accept")
    })
  }

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

  it("refuses ASCII forms that do not come back as they are", () => {
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

  it("refuses every character that a normalization turns into ASCII", () => {
    const forms = ["NFC", "NFD", "NFKC", "NFKD"] as const
    // Conversions of a character by stores, mailers and browsers, and whether they hold ASCII.
    // oxlint-disable-next-line no-control-regex
    const plain = /[\u0000-\u007f]/
    const isDisguise = (character: string) =>
      forms.some((form) => [character, character.toLowerCase()].some((text) => plain.test(text.normalize(form))))
    let disguises = 0
    for (let code = 0x80; code < 0x11_0000; code++) {
      const character = String.fromCodePoint(code)
      if (!isDisguise(character)) continue
      // A letter with an accent falls apart under NFD: it is a letter of its own, and no character of the syntax.
      const isLetter = /^[\p{L}\p{M}]$/u.test(character) && /^[a-z]\p{M}+$/iu.test(character.normalize("NFD"))
      for (const input of [
        `a${character}b.com`,
        `a${character}b@x.com`,
        `a@x${character}b.com`,
        `a${character}@x.com`
      ]) {
        for (const parse of [EmailAddress.parse, EmailAddress.parseTrusted]) {
          const address = parse(input)
          if (Result.isFailure(address)) continue
          assert.isTrue(isLetter, `U+${code.toString(16)} in ${input} became ${address.success}`)
          assert.strictEqual(address.success.split("@").length, 2)
        }
      }
      disguises++
    }
    assert.isAbove(disguises, 1000)
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
})

describe("EmailAddress.isSame", () => {
  const same = (one: string, other: string, expected: boolean) => {
    assert.strictEqual(EmailAddress.isSame(one, other), expected, `${one} ${other}`)
    assert.strictEqual(EmailAddress.isSame(other, one), expected, `${other} ${one}`)
  }

  it("folds case in every kind of address that a provider may accept", () => {
    same("ann@example.com", "ann@example.com", true)
    same("\u00c4nn@MailHost", "\u00e4nn@mailhost", true)
    same("\u00c4nn@MailHost", "\u00e4nn@otherhost", false)
    same('"Ann B"@Example.COM', '"ann b"@example.com', true)
    same('"ann"@example.com', '"bob"@example.com', false)
  })

  it("takes both forms of a domain for one, also of an address that parse refuses", () => {
    same('"ann b"@xn--bcher-kva.example', '"ann b"@b\u00fccher.example', true)
    same('"ann b"@xn--bcher-kva.example', '"ann c"@b\u00fccher.example', false)
    same('"ann b"@xn--bcher-kva.example', '"ann b"@bucher.example', false)
  })
})

describe("EmailAddress.parse, at its bounds", () => {
  it("reads 320 characters with their blanks, and no more", () => {
    assert.strictEqual(parsed("ann@example.com".padEnd(320)), "ann@example.com")
    refuses("too_long", "ann@example.com".padEnd(321))
  })

  it("takes a host without a dot for a name when a letter stands anywhere in it", () => {
    for (const host of ["a", "12a3", "1-2-a", "host"]) {
      assert.strictEqual(Result.merge(EmailAddress.parseTrusted(`ann@${host}`)), `ann@${host}`)
    }
    for (const host of ["123", "1-2", "-a", "a-"]) {
      assert.deepStrictEqual(EmailAddress.parseTrusted(`ann@${host}`), Result.fail("domain"), host)
    }
  })

  it("names characters as the fault of a domain that only looks written in its own script", () => {
    // A half-width letter, which UTS #46 maps to another one, and a sign that no domain has.
    for (const domain of ["\uff76.example", "b\u00fccher_x.example"]) refuses("characters", `ann@${domain}`)
    refuses("characters", "\u200b")
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
      ["+x@example.com", "+x@example.com"],
      ["ann", "ann@"]
    ] as const) {
      assert.strictEqual(EmailAddress.mailboxOf(address), mailbox)
    }
    for (const alias of ["1<v@x.com>", "2<v@x.com>"]) assert.isTrue(Result.isFailure(EmailAddress.parse(alias)))
  })
})
