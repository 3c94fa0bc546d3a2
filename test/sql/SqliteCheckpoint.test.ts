import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { afterEach, beforeEach, vi } from "vitest"
import * as Sql from "../../src/Sql.ts"
import * as Sqlite from "../../src/sql/Sqlite.ts"
import { ada, at, random } from "./Engine.ts"

const hasNode = process.getBuiltinModule("node:sqlite") !== undefined

const started: Array<Worker> = []
const ended: Array<Worker> = []

class CountedWorker extends Worker {
  constructor(...options: ConstructorParameters<typeof Worker>) {
    super(...options)
    started.push(this)
    // The thread of a test before may exit during the next one.
    this.on("exit", () => void (started.includes(this) && ended.push(this)))
  }
}

const builtin = process.getBuiltinModule.bind(process)
const serve = (module: unknown) =>
  void vi
    .spyOn(process, "getBuiltinModule")
    .mockImplementation((id: string) => (id === "node:worker_threads" ? module : builtin(id)) as never)

describe.skipIf(!hasNode)("sweeping a file of SQLite", () => {
  let directory = ""
  let files = 0
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "doorman-checkpoint-"))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))
  beforeEach(() => {
    started.length = 0
    ended.length = 0
    serve({ Worker: CountedWorker })
  })
  afterEach(() => void vi.restoreAllMocks())
  const newFile = () => join(directory, `${++files}.db`)

  /** Expired sessions, steps that remove a thousand of them, and the pages after which statements copy the log. */
  const fill = Effect.fnUntraced(function* (rows: number) {
    const sql = yield* SqlClient
    const store = yield* Sql.make()
    const user = yield* store.createUser(ada)
    yield* sql`WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${rows})
      INSERT INTO sessions (id, ${sql("userId")}, expires, ${sql("sessionToken")})
      SELECT 'session-' || i, ${user.id}, 1000, 'token-' || i FROM numbers`
    yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`
    const pages = Effect.map(sql`PRAGMA wal_autocheckpoint`, ([row]) => row?.["wal_autocheckpoint"])
    return { sql, step: store.sweep(at(1_000_000), 1000), pages }
  })

  const client = (filename: string, binding: "node:sqlite" | "libsql" = "node:sqlite") =>
    Layer.mergeAll(Sqlite.layer({ filename, binding }), random)

  it.effect("copies the log in one thread while many rows are removed, and in the application's a second later", () =>
    Effect.gen(function* () {
      const { pages, sql, step } = yield* fill(4500)
      yield* sql`PRAGMA wal_autocheckpoint = 700`
      yield* sql`PRAGMA user_version = 77`
      assert.strictEqual(yield* step, 1000)
      assert.strictEqual(yield* pages, 0)
      for (const gone of [1000, 1000, 1000]) assert.strictEqual(yield* step, gone)
      assert.deepStrictEqual([started.length, ended.length], [1, 0])
      // Everything was copied after the fourth step, and the thread wrote the first page of a new log, which waits for the disk.
      const [state] = yield* sql`PRAGMA wal_checkpoint(PASSIVE)`
      assert.deepStrictEqual([state?.["log"], state?.["checkpointed"]], [1, 1])
      assert.deepStrictEqual(yield* sql`PRAGMA user_version`, [{ user_version: 77 }])
      assert.strictEqual(yield* step, 500)
      yield* TestClock.adjust("999 millis")
      assert.strictEqual(yield* pages, 0)
      yield* TestClock.adjust("1 millis")
      yield* Effect.promise(() => vi.waitFor(() => assert.strictEqual(ended.length, 1)))
      assert.strictEqual(yield* pages, 700)
    }).pipe(Effect.provide(client(newFile())))
  )

  it.effect.each(["node:sqlite", "libsql"] as const)(
    "answers how many rows went, where a trigger of the application keeps some: %s",
    (binding) =>
      Effect.gen(function* () {
        const { sql, step } = yield* fill(1500)
        yield* sql`CREATE TRIGGER kept BEFORE DELETE ON sessions WHEN OLD.id LIKE '%7' BEGIN SELECT RAISE(IGNORE); END`
        const count = Effect.map(sql`SELECT count(*) AS rows FROM sessions`, ([row]) => Number(row?.["rows"]))
        const before = yield* count
        const gone = yield* step
        assert.strictEqual(before - (yield* count), gone)
        assert.isBelow(gone, 1000)
        assert.isAbove(gone, 0)
      }).pipe(Effect.provide(client(newFile(), binding)))
  )

  it.effect("leaves the new log to another connection that writes, and goes on", () =>
    Effect.gen(function* () {
      const { pages, sql, step } = yield* fill(8500)
      const steps = Effect.all([step, step, step])
      assert.deepStrictEqual(yield* sql.withTransaction(steps), [1000, 1000, 1000])
      assert.deepStrictEqual([yield* step, yield* steps], [1000, [1000, 1000, 1000]])
      assert.deepStrictEqual([started.length, yield* pages], [1, 0])
    }).pipe(Effect.provide(client(newFile())))
  )

  it.effect("starts no thread for few rows, for a database in memory, and with libsql", () =>
    Effect.gen(function* () {
      const steps = Effect.gen(function* () {
        const { pages, step } = yield* fill(2500)
        assert.deepStrictEqual([yield* step, yield* step, yield* step], [1000, 1000, 500])
        assert.strictEqual(yield* pages, 1000)
      })
      yield* Effect.provide(steps, client(":memory:"))
      yield* Effect.provide(steps, client(newFile(), "libsql"))
      const few = Effect.flatMap(fill(999), ({ step }) => step)
      assert.strictEqual(yield* Effect.provide(few, client(newFile())), 999)
      assert.strictEqual(started.length, 0)
    })
  )

  it.effect("removes the rows, and leaves the log to statements, where no thread starts or one crashes", () =>
    Effect.gen(function* () {
      const crash = Effect.promise(() => Promise.resolve(started.at(-1)?.terminate()))
      for (const module of [undefined, {}, { Worker: () => assert.fail("no threads") }, { Worker: CountedWorker }]) {
        serve(module)
        yield* Effect.gen(function* () {
          const { pages, step } = yield* fill(4500)
          assert.strictEqual(yield* step, 1000)
          yield* crash
          for (const gone of [1000, 1000, 1000, 500]) assert.strictEqual(yield* step, gone)
          assert.strictEqual(yield* pages, 1000)
        }).pipe(Effect.provide(client(newFile())))
      }
      assert.strictEqual(started.length, 1)
    })
  )

  it.effect("makes no file in the place of one that is gone", () => {
    const filename = newFile()
    return Effect.gen(function* () {
      const { step } = yield* fill(3500)
      yield* Effect.promise(() => rm(filename))
      assert.deepStrictEqual([yield* step, yield* step, yield* step], [1000, 1000, 1000])
      assert.isFalse(existsSync(filename))
    }).pipe(Effect.provide(client(filename)))
  })

  it.effect("ends its thread with the client, which no step outlives", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const services = yield* Layer.buildWithScope(client(newFile()), scope)
      const { step } = yield* Effect.provideContext(fill(4500), services)
      yield* step
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual([started.length, ended.length], [1, 1])
      assert.strictEqual((yield* Effect.flip(step))._tag, "AdapterError")
    })
  )
})
