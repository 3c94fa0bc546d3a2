/**
 * SQLite in this process, in one file: a `SqlClient` on whichever library opens SQLite files here.
 *
 * One connection takes turns: a transaction holds it until it ends. Writers on other connections are waited for. For several
 * machines there is `effect-doorman/sql/Postgres`.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { make as makeClient, makeSqliteAcquirers, SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, ConnectionError, SqlError } from "effect/sql/SqlError"
import { makeCompilerSqlite } from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import type { AdapterError, InvalidConfiguration } from "../Errors.ts"
import { asAdapterError } from "./SqlFailure.ts"
import { type Binding, type Database, find } from "./SqliteBinding.ts"
import { isLocked, type LockWait, lockWait, waitingToBegin } from "./SqliteLock.ts"

/**
 * Which file, and how it is kept.
 *
 * @category models
 * @since 0.1.0
 */
export interface SqliteOptions {
  /** Path of the file; it is made when there is none. `:memory:` keeps everything in this process. */
  readonly filename: string
  /** The library; left out, the one that there is, `node:sqlite` first. */
  readonly binding?: Binding["name"] | undefined
  /**
   * How long to wait for another connection that writes; five seconds when left out. A bare number is milliseconds. Other
   * requests of this process are served meanwhile.
   */
  readonly busyTimeout?: Duration.Input | undefined
  /**
   * `normal`, when left out: nothing is lost when the process dies, the last changes may be when the machine does. `full`
   * waits for the disk with every change.
   */
  readonly synchronous?: "normal" | "full" | undefined
}

interface SqliteConnection extends Connection {
  readonly database: Database
}

const textMember = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** The result code where `classifySqliteError` looks for it; `node:sqlite` has it elsewhere. */
const failureOf = (thrown: unknown): SqlError => {
  const number = textMember(thrown, "errcode")
  const message = textMember(thrown, "message")
  const cause = typeof number === "number" ? { code: number, message } : thrown
  return new SqlError({ reason: classifySqliteError(cause, { message: "A statement failed", operation: "execute" }) })
}

const connectionOf = (database: Database, wait: LockWait): SqliteConnection => {
  const run = (statement: string, parameters: ReadonlyArray<unknown>) =>
    Effect.try({ try: () => database.all(statement, parameters), catch: failureOf })
  const execute: Connection["execute"] = (statement, parameters, transform = (rows) => rows) =>
    Effect.map(run(statement, parameters), transform)
  const values = (statement: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(run(statement, parameters), (rows) => rows.map((row) => Object.values(row)))
  return {
    database,
    execute,
    executeRaw: run,
    // The client lends no connection for a stream, so that it waits here.
    executeStream: (...statement) =>
      Stream.unwrap(
        Effect.map(
          wait(execute(...statement), (failure) => isLocked(failure) && !database.isTransaction()),
          Stream.fromIterable
        )
      ),
    executeValues: values,
    executeValuesUnprepared: values,
    executeUnprepared: execute
  }
}

/** How long statements wait for writers of other processes, when left out. */
const defaultBusyTimeout: Duration.Input = "5 seconds"

const openFailureOf =
  (filename: string) =>
  (thrown: unknown): SqlError => {
    const failure = failureOf(thrown)
    return isLocked(failure)
      ? failure
      : new SqlError({
          reason: new ConnectionError({
            cause: thrown,
            message: `The SQLite file ${filename} cannot be opened: its folder must exist, and this process must be allowed to write there`,
            operation: "open"
          })
        })
  }

const openDatabase = Effect.fnUntraced(function* (
  binding: Binding,
  { busyTimeout = defaultBusyTimeout, filename, synchronous = "normal" }: SqliteOptions
) {
  const database = yield* Effect.acquireRelease(
    Effect.try({ try: () => binding.open(filename), catch: openFailureOf(filename) }),
    (open) => Effect.sync(() => open.close())
  )
  const configure = Effect.try({
    try: () => {
      // SQLite would wait in the thread; `lockWait` waits beside it.
      database.all("PRAGMA busy_timeout = 0", [])
      database.all("PRAGMA journal_mode = WAL", [])
      database.all(`PRAGMA synchronous = ${synchronous}`, [])
      database.all("PRAGMA foreign_keys = ON", [])
    },
    catch: openFailureOf(filename)
  })
  yield* lockWait(busyTimeout)(configure)
  return database
})

/**
 * A client for a file. It is closed with the scope.
 *
 * @category constructors
 * @since 0.1.0
 * @internal
 */
export const makeSqlite = Effect.fnUntraced(function* (
  options: SqliteOptions
): Effect.fn.Return<SqlClient, InvalidConfiguration | AdapterError, Scope.Scope | Reactivity.Reactivity> {
  const binding = yield* find(options.binding)
  const database = yield* Effect.mapError(openDatabase(binding, options), asAdapterError("open"))
  return yield* clientOf(database, `sqlite-${binding.name}`, options.busyTimeout)
})

/**
 * A client on an open database, which it does not close. It waits for locks by itself: the database's own `busy_timeout`
 * is best 0.
 *
 * @category constructors
 * @since 0.1.0
 * @internal
 */
export const clientOf = Effect.fnUntraced(function* (
  database: Database,
  driver: string,
  busyTimeout: Duration.Input = defaultBusyTimeout
): Effect.fn.Return<SqlClient, never, Reactivity.Reactivity> {
  const wait = lockWait(busyTimeout)
  const acquirers = makeSqliteAcquirers({
    connection: Effect.succeed(connectionOf(database, wait)),
    semaphore: Semaphore.makeUnsafe(1),
    isTransaction: (connection) => connection.database.isTransaction()
  })
  const client = yield* makeClient({
    ...acquirers,
    // Around the loan of the connection: while a statement waits, others use it.
    borrower: (statement) => wait(acquirers.borrower(statement)),
    compiler: makeCompilerSqlite(),
    driver,
    // Takes the right to write at once: a transaction that reads first cannot find out later that it came too late.
    beginTransaction: "BEGIN IMMEDIATE",
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    prepareTransactionControls: true,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
  return Object.assign(client, { withTransaction: waitingToBegin(wait, client.withTransaction) })
})

/**
 * A client for a file, as a layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: SqliteOptions): Layer.Layer<SqlClient, InvalidConfiguration | AdapterError> =>
  Layer.provide(Layer.effect(SqlClient, makeSqlite(options)), Reactivity.layer)
