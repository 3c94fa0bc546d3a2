/**
 * Reads what a driver threw: which failure it is, and how much of it may be kept.
 *
 * Drivers name the same fault in their own ways, and wrap each other's errors. A few levels of causes are looked at, by
 * codes first; texts count only where they begin, because further on they repeat what a visitor typed. Nothing that was
 * thrown is kept as it is: it may be endless, refer to itself, throw when it is looked at, or repeat the values of the
 * call. What is kept is its name, its code, its message without those values, and where it came from.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { AdapterError, type AdapterFault, isAuthError } from "../Errors.ts"
import type { AdapterMethod } from "./AdapterShape.ts"

/** How many errors of a chain are looked at. */
const depth = 5
/** Characters of a message that are looked at, and that are kept. */
const looked = 20_000
const kept = 1000

/** Where wrappers keep the error of the driver. */
const wrapped = ["cause", "driverError", "original", "parent"] as const

/** PostgreSQL, SQLite, MySQL and MariaDB, Prisma. */
const uniqueCodes: ReadonlySet<unknown> = new Set([
  "23505",
  "SQLITE_CONSTRAINT_UNIQUE",
  "SQLITE_CONSTRAINT_PRIMARYKEY",
  "ER_DUP_ENTRY",
  "ER_DUP_ENTRY_WITH_KEY_NAME",
  "P2002",
  // MongoDB
  11000,
  11001
])
/** Numbers beside the code: SQLite's extended result codes, MySQL's and SQL Server's error numbers. */
const uniqueNumbers: ReadonlySet<unknown> = new Set([2067, 1555, 1062, 1586, 2627, 2601])
const uniqueText = /^(?:[\w ]{1,40}: ){0,3}UNIQUE constraint failed\b/

/** A row that another one refers to is not there. */
const foreignCodes: ReadonlySet<unknown> = new Set([
  "23503",
  "SQLITE_CONSTRAINT_FOREIGNKEY",
  "ER_NO_REFERENCED_ROW",
  "ER_NO_REFERENCED_ROW_2",
  "P2003"
])
const foreignNumbers: ReadonlySet<unknown> = new Set([787, 1216, 1452])
const foreignText = /^(?:[\w ]{1,40}: ){0,3}FOREIGN KEY constraint failed\b/

/** What creates a row of a user: a broken reference there means that the user is gone. */
const referring: ReadonlySet<AdapterMethod> = new Set<AdapterMethod>([
  "linkAccount",
  "createSession",
  "createAuthenticator"
])

/** A member of anything that was thrown; `undefined` when looking at it throws. */
const member = (value: unknown, name: string): unknown =>
  (typeof value === "object" && value !== null) || typeof value === "function"
    ? Result.getOrUndefined(Result.try((): unknown => Reflect.get(value, name)))
    : undefined

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, looked) : "")

/** The error and what it wraps, outermost first, each once. */
const chainOf = (thrown: unknown): ReadonlyArray<unknown> => {
  const chain: Array<unknown> = []
  let at: unknown = thrown
  while (at !== undefined && at !== null && chain.length < depth && !chain.includes(at)) {
    chain.push(at)
    const error: unknown = at
    at = wrapped.map((name) => member(error, name)).find((inner) => typeof inner === "object" && inner !== null)
  }
  return chain
}

const hasOneOf = (error: unknown, codes: ReadonlySet<unknown>, numbers: ReadonlySet<unknown>, text: RegExp): boolean =>
  codes.has(member(error, "code")) ||
  ["errno", "errcode", "rawCode", "number"].some((name) => numbers.has(member(error, name))) ||
  text.test(textOf(member(error, "message")))

const reasonOf = (method: AdapterMethod, chain: ReadonlyArray<unknown>): AdapterFault => {
  for (const error of chain) {
    if (
      hasOneOf(error, uniqueCodes, uniqueNumbers, uniqueText) ||
      member(error, "name") === "SequelizeUniqueConstraintError"
    )
      return "unique"
    // Prisma: the record to change or delete was not found.
    if (member(error, "code") === "P2025") return "missing"
    if (referring.has(method) && hasOneOf(error, foreignCodes, foreignNumbers, foreignText)) return "missing"
  }
  return "unavailable"
}

/** Every text of some length that a call was given, longest first. */
const valuesOf = (args: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const members = args.flatMap((arg): ReadonlyArray<unknown> =>
    typeof arg === "object" && arg !== null ? Object.values(arg) : [arg]
  )
  return members
    .filter((value): value is string => typeof value === "string" && value.length > 3)
    .sort((one, other) => other.length - one.length)
}

/** A text without a value; some drivers cut long ones, so the beginning of one counts too. */
const without = (text: string, value: string): string => {
  const start = value.slice(0, 16)
  let rest = text
  let clean = ""
  for (let at = rest.indexOf(start); at !== -1; at = rest.indexOf(start)) {
    let end = start.length
    while (end < value.length && rest[at + end] === value[end]) end++
    clean += `${rest.slice(0, at)}…`
    rest = rest.slice(at + end)
  }
  return clean + rest
}

const described = (error: unknown): string => {
  if (typeof error === "string") return error.slice(0, looked)
  const code = member(error, "code")
  const name = textOf(member(error, "name")) || typeof error
  const shown = typeof code === "string" || typeof code === "number" ? `${name} ${code}` : name
  const message = textOf(member(error, "message"))
  return message === "" ? shown : `${shown}: ${message}`
}

/** Lines of a stack that name places in programs. */
const placesOf = (error: unknown): ReadonlyArray<string> =>
  textOf(member(error, "stack"))
    .split("\n")
    .filter((line) => /^ {4}at /.test(line) && line.length < 400)
    .slice(0, 12)

/** What is kept of something that was thrown. */
const keptOf = (chain: ReadonlyArray<unknown>, args: ReadonlyArray<unknown>): Error => {
  const whole = chain.length === 0 ? "nothing was said" : chain.map(described).join(" <- ").slice(0, looked)
  const clean = valuesOf(args).reduce(without, whole)
  const summary = new Error(clean.length > kept ? `${clean.slice(0, kept)}…` : clean)
  summary.stack = [`Error: ${summary.message}`, ...placesOf(chain[0])].join("\n")
  return summary
}

const isAdapterError = (thrown: unknown): thrown is AdapterError =>
  Result.getOrElse(
    Result.try(() => isAuthError(thrown) && thrown._tag === "AdapterError"),
    () => false
  )

/** The failure of a call from what its adapter threw. @internal */
export const faultOf = (method: AdapterMethod, args: ReadonlyArray<unknown>, thrown: unknown): AdapterError => {
  if (isAdapterError(thrown)) return thrown
  const chain = chainOf(thrown)
  const reason = reasonOf(method, chain)
  return new AdapterError({ method, reason, detail: details[reason](method), cause: keptOf(chain, args) })
}

const details: Readonly<Record<AdapterFault, (method: AdapterMethod) => string>> = {
  unique: (method) => `${method}: there is such a row already`,
  missing: (method) => `${method}: there is no such row`,
  stale: (method) => `${method}: somebody else was faster`,
  unsupported: (method) => `The adapter has no ${method}`,
  invalid: (method) => `${method} answered what is no such row`,
  timeout: (method) => `${method} did not answer in time`,
  unavailable: (method) => `${method} failed in the adapter`
}

/** A failure without a cause. @internal */
export const fault = (method: AdapterMethod, reason: AdapterFault): AdapterError =>
  new AdapterError({ method, reason, detail: details[reason](method) })
