import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import {
  AuthenticationError,
  ConnectionError,
  ConstraintError,
  DeadlockError,
  LockTimeoutError,
  SerializationError,
  SqlError,
  type SqlErrorReason,
  SqlSyntaxError,
  StatementTimeoutError,
  UniqueViolation,
  UnknownError
} from "effect/sql/SqlError"
import { asAdapterError, inTransaction } from "../../src/sql/SqlFailure.ts"

const canary = "canary@example.com"

const caused = (code?: string | number, nested = false): { readonly cause: Error; readonly message: string } => {
  const error = Object.assign(new Error(`Key (email)=(${canary}) already exists`), { code })
  return { cause: nested ? new Error(canary, { cause: error }) : error, message: canary }
}

const cases: ReadonlyArray<readonly [SqlErrorReason, string, boolean, string]> = [
  [
    new UniqueViolation({ ...caused("23505"), constraint: "users_email" }),
    "unique",
    false,
    "UniqueViolation (users_email), code 23505"
  ],
  [new ConstraintError(caused("23503")), "missing", false, "ConstraintError, code 23503"],
  [new ConstraintError(caused(787)), "missing", false, "ConstraintError, code 787"],
  [new ConstraintError(caused(1555)), "unique", false, "ConstraintError, code 1555"],
  [
    new ConstraintError(caused("SQLITE_CONSTRAINT_PRIMARYKEY")),
    "unique",
    false,
    "ConstraintError, code SQLITE_CONSTRAINT_PRIMARYKEY"
  ],
  [new ConstraintError(caused("23502")), "invalid", false, "ConstraintError, code 23502"],
  [new LockTimeoutError(caused()), "timeout", true, "LockTimeoutError"],
  [new StatementTimeoutError(caused("57014")), "timeout", true, "StatementTimeoutError, code 57014"],
  [new ConnectionError(caused("ECONNREFUSED", true)), "unavailable", true, "ConnectionError, code ECONNREFUSED"],
  [new DeadlockError(caused("40P01")), "unavailable", true, "DeadlockError, code 40P01"],
  [new SerializationError(caused("40001")), "unavailable", true, "SerializationError, code 40001"],
  [new AuthenticationError(caused("28P01")), "unavailable", false, "AuthenticationError, code 28P01"],
  [new SqlSyntaxError(caused("42P01")), "unavailable", false, "SqlSyntaxError, code 42P01"],
  [
    new ConnectionError({ ...caused("ECONNREFUSED"), message: "Failed to connect", operation: "connect" }),
    "unavailable",
    true,
    "ConnectionError: Failed to connect, code ECONNREFUSED"
  ],
  [new UnknownError(caused("26000")), "unavailable", true, "UnknownError, code 26000"],
  [new SqlSyntaxError(caused("42P05")), "unavailable", true, "SqlSyntaxError, code 42P05"],
  [new UnknownError(caused("53300")), "unavailable", true, "UnknownError, code 53300"],
  [new UnknownError(caused("57P01")), "unavailable", true, "UnknownError, code 57P01"],
  [new UnknownError(caused("22001")), "invalid", false, "UnknownError, code 22001"],
  [new UnknownError({ cause: canary }), "unavailable", false, "UnknownError"]
]

describe("SqlFailure", () => {
  it("says what a failure of the database is to a caller, and nothing of what was sent", () => {
    for (const [reason, expected, retryable, cause] of cases) {
      const error = asAdapterError("createUser")(new SqlError({ reason }))
      assert.deepStrictEqual([error.method, error.reason, error.retryable], ["createUser", expected, retryable], cause)
      assert.strictEqual(error.cause instanceof Error && error.cause.message, cause)
      assert.notInclude(`${error.message} ${String(error.cause)} ${JSON.stringify(error)}`, canary)
    }
  })

  it.gen("tells failures of a program from those of the transaction around it", function* () {
    const lost = new SqlError({ reason: new ConnectionError(caused()) })
    /** A client whose rollback fails: everything is a defect. */
    const breaking = {
      withTransaction: (program: Effect.Effect<unknown, unknown>) =>
        Effect.andThen(Effect.catch(program, Effect.die), Effect.die(lost))
    } as unknown as SqlClient
    const own = yield* Effect.flip(inTransaction(breaking, "transaction", Effect.fail("own")))
    assert.strictEqual(own, "own")
    const nothing = yield* Effect.flip(inTransaction(breaking, "transaction", Effect.fail(undefined)))
    assert.isUndefined(nothing)
    const ended = yield* Effect.flip(inTransaction(breaking, "transaction", Effect.succeed(1)))
    assert.deepStrictEqual([ended.method, ended.reason], ["transaction", "unavailable"])
    const died = yield* Effect.exit(inTransaction(breaking, "transaction", Effect.die("a bug")))
    assert.include(String(died), "a bug")
  })
})
