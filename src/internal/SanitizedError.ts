/**
 * Keeps of an error what an operator needs and nothing that a visitor gave.
 *
 * An error of a driver or a mail service may be endless, refer to itself, throw when it is looked at, or repeat the values
 * of the call: tokens, addresses, whole mails. What is kept is its name, its code, its message without those values and
 * without anything that reads as an email address, as the password in a URL or as a token, and where it came from.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { member } from "./ThrownValue.ts"

/** How many errors of a chain are looked at. */
const depth = 5
/** Characters of a message that are looked at, and that are kept. */
const lookLimit = 20_000
const textLimit = 1000

/** Where wrappers keep the error of the driver. */
const causeMembers = ["cause", "driverError", "original", "parent", "reason"] as const

/** The beginning of a text; empty for everything else. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, lookLimit) : "")

/** The error and what it wraps, outermost first, each once. */
export const chainOf = (thrown: unknown): ReadonlyArray<unknown> => {
  const chain: Array<unknown> = []
  let at: unknown = thrown
  while (at !== undefined && at !== null && chain.length < depth && !chain.includes(at)) {
    chain.push(at)
    const error: unknown = at
    // A host that fails on every address of its own has an error for each.
    const inner = [...causeMembers.map((name) => member(error, name)), member(member(error, "errors"), "0")]
    at = inner.find((one) => typeof one === "object" && one !== null)
  }
  return chain
}

/** Every text of some length that a call was given, as it stands and as it stands in addresses, longest first. */
const valuesOf = (args: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const members = args.flatMap((arg): ReadonlyArray<unknown> =>
    typeof arg === "object" && arg !== null
      ? Result.getOrElse(
          Result.try((): ReadonlyArray<unknown> => Object.values(arg)),
          () => []
        )
      : [arg]
  )
  const texts = members.filter((value): value is string => typeof value === "string" && value.length > 3)
  return [...new Set(texts.flatMap(spellings))]
}

/** A text as it stands, in a part of an address, and in JSON. Half of a pair of characters has no place in an address. */
const spellings = (text: string): ReadonlyArray<string> => [
  text,
  encodeURIComponent(text.toWellFormed()),
  JSON.stringify(text).slice(1, -1)
]

/** Where a value that begins here ends. Some drivers cut long ones, so the beginning of one counts too. */
const endOf = (text: string, at: number, value: string): number => {
  const start = Math.min(16, value.length)
  if (!text.startsWith(value.slice(0, start), at)) return at
  let length = start
  while (length < value.length && text[at + length] === value[length]) length++
  return at + length
}

/** A text without values. Spellings of one value begin alike, and so do tokens: the one that reaches furthest is taken. */
const without = (text: string, values: ReadonlyArray<string>): string => {
  const beginning = new Map<string, Array<string>>()
  for (const value of values) {
    const candidates = beginning.get(value.charAt(0))
    if (candidates === undefined) beginning.set(value.charAt(0), [value])
    else candidates.push(value)
  }
  let clean = ""
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const candidates = beginning.get(text.charAt(at))
    if (candidates === undefined) continue
    const end = candidates.reduce((furthest, value) => Math.max(furthest, endOf(text, at, value)), at)
    if (end === at) continue
    clean += `${text.slice(from, at)}…`
    from = end
    at = end - 1
  }
  return clean + text.slice(from)
}

/** Pieces of a text between blanks, quotes and brackets. */
const pieces = /[^\s<>()[\]{}"'`,;=]+/g
/** An address of a person, or a name and a password before the host of a URL; not a package such as `@scope/name`. */
const personal = /[^/](?:@|%40)./i
/** A string that looks like a token or a hash, when it has a digit. */
const opaque = /[\w+-]{32,}/g

/** A text without the values of a call, addresses of people and tokens. */
export const withoutValues = (text: string, args: ReadonlyArray<unknown>): string =>
  without(text, valuesOf(args))
    .replace(pieces, (piece) => (personal.test(piece) ? "…" : piece))
    .replace(opaque, (run) => (/\d/.test(run) ? "…" : run))

const describeError = (error: unknown): string => {
  if (typeof error === "string") return error.slice(0, lookLimit)
  const code = member(error, "code")
  const name = textOf(member(error, "name")) || typeof error
  const label = typeof code === "string" || typeof code === "number" ? `${name} ${code}` : name
  const message = textOf(member(error, "message"))
  return message === "" ? label : `${label}: ${message}`
}

/** Lines of a stack that name places in programs. */
const placesOf = (error: unknown): ReadonlyArray<string> =>
  textOf(member(error, "stack"))
    .split("\n")
    .filter((line) => /^ {4}at .*:\d+:\d+\)?$/.test(line) && line.length < 400)
    .slice(0, 12)

