/**
 * Reads what a driver threw: which failure it is, and how much of it may be kept.
 *
 * Drivers name the same fault in their own ways, and wrap each other's errors. A few levels of causes are looked at, by
 * codes first; texts count only where they begin, because further on they repeat what a visitor typed. Nothing that was
 * thrown is kept as it is (`internal/SanitizedError.ts`).
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { AdapterError, type AdapterFault, isAuthError } from "../Errors.ts"
import { chainOf, keptOf, textOf, withoutValues } from "../internal/SanitizedError.ts"
import { member } from "../internal/ThrownValue.ts"
import type { AdapterMethod } from "./AdapterShape.ts"
import { methodTable } from "./MethodTable.ts"

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

/** The row to read, change or delete is not there: Prisma, Azure Tables, PouchDB (also without an id to look for), Kysely. */
const isAbsence = (error: unknown): boolean =>
  member(error, "code") === "P2025" ||
  (member(error, "code") === "ResourceNotFound" && member(error, "statusCode") === 404) ||
  (member(error, "name") === "not_found" && member(error, "status") === 404) ||
  (member(error, "name") === "missing_id" && member(error, "status") === 412) ||
  (member(error, "message") === "no result" && member(member(error, "node"), "kind") !== undefined)

/** No row can have the id that was asked for: ids of this store are numbers or UUIDs, and this one comes from another. */
const isForeignKind = (error: unknown): boolean =>
  ["22P02", "22003", "P2007", "P2023"].some((code) => member(error, "code") === code) ||
  (member(error, "name") === "PrismaClientValidationError" &&
    textOf(member(error, "message")).includes("Argument `id`: Invalid value provided"))

/** Is the id of a user all that this method is given? */
const isById = (method: AdapterMethod): boolean => methodTable[method].takes.join() === "userId"

/** Does this method create a row of a user? A broken reference there means that the user is gone. */
const isReferring = (method: AdapterMethod): boolean => methodTable[method].takes.includes("ownedRow")

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
    if (isAbsence(error)) return "missing"
    if (isById(method) && isForeignKind(error)) return "missing"
    if (isReferring(method) && hasOneOf(error, foreignCodes, foreignNumbers, foreignText)) return "missing"
  }
  return "unavailable"
}

const isAdapterError = (thrown: unknown): thrown is AdapterError =>
  Result.getOrElse(
    Result.try(() => isAuthError(thrown) && thrown._tag === "AdapterError"),
    () => false
  )

/** A failure that the adapter made itself, without the values that it may repeat. */
const sanitize = (failure: AdapterError, args: ReadonlyArray<unknown>): AdapterError => {
  const { cause, detail, method = "a method", provider, reason = "unavailable", retryable } = failure
  const safeDetail = detail === undefined ? undefined : withoutValues(detail, args)
  if (cause === undefined && safeDetail === detail) return failure
  return new AdapterError({
    method,
    reason,
    ...(safeDetail === undefined ? {} : { detail: safeDetail }),
    ...(cause === undefined ? {} : { cause: keptOf(cause, args) }),
    ...(provider === undefined ? {} : { provider }),
    ...(retryable === undefined ? {} : { retryable })
  })
}

/** The failure of a call from what its adapter threw. @internal */
export const faultOf = (method: AdapterMethod, args: ReadonlyArray<unknown>, thrown: unknown): AdapterError => {
  if (isAdapterError(thrown)) return sanitize(thrown, args)
  const chain = chainOf(thrown)
  const reason = reasonOf(method, chain)
  const fix = chain.some(isMissingTable) ? { fix: migrationFix } : {}
  return new AdapterError({ method, reason, detail: details[reason](method), cause: keptOf(thrown, args), ...fix })
}

/** PostgreSQL (`undefined_table`), MySQL and Prisma. */
const tableCodes: ReadonlySet<unknown> = new Set(["42P01", "ER_NO_SUCH_TABLE", "P2021"])
const tableText = /no such table|relation "[^"]*" does not exist|table '[^']*' doesn't exist/i

const isMissingTable = (error: unknown): boolean => hasOneOf(error, tableCodes, new Set([1146]), tableText)

const migrationFix = "Run the migration of the adapter: the database has no such table (docs/adapters.md, docs/sql.md)."

const details: Readonly<Record<AdapterFault, (method: AdapterMethod) => string>> = {
  unique: (method) => `${method}: there is such a row already`,
  missing: (method) => `${method}: there is no such row`,
  stale: (method) => `${method}: another caller was faster`,
  unsupported: (method) => `The adapter has no ${method}`,
  invalid: (method) => `${method} answered what is no such row`,
  timeout: (method) => `${method} did not answer in time`,
  unavailable: (method) => `${method} failed in the adapter`
}

/** A failure without a cause. @internal */
export const fault = (method: AdapterMethod, reason: AdapterFault): AdapterError =>
  new AdapterError({ method, reason, detail: details[reason](method) })
