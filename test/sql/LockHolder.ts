/**
 * A process that holds the write lock of a SQLite file until it is told to let go; for `SqliteLock.test.ts`.
 *
 *     node LockHolder.ts <file>
 */
import * as Effect from "effect/Effect"
import { find } from "../../src/sql/SqliteBinding.ts"

const [filename = ""] = process.argv.slice(2)
const database = (await Effect.runPromise(find())).open(filename)
database.all("PRAGMA busy_timeout = 5000", [])
database.all("PRAGMA journal_mode = WAL", [])
database.all("BEGIN IMMEDIATE", [])
process.once("message", () => {
  database.all("COMMIT", [])
  process.exit(0)
})
process.once("disconnect", () => process.exit(0))
process.send?.("locked")
