/**
 * Email addresses: one rule for what is an address, and one spelling for each.
 *
 * An address decides who a person is and where a mail goes, so it must mean the same to everything that reads it: the
 * store, the mailer, the mail server. Accepted is therefore only what every parser reads alike, a local part of plain
 * characters and a domain name of the public kind (RFC 5321 section 4.1.2, without quoting, comments, source routes and
 * address literals). Blanks around it and upper case are folded: `" User@X.com "` is `user@x.com`. A domain in another
 * script has its ASCII form as the one spelling (RFC 5891, UTS #46): `ann@bücher.example` is
 * `ann@xn--bcher-kva.example`, provided that the ASCII form shows exactly the characters that were given.
 *
 * Addresses that the application or its identity provider names may also have a host without a dot, and letters beyond ASCII
 * before the `@` (RFC 6531).
 *
 * The part after a `+` and dots stay: they name the same mailbox at some providers only. `mailboxOf` folds them for
 * counting, never for recognising a person.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Punycode from "./Punycode.ts"

/**
 * Why something is no address: it is not text, it is too long, or one of its parts is not of the plain kind.
 *
 * @category errors
 * @since 0.1.0
 */
export type EmailAddressFault = "not_text" | "too_long" | "characters" | "parts" | "local_part" | "domain"

/** RFC 5321 section 4.5.3.1: 64 octets before the @, 255 after it (a name of the DNS has 253), 256 for a path with brackets. */
const longest = { given: 320, address: 254, local: 64, domain: 253 }

/** White space that users copy along with an address. */
const surrounding = /^[ \t]+|[ \t]+$/g
/** Characters of ASCII that are seen: addresses of these alone need no closer look. */
const visible = /^[!-~]+$/
/** Characters that are not seen, and those that no character is assigned to. */
const invisible = /[\p{C}\p{Z}]/u
/**
 * Runs of plain characters with single dots between them (the dot-string of RFC 5321). Of the characters of RFC 5322 section
 * 3.2.3 those are missing that some mail server, template or header once gave a meaning: `%`, `!`, `?`, `{`, `|`, `}`, `` ` ``.
 * A local part that begins with a hyphen would be an option to a mailer that is started as a program. Letters, marks and digits
 * of all scripts reach this rule only in an address that the application names.
 */
const localPart = /^(?!-)[\p{L}\p{M}\p{N}_+&'~=#$*/^-]+(?:\.[\p{L}\p{M}\p{N}_+&'~=#$*/^-]+)*$/u
/** Labels of the DNS (RFC 1035 section 2.3.1); the last one is not a number. */
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/
/** One label, with a letter in it: some parsers read a number as an IPv4 address. */
const hostWithoutDot = /^(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const unicodeDomain = /^[\p{L}\p{M}\p{N}.-]+$/u

/**
 * Reads an address. Gives it back in its one spelling.
 *
 * @category constructors
 * @since 0.1.0
 */
export const parse = (input: unknown): Result.Result<string, EmailAddressFault> => read(input, false)

/**
 * Reads an address that the application or its identity provider names: a host without a dot and letters beyond ASCII before the
 * `@` are accepted as well.
 *
 * @internal
 */
export const parseTrusted = (input: unknown): Result.Result<string, EmailAddressFault> => read(input, true)

const read = (input: unknown, isTrusted: boolean): Result.Result<string, EmailAddressFault> => {
  if (typeof input !== "string") return Result.fail("not_text")
  if (input.length > longest.given) return Result.fail("too_long")
  const address = input.replace(surrounding, "")
  if (!visible.test(address) && (address === "" || invisible.test(address) || hidesAscii(address)))
    return Result.fail("characters")
  const at = address.indexOf("@")
  if (at < 1 || at === address.length - 1 || at !== address.lastIndexOf("@")) return Result.fail("parts")
  const [local = "", host = ""] = address.normalize("NFC").toLowerCase().split("@")
  if (!isAscii(local) && (!isTrusted || mixesAlphabets(local))) return Result.fail("characters")
  const domain = isAscii(host) ? host : asciiDomain(host)
  if (domain === undefined) return Result.fail("characters")
  const size = new TextEncoder().encode(local).length
  if (size > longest.local || domain.length > longest.domain || size + 1 + domain.length > longest.address)
    return Result.fail("too_long")
  if (!localPart.test(local)) return Result.fail("local_part")
  const isHost = domainName.test(domain) || (isTrusted && hostWithoutDot.test(domain))
  return isHost && isStable(domain) ? Result.succeed(`${local}@${domain}`) : Result.fail("domain")
}

// oxlint-disable-next-line no-control-regex
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text)

/**
 * Is there a character that some parser maps to an ASCII one: a full-width letter or @, the Kelvin sign, the Turkish İ? The
 * ideographic full stops are dots to domain names (RFC 3490 section 3.1).
 */
const hidesAscii = (text: string): boolean =>
  !isAscii(text) &&
  Array.from(text).some(
    (character) =>
      !isAscii(character) &&
      // oxlint-disable-next-line no-control-regex
      (/[\u0000-\u007f]/.test(character.normalize("NFKC").toLowerCase()) || /[\u3002\uff0e\uff61]/.test(character))
  )

const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u
]