/** The sanitized error of an error, so that it is sanitized once. */
class KeptError extends Error {
  readonly #thrown: unknown
  constructor(message: string, thrown: unknown) {
    super(message)
    this.#thrown = thrown
  }
  static is = (value: unknown): value is KeptError =>
    // The one question that nothing which was thrown can answer by itself.
    typeof value === "object" && value !== null && #thrown in value
  static originalOf = (value: unknown): unknown => (KeptError.is(value) ? value.#thrown : undefined)
}

/** Does something that was thrown say one of these values, in a message, a stack or a member of its own? */
export const repeats = (thrown: unknown, args: ReadonlyArray<unknown>): boolean => {
  const values = valuesOf(args)
  return chainOf(thrown).some((error) => {
    const members = Result.getOrElse(
      Result.try((): ReadonlyArray<unknown> =>
        typeof error === "object" && error !== null
          ? Object.getOwnPropertyNames(error).map((name) => member(error, name))
          : []
      ),
      () => []
    )
    const texts = [describeError(error), textOf(member(error, "stack")), ...members.map(textOf)]
    return texts.some((text) => without(text, values) !== text)
  })
}

/** The value that {@link keptOf} was given: for the application that threw it, never for a log. */
export const originalOf = KeptError.originalOf

/** The sanitized error of one call, without the values of an outer call. */
const keptAgain = (error: KeptError, args: ReadonlyArray<unknown>): KeptError => {
  const values = valuesOf(args)
  const [message, stack] = [without(error.message, values), without(error.stack ?? "", values)]
  if (message === error.message && stack === error.stack) return error
  const again = new KeptError(message, originalOf(error))
  again.stack = stack
  return again
}

/** Sanitizes an error that a call with these arguments threw. */
export const keptOf = (thrown: unknown, args: ReadonlyArray<unknown>): Error => {
  if (KeptError.is(thrown)) return keptAgain(thrown, args)
  const chain = chainOf(thrown)
  const whole = chain.length === 0 ? "nothing was said" : chain.map(describeError).join(" <- ").slice(0, lookLimit)
  const clean = withoutValues(whole, args)
  const summary = new KeptError(clean.length > textLimit ? `${clean.slice(0, textLimit)}…` : clean, thrown)
  // A message may pretend to be a place. Addresses are not looked for here: paths of packages look like them.
  const places = without(placesOf(chain[0]).join("\n"), valuesOf(args))
  summary.stack = `Error: ${summary.message}\n${places}`
  return summary
}

/** Members whose texts are secrets, such as `access_token`, `clientSecret` and `apiKey`. */
const secretName = /(?:token|secret|password|pass|key|assertion|verifier|server)s?$/i
/** Members that are secret as a whole, such as a list of secrets or a private key. */
const secretWhole = /(?:secret|key)s?$/i

/** Levels and members of what a function was given that are looked at. */
const deepest = 4
const widest = 100

/** The secrets among what a function of the application was given, by the names of the members. */
export const secretsIn = (given: unknown, isSecret = false, level = 0): ReadonlyArray<string> => {
  if (typeof given === "string") return isSecret ? [given] : []
  if (typeof given !== "object" || given === null || level > deepest) return []
  const names = Result.getOrElse(
    Result.try(() => Object.keys(given)),
    () => []
  )
  return names.slice(0, widest).flatMap((name) => {
    const value = member(given, name)
    const isNamed = typeof value === "string" ? secretName.test(name) : secretWhole.test(name)
    return secretsIn(value, isSecret || isNamed, level + 1)
  })
}

/** The error of a function, or its sanitized form where it repeats a secret of the arguments. */
export const withoutGiven = (thrown: unknown, given: unknown): unknown => {
  const secrets = secretsIn(given)
  return secrets.length > 0 && repeats(thrown, secrets) ? keptOf(thrown, secrets) : thrown
}
