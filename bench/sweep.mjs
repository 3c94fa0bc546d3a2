/**
 * How long the event loop stands still while expired sessions are removed from SQLite, by the sweeper that `Sql.layer` starts.
 *
 *     node bench/sweep.mjs [--rows=1000000] [--quick]
 *
 * Needs `npm run build` and a Node.js with `node:sqlite`. The database is a file in a temporary folder. Prints JSON: the longest time
 * between two turns of the event loop in milliseconds.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Adapter } from "../dist/Adapter.js"
import * as Sql from "../dist/Sql.js"
import * as Sqlite from "../dist/sql/Sqlite.js"

const { values } = parseArgs({ options: { rows: { type: "string" }, quick: { type: "boolean", default: false } } })
const rows = Number(values.rows ?? (values.quick ? 100_000 : 1_000_000))

/** The longest time between two turns of the event loop in milliseconds, until `isDone` says so. */
const watch = (isDone) =>
  new Promise((resolve) => {
    let [longest, time] = [0, performance.now()]
    const turn = () => {
      const now = performance.now()
      longest = Math.max(longest, now - time)
      time = now
      if (isDone()) resolve({ longest })
      else setImmediate(turn)
    }
    setImmediate(turn)
  })

const fill = (sql) =>
  sql.withTransaction(
    Effect.andThen(
      sql`INSERT INTO users ${sql.insert({ id: "user-0", name: "A person", email: "0@example.com" })}`,
      sql`WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${rows})
        INSERT INTO sessions (id, ${sql("userId")}, expires, ${sql("sessionToken")})
        SELECT 'session-' || i, 'user-0', 1000 + i, 'token-' || i FROM numbers`
    )
  )

const directory = await mkdtemp(join(tmpdir(), "doorman-sweep-"))
const program = Effect.gen(function* () {
  const sql = yield* SqlClient
  const store = yield* Sql.make()
  yield* fill(sql)
  // The sweeper does not move the pages that filling wrote.
  yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`
  const left = sql`SELECT EXISTS (SELECT 1 FROM sessions) AS isLeft`
  let isDone = false
  const sweeper = Layer.provide(Sql.layerSweeper({ every: "1 hour" }), Layer.succeed(Adapter, store))
  const asking = Effect.gen(function* () {
    while (!isDone) {
      yield* Effect.sleep("200 millis")
      isDone = Number((yield* left)[0].isLeft) === 0
    }
  })
  const [sweeping] = yield* Effect.all([Effect.promise(() => watch(() => isDone)), asking], {
    concurrency: "unbounded"
  }).pipe(Effect.provide(sweeper))
  return { rows, sweeping }
})
try {
  const services = Layer.merge(
    Sqlite.layer({ filename: join(directory, "sessions.db"), binding: "node:sqlite" }),
    SecureRandom.layerWebCrypto
  )
  console.log(JSON.stringify(await Effect.runPromise(Effect.provide(program, services))))
} finally {
  await rm(directory, { recursive: true, force: true })
}