/** Letters of two alphabets that look alike, in a local part or in a whole domain (UTS #39 section 5.1). */
const mixesAlphabets = (text: string): boolean => alphabets.filter((alphabet) => alphabet.test(text)).length > 1

/** The ASCII form of a domain, when it encodes exactly these characters. */
const asciiDomain = (domain: string): string | undefined => {
  if (!unicodeDomain.test(domain) || mixesAlphabets(domain) || !URL.canParse(`http://${domain}`)) return undefined
  const ascii = new URL(`http://${domain}`).hostname
  return scriptForm(ascii) === domain ? ascii : undefined
}

/** A domain with its labels in their own script; `undefined` where one stands for none. */
const scriptForm = (domain: string): string | undefined => {
  if (domain.length > longest.domain) return undefined
  const labels = domain.split(".").map((label) => (label.startsWith("xn--") ? Punycode.decode(label.slice(4)) : label))
  return labels.includes(undefined) ? undefined : labels.join(".")
}

/**
 * Does a name with labels in ASCII form stay the same when it is converted to Unicode and back (UTS #46)? Mail servers convert
 * names so. A label with a letter that UTS #46 maps to another one would become another name.
 */
const isStable = (domain: string): boolean => {
  if (!domain.includes("xn--")) return true
  const url = `http://${scriptForm(domain) ?? ""}`
  return URL.canParse(url) && new URL(url).hostname === domain
}

/**
 * The address with its domain in its own script, as Auth.js stores it; `undefined` for domains of ASCII letters.
 *
 * @category combinators
 * @since 0.1.0
 */
export const inOwnScript = (address: string): string | undefined => {
  const at = address.lastIndexOf("@")
  const domain = address.slice(at + 1)
  const form = domain.includes("xn--") ? scriptForm(domain) : undefined
  return form === undefined || form === domain ? undefined : address.slice(0, at + 1) + form
}

/** The one spelling of an address that some provider accepts. For others, such as quoted ones, only the case is folded. */
const spelling = (address: string): string =>
  Result.getOrElse(parseTrusted(address), () => address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()))

/**
 * Do two addresses name the same mailbox, whichever form their domains have?
 *
 * @category guards
 * @since 0.1.0
 */
export const isSame = (one: string, other: string): boolean => {
  if (one === other) return true
  const [first, second] = [spelling(one), spelling(other)]
  return first === second || inOwnScript(first) === second || inOwnScript(second) === first
}

/**
 * Names the mailbox behind an address, for counting mails: without the part after a `+`, and for the provider that ignores
 * dots without them. Never a person's identifier.
 *
 * @category combinators
 * @since 0.1.0
 */
export const mailboxOf = (address: string): string => {
  const [local = "", domain = ""] = address.split("@")
  const [base = ""] = local.split("+")
  const name = base === "" ? local : base
  return domain === "gmail.com" || domain === "googlemail.com"
    ? `${name.replaceAll(".", "")}@gmail.com`
    : `${name}@${domain}`
}
