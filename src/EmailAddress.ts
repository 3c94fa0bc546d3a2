/**
 * E-mail addresses: one rule for what is an address, and one spelling for each.
 *
 * An address decides who a person is and where a mail goes, so it must mean the same to everything that reads it: the
 * store, the mailer, the mail server. Accepted is therefore only what every parser reads alike, a local part of plain
 * characters and a domain name of the public kind (RFC 5321 section 4.1.2, without quoting, comments, source routes and
 * address literals). Blanks around it and upper case are the only differences that are folded away: `" User@X.com "` is
 * `user@x.com`. Characters outside ASCII are refused, not folded: a domain in another script is written in its ASCII form
 * (`xn--…`), as browsers do by themselves in an e-mail field.
 *
 * The part after a `+` and dots stay: they name the same mailbox at some providers only. `mailboxOf` folds them for
 * counting, never for recognising a person.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Punycode from "./internal/Punycode.ts"

/**
 * Why something is no address: it is not text, it is too long, or one of its parts is not of the plain kind.
 *
 * @category errors
 * @since 0.1.0
 */
export type EmailAddressFault = "not_text" | "too_long" | "characters" | "parts" | "local_part" | "domain"

/** RFC 5321 section 4.5.3.1: 64 octets before the @, 255 after it (a name of the DNS has 253), 256 for a path with brackets. */
const longest = { given: 320, address: 254, local: 64, domain: 253 }

/** Blanks that people copy along with an address. */
const surrounding = /^[ \t]+|[ \t]+$/g
const visible = /^[!-~]+$/
/**
 * Runs of plain characters with single dots between them (the dot-string of RFC 5321). Of the characters of RFC 5322 section
 * 3.2.3 those are missing that some mail server, template or header once gave a meaning: `%`, `!`, `?`, `{`, `|`, `}`, `` ` ``.
 */
const localPart = /^[a-z0-9_+&'~=#$*/^-]+(?:\.[a-z0-9_+&'~=#$*/^-]+)*$/
/** Labels of the DNS (RFC 1035 section 2.3.1); the last one is not a number. */
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/

/**
 * Reads an address. Gives it back in its one spelling.
 *
 * @category constructors
 * @since 0.1.0
 */
export const parse = (input: unknown): Result.Result<string, EmailAddressFault> => {
  if (typeof input !== "string") return Result.fail("not_text")
  if (input.length > longest.given) return Result.fail("too_long")
  const address = input.replace(surrounding, "").toLowerCase()
  if (!visible.test(address) || !isAscii(input)) return Result.fail("characters")
  const at = address.indexOf("@")
  if (at < 1 || at === address.length - 1 || at !== address.lastIndexOf("@")) return Result.fail("parts")
  const local = address.slice(0, at)
  const domain = address.slice(at + 1)
  if (local.length > longest.local || domain.length > longest.domain || address.length > longest.address)
    return Result.fail("too_long")
  if (!localPart.test(local)) return Result.fail("local_part")
  if (!domainName.test(domain) || !isStable(domain)) return Result.fail("domain")
  return Result.succeed(address)
}

/** Lower case turns a few other characters into ASCII ones (the Kelvin sign into k), so what was given is looked at too. */
// oxlint-disable-next-line no-control-regex
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text)

/**
 * Does a name with labels in ASCII form come back as it is, when somebody shows it in its own script and writes it down again
 * (UTS #46)? Mail servers do that; a label behind which a letter hides that is only a variant would become another name.
 */
const isStable = (domain: string): boolean => {
  if (!domain.includes("xn--")) return true
  const labels = domain.split(".").map((label) => (label.startsWith("xn--") ? Punycode.decode(label.slice(4)) : label))
  if (labels.includes(undefined)) return false
  const url = `http://${labels.join(".")}`
  return URL.canParse(url) && new URL(url).hostname === domain
}

/**
 * Is this an address in its one spelling?
 *
 * @category guards
 * @since 0.1.0
 */
export const isCanonical = (input: unknown): input is string => {
  const parsed = parse(input)
  return Result.isSuccess(parsed) && parsed.success === input
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
