/**
 * Checkpoints of a SQLite file in a thread of their own.
 *
 * Every 1000 pages of the write-ahead log, the statement that wrote the last of them copies them into the file and waits for the disk,
 * which may take twenty milliseconds. Where many rows are removed, that comes again and again.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as RcRef from "effect/RcRef"
import type * as Scope from "effect/Scope"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Worker } from "node:worker_threads"
import { nodeModule } from "../internal/NodeModule.ts"
import type { Database } from "./SqliteBinding.ts"

/** The member of a client that has such a thread. */
const checkpoint: unique symbol = Symbol.for("effect-doorman/sql/checkpoint")

/** Says that so many rows were removed, and waits for the thread where these are many. */
type Removed = (rows: number) => Effect.Effect<void>

/** A client whose database has a thread. */
interface Checkpointing {
  readonly [checkpoint]: Removed
}

const isCheckpointing = (sql: object): sql is Checkpointing => checkpoint in sql

/** What to tell of removed rows, so that a thread copies the log of a client's database. Nothing happens where the client has none. */
export const removedFrom = (sql: SqlClient): Removed => (isCheckpointing(sql) ? sql[checkpoint] : () => Effect.void)

/** Rows after which the log is copied: some 900 pages. */
const batch = 2000

/**
 * The thread ends itself when it has closed the file. A string, so that bundlers need not find a file for it. It makes no file where the
 * application has removed or moved its own.
 *
 * The first transaction after a copy begins the log anew, and holds the write lock until the disk has the header of the log: SQLite
 * needs that order, or a power failure could damage the file. So the thread writes the user version as it is. When another connection
 * holds the lock, the thread skips this, and that connection begins the log anew.
 */
const program = `
const { existsSync } = require("node:fs")
const { parentPort, workerData } = require("node:worker_threads")
const { DatabaseSync } = require("node:sqlite")
if (!existsSync(workerData)) throw new Error("The file is gone")
const database = new DatabaseSync(workerData)
const checkpoint = database.prepare("PRAGMA wal_checkpoint(PASSIVE)")
const userVersion = database.prepare("PRAGMA user_version")
const beginWrite = () => {
  try {
    return database.exec("BEGIN IMMEDIATE"), true
  } catch {
    return false
  }
}
parentPort.on("message", (isLast) => {
  if (isLast) return database.close(), parentPort.close()
  checkpoint.all()
  if (beginWrite()) database.exec("PRAGMA user_version = " + userVersion.get().user_version + "; COMMIT")
  parentPort.postMessage("done")
})
parentPort.postMessage("ready")
`

/** No secret of the environment. The warning that `node:sqlite` is experimental comes from the application's thread. */
const surroundings = { env: {}, execArgv: ["--disable-warning=ExperimentalWarning"] }

const isWorkerModule = (value: unknown): value is { readonly Worker: typeof Worker } =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "Worker") === "function"

/** A worker, and what it says until it ends. */
interface Running {
  readonly worker: Worker
  readonly replies: Queue.Queue<unknown, unknown>
}

const start = Effect.fnUntraced(function* (filename: string) {
  const module = nodeModule("node:worker_threads")
  if (!isWorkerModule(module)) return yield* Effect.fail("There are no threads")
  // To load the module and to start a thread takes a millisecond or two each.
  yield* Effect.yieldNow
  const replies = yield* Queue.unbounded<unknown, unknown>()
  const worker = yield* Effect.sync(
    () => new module.Worker(program, { eval: true, workerData: filename, ...surroundings })
  )
  const end = (reason: unknown) => Queue.failCauseUnsafe(replies, Cause.fail(reason))
  worker
    .on("message", (reply) => Queue.offerUnsafe(replies, reply))
    .on("error", end)
    .on("exit", end)
  yield* Queue.take(replies)
  return { replies, worker } satisfies Running
})

const close = ({ replies, worker }: Running): Effect.Effect<void> =>
  Effect.andThen(
    Effect.sync(() => worker.postMessage(true)),
    Effect.ignore(Queue.await(replies))
  )

/** While the thread copies the log, statements of the application do not. */
const withoutOwnCheckpoints = (database: Database): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => {
        const [row] = database.all("PRAGMA wal_autocheckpoint", [])
        database.all("PRAGMA wal_autocheckpoint = 0", [])
        return Number(row?.["wal_autocheckpoint"])
      }),
      (pages) => Effect.sync(() => void database.all(`PRAGMA wal_autocheckpoint = ${pages}`, []))
    )
  )

/**
 * The thread of a database in a file, for {@link removedFrom}. It starts when it is first told of rows, and ends a second after the last and with
 * the scope. Where it does not start or has ended, the statements of the application copy the log as before.
 */
export const make = (database: Database): Effect.Effect<Checkpointing | undefined, never, Scope.Scope> =>
  Effect.gen(function* () {
    const filename = database.all("PRAGMA database_list", [])[0]?.["file"]
    if (typeof filename !== "string" || filename === "") return undefined
    const thread = yield* RcRef.make({
      acquire: Effect.tap(Effect.acquireRelease(start(filename), close), withoutOwnCheckpoints(database)),
      idleTimeToLive: "1 second"
    })
    // Not interrupted: the reply would be taken for that of the next checkpoint.
    const copy = ({ replies, worker }: Running) =>
      Effect.uninterruptible(
        Effect.andThen(
          Effect.sync(() => worker.postMessage(false)),
          Queue.take(replies)
        )
      )
    let [waiting, isBroken] = [0, false]
    const removed: Removed = (rows) =>
      Effect.suspend(() => {
        if (isBroken) return Effect.void
        waiting += rows
        const isDue = waiting >= batch
        if (isDue) waiting = 0
        return Effect.flatMap(RcRef.get(thread), (running) => (isDue ? copy(running) : Effect.void))
      }).pipe(
        Effect.scoped,
        // After the end of the client there is no thread, which is no fault.
        Effect.catchCause((cause) => {
          isBroken = !Cause.hasInterruptsOnly(cause)
          return RcRef.invalidate(thread)
        }),
        Effect.asVoid
      )
    return { [checkpoint]: removed }
  })
