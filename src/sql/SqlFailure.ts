/**
 * Converts failures of the database to those of the library. Statements, parameters and messages of the database stay behind: they
 * may hold addresses and tokens.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError, type SqlErrorReason } from "effect/sql/SqlError"
import { AdapterError, type AdapterFault } from "../Errors.ts"

interface Verdict {
  readonly reason: AdapterFault
  readonly retryable: boolean
  readonly detail: string
}

const verdict = (reason: AdapterFault, retryable: boolean, detail: string): Verdict => ({ reason, retryable, detail })

const textMember = (value: unknown, name: string): string => {
  if (typeof value !== "object" || value === null) return ""
  const member: unknown = Reflect.get(value, name)
  return typeof member === "string" || typeof member === "number" ? String(member) : ""
}

/** SQLSTATE of PostgreSQL or the result code of SQLite, whichever there is. */
const codeOf = (reason: SqlErrorReason): string => {
  const code = textMember(reason.cause, "code")
  if (code !== "" || !(reason.cause instanceof Error)) return code
  return textMember(reason.cause.cause, "code")
}

const foreignKeyCodes: ReadonlySet<string> = new Set(["23503", "787", "SQLITE_CONSTRAINT_FOREIGNKEY"])
const keyCodes: ReadonlySet<string> = new Set(["1555", "2067", "SQLITE_CONSTRAINT_PRIMARYKEY"])

/** A prepared statement is missing, or there already: another connection of a pooler has it. */
const preparedCodes: ReadonlySet<string> = new Set(["26000", "42P05"])

const taken = verdict("unique", false, "There is such a row already")
const late = verdict("timeout", true, "The database did not answer in time")
const overtaken = verdict("unavailable", true, "The database gave way to another transaction")
const forbidden = verdict("unavailable", false, "The database does not let this user in")

const verdicts: { readonly [Tag in SqlErrorReason["_tag"]]?: Verdict } = {
  UniqueViolation: taken,
  LockTimeoutError: late,
  StatementTimeoutError: late,
  ConnectionError: verdict("unavailable", true, "There is no connection to the database"),
  DeadlockError: overtaken,
  SerializationError: overtaken,
  AuthenticationError: forbidden,
  AuthorizationError: forbidden,
  SqlSyntaxError: verdict("unavailable", false, "The tables of the database are not those that were migrated")
}

const judge = ({ _tag }: SqlErrorReason, code: string): Verdict => {
  if (preparedCodes.has(code))
    return verdict(
      "unavailable",
      true,
      "A pooler does not follow prepared statements: set prepare to false in postgres"
    )
  if (_tag === "ConstraintError") {
    if (foreignKeyCodes.has(code)) return verdict("missing", false, "There is no such user")
    return keyCodes.has(code) ? taken : verdict("invalid", false, "The database refused a row")
  }
  const byTag = verdicts[_tag]
  if (byTag !== undefined) return byTag
  if (/^(?:53|57P|58)/.test(code)) return verdict("unavailable", true, "The database is not available")
  if (code.startsWith("22")) return verdict("invalid", false, "The database cannot hold a value")
  return verdict("unavailable", false, "The database failed")
}

/** The driver's own words on a connection that was not opened: no statement was sent yet. */
const placeOf = (reason: SqlErrorReason): string =>
  reason._tag === "ConnectionError" && (reason.operation === "connect" || reason.operation === "open")
    ? `: ${reason.message}`
    : ""

/**
 * The failure of a method. For the log it keeps the kind, the code and the constraint of the database's error.
 *
 * @category constructors
 * @since 0.1.0
 */
export const asAdapterError =
  (method: string) =>
  ({ reason }: SqlError): AdapterError => {
    const code = codeOf(reason)
    const constraint = reason._tag === "UniqueViolation" ? ` (${reason.constraint})` : ""
    const cause = new Error(`${reason._tag}${constraint}${placeOf(reason)}${code === "" ? "" : `, code ${code}`}`)
    return new AdapterError({ method, cause, ...judge(reason, code) })
  }

/** Stands for a failure of the program while a transaction ends. */
class Mark {}

/**
 * Runs a program in a transaction, in one within it where there is one already. Fails as the program does, or as a method
 * where the database fails. When a connection breaks, its transaction cannot be undone by hand either, and for the client
 * all of that is a defect: here it is what it is to every other call.
 *
 * @category combinators
 * @since 0.1.0
 */
export const inTransaction = <A, E, R>(
  { withTransaction }: SqlClient,
  method: string,
  program: Effect.Effect<A, E, R>
): Effect.Effect<A, E | AdapterError, R> =>
  Effect.suspend(() => {
    const failures = new Map<unknown, { readonly failure: E }>()
    const programWithMarks = Effect.mapError(program, (failure) => {
      const mark = new Mark()
      failures.set(mark, { failure })
      return mark
    })
    const asFailure = (found: unknown): Effect.Effect<never, E | AdapterError> | undefined => {
      const failure = failures.get(found)
      if (failure !== undefined) return Effect.fail(failure.failure)
      return isSqlError(found) ? Effect.fail(asAdapterError(method)(found)) : undefined
    }
    return Effect.catchCause(withTransaction(programWithMarks), (cause): Effect.Effect<never, E | AdapterError> => {
      for (const reason of cause.reasons) {
        const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
        const failure = asFailure(error)
        if (failure !== undefined) return failure
      }
      // Neither a failure of the program nor one of the database: interrupted, or a defect.
      return Effect.failCause(Cause.fromReasons(cause.reasons.filter((reason) => !Cause.isFailReason(reason))))
    })
  })
