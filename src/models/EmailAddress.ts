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
 * Hosts without a dot and local parts beyond ASCII (RFC 6531) are accepted where the caller allows them.
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

/**
 * What is accepted besides addresses of the plain kind.
 *
 * @category models
 * @since 0.1.0
 */
export interface EmailAddressOptions {
  /** Hosts without a dot, as intranets have them: `ann@mailhost`, `ann@localhost`. Default: `false`. */
  readonly allowHostWithoutDot?: boolean | undefined
  /** Local parts with letters beyond ASCII (RFC 6531): the mail server must support `SMTPUTF8`. Default: `false`. */
  readonly allowUnicodeLocalPart?: boolean | undefined
}

/**
 * Every kind of address: for those that the application or a provider of its choice names.
 *
 * @internal
 */
export const everyKind: EmailAddressOptions = { allowHostWithoutDot: true, allowUnicodeLocalPart: true }

/** White space that users copy along with an address. */
const surrounding = /^[ \t]+|[ \t]+$/g
/** Characters of ASCII that are seen: addresses of these alone need no closer look. */
const visible = /^[!-~]+$/
/** Characters that are not seen, and those that no character is assigned to. */
const invisible = /[\p{C}\p{Z}]/u
/**
 * Runs of plain characters with single dots between them (the dot-string of RFC 5321). Of the characters of RFC 5322 section
 * 3.2.3 those are missing that some mail server, template or header once gave a meaning: `%`, `!`, `?`, `{`, `|`, `}`, `` ` ``.
 * What begins with a hyphen would be an option to a mailer that is started as a program.
 */
const localPart = /^(?!-)[a-z0-9_+&'~=#$*/^-]+(?:\.[a-z0-9_+&'~=#$*/^-]+)*$/
/** The same with letters, marks and digits of all scripts. */
const unicodeLocalPart = /^(?!-)[\p{L}\p{M}\p{N}_+&'~=#$*/^-]+(?:\.[\p{L}\p{M}\p{N}_+&'~=#$*/^-]+)*$/u
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
export const parse = (input: unknown, options: EmailAddressOptions = {}): Result.Result<string, EmailAddressFault> => {
  if (typeof input !== "string") return Result.fail("not_text")
  if (input.length > longest.given) return Result.fail("too_long")
  const address = input.replace(surrounding, "")
  if (!visible.test(address) && (address === "" || invisible.test(address) || hidesAscii(address)))
    return Result.fail("characters")
  const at = address.indexOf("@")
  if (at < 1 || at === address.length - 1 || at !== address.lastIndexOf("@")) return Result.fail("parts")
  const local = address.slice(0, at).normalize("NFC").toLowerCase()
  const isAsciiLocal = isAscii(local)
  if (!isAsciiLocal && (options.allowUnicodeLocalPart !== true || mixesAlphabets(local)))
    return Result.fail("characters")
  const written = address
    .slice(at + 1)
    .normalize("NFC")
    .toLowerCase()
  const domain = isAscii(written) ? written : asciiDomain(written)
  if (domain === undefined) return Result.fail("characters")
  if (
    octets(local) > longest.local ||
    domain.length > longest.domain ||
    octets(local) + 1 + domain.length > longest.address
  )
    return Result.fail("too_long")
  if (!(isAsciiLocal ? localPart : unicodeLocalPart).test(local)) return Result.fail("local_part")
  const isHost = domainName.test(domain) || (options.allowHostWithoutDot === true && hostWithoutDot.test(domain))
  if (!isHost || !isStable(domain)) return Result.fail("domain")
  return Result.succeed(`${local}@${domain}`)
}

// oxlint-disable-next-line no-control-regex
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text)

const octets = (text: string): number => (isAscii(text) ? text.length : new TextEncoder().encode(text).length)

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

/** Letters of two alphabets that look alike, in one word (UTS #39 section 5.1). */
const mixesAlphabets = (text: string): boolean => alphabets.filter((alphabet) => alphabet.test(text)).length > 1

/** Cyrillic and Greek letters that look like Latin ones. The build escapes a text: with such letters V8 keeps a file at two bytes each. */
const likeLatin = "асԁеһіјӏорԛѕԝхуѵανοριυχκτ"

/** A label of letters that all look like Latin ones, although they are Cyrillic or Greek (UTS #39 section 4). */
const looksLatin = new RegExp(`^[-0-9${likeLatin}]*[${likeLatin}][-0-9${likeLatin}]*$`)

/** The ASCII form of a domain, when it encodes exactly these characters, and they do not look like another name. */
const asciiDomain = (domain: string): string | undefined => {
  if (!unicodeDomain.test(domain) || !URL.canParse(`http://${domain}`)) return undefined
  const ascii = new URL(`http://${domain}`).hostname
  if (scriptForm(ascii) !== domain) return undefined
  const labels = domain.split(".")
  const isForeign = !isAscii(labels.at(-1) ?? "")
  return labels.some((label) => mixesAlphabets(label) || (!isForeign && looksLatin.test(label))) ? undefined : ascii
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
 * The same address with its domain in its own script, as Auth.js stores it; `undefined` for domains of ASCII letters.
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
  Result.getOrElse(parse(address, everyKind), () => address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()))

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
