import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { AdapterError, InvalidConfiguration } from "../../src/Errors.ts"
import * as Sqlite from "../../src/sql/Sqlite.ts"
import { find, sources } from "../../src/sql/SqliteBinding.ts"
import { expectations, races, transactions } from "./Behaviour.ts"
import { crashes } from "./Crash.ts"
import { account, ada, type Engine, later, using } from "./Engine.ts"
import { endings, tables, tokens, versions } from "./Keeping.ts"
import { lawful } from "./Laws.ts"
import { openSqlite } from "./OpenStore.ts"
import { processes, states } from "./StateLaws.ts"

const hasNode = process.getBuiltinModule("node:sqlite") !== undefined
const bindings = hasNode ? (["node:sqlite", "libsql"] as const) : (["libsql"] as const)

for (const binding of bindings) {
  const engine: Engine = { name: binding, empty: Sqlite.layer({ filename: ":memory:", binding }) }
  describe(`SQLite by ${binding}`, () => {
    expectations(engine)
    races(engine)
    transactions(engine)
    tokens(engine)
    tables(engine)
    endings(engine)
    versions(engine)
    lawful(engine)
    states(engine)
  })
}

describe("A SQLite client", () => {
  for (const binding of bindings) {
    it.effect(`answers rows, values and streams by ${binding}`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const statement = sql`SELECT ${1} AS a, ${true} AS b, ${new Uint8Array([1, 2])} AS c, ${null} AS d`
        const [row] = yield* statement
        assert.deepInclude({ ...row }, { a: 1, b: 1, d: null })
        assert.deepStrictEqual(new Uint8Array(row?.["c"] as Uint8Array), new Uint8Array([1, 2]))
        assert.deepStrictEqual(
          (yield* statement.values).map((values) => values.length),
          [4]
        )
        assert.deepStrictEqual((yield* sql`SELECT 1 AS a`.unprepared).length, 1)
        const numbers = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250) SELECT i FROM n`
        assert.strictEqual((yield* Stream.runCollect(numbers.stream)).length, 250)
        assert.strictEqual((yield* numbers).length, 250)
        for (let index = 0; index < 300; index++) yield* sql.unsafe(`SELECT ${index}`)
        const failure = yield* Effect.flip(sql`SELECT nothing`)
        assert.strictEqual(failure._tag, "SqlError")
      }).pipe(Effect.provide(Sqlite.layer({ filename: ":memory:", binding })))
    )
  }
})

describe("SQLite in a file", () => {
  let directory = ""
  let files = 0
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "doorman-sqlite-"))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))
  const newFile = () => join(directory, `${++files}.db`)
  const run = Effect.runPromise

  crashes(async () => {
    const place = newFile()
    return {
      engine: "sqlite",
      place,
      use: (program, options) => Effect.runPromise(using(program, options, Sqlite.layer({ filename: place })))
    }
  })

  processes("sqlite", () => Promise.resolve(newFile()))

  it("opens for code without Effect, keeps what it was given, and closes", async () => {
    for (const binding of bindings) {
      const filename = newFile()
      const first = await openSqlite({ filename, binding })
      const user = await run(first.adapter.createUser(ada))
      await run(first.adapter.linkAccount(account(user)))
      await first.close()
      await first.close()
      // libsql lets go of the file when its statements are collected.
      if (binding === "node:sqlite") assert.isFalse(existsSync(`${filename}-wal`))
      for (const other of bindings) {
        const second = await openSqlite({ filename, binding: other, synchronous: "full", sweep: false })
        assert.strictEqual((await run(second.adapter.getUser(user.id))).pipe(Option.isSome), true)
        await second.close()
      }
    }
  })

  it("lets several instances use one file, and waits for a writer", async () => {
    for (const binding of bindings) {
      const filename = newFile()
      const stores = await Promise.all([1, 2, 3].map(() => openSqlite({ filename, binding })))
      const [first, second, third] = stores.map(({ adapter }) => adapter)
      if (first === undefined || second === undefined || third === undefined) return
      const user = await run(first.createUser(ada))
      const session = { sessionToken: "t", userId: user.id, expires: later }
      await run(second.createSession(session))
      assert.isTrue(Option.isSome(await run(third.getSessionAndUser("t"))))
      const winners = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          run(Effect.exit((stores[index % 3]?.adapter ?? first).useOnce("key", new Date(8.64e15))))
        )
      )
      assert.strictEqual(winners.filter((exit) => exit._tag === "Success" && exit.value).length, 1)
      await Promise.all(stores.map(({ close }) => close()))
    }
  })

  it("says that another writer did not end in time", async () => {
    for (const binding of bindings) {
      const filename = newFile()
      const writer = await openSqlite({ filename, binding })
      const waiter = await openSqlite({ filename, binding, busyTimeout: 1 })
      const failure = await run(writer.adapter.transaction(Effect.flip(waiter.adapter.createUser(ada))))
      assert.deepStrictEqual([failure.reason, failure.retryable, failure.method], ["timeout", true, "createUser"])
      const unit = await run(
        writer.adapter.transaction(Effect.flip(waiter.adapter.transaction(waiter.adapter.createUser(ada))))
      )
      assert.deepStrictEqual([unit.reason, unit.method], ["timeout", "transaction"])
      assert.isTrue(Option.isNone(await run(waiter.adapter.getUserByEmail("ada@example.com"))))
      await run(waiter.adapter.createUser(ada))
      await Promise.all([writer.close(), waiter.close()])
    }
  })

  it("rejects with a failure of the library when the file cannot be opened", async () => {
    for (const binding of bindings) {
      const refused = await openSqlite({ filename: join(directory, "none", "such.db"), binding }).catch(
        (error: unknown) => error
      )
      assert.isTrue(refused instanceof AdapterError && refused.reason === "unavailable", binding)
    }
  })

  it.gen("names both libraries where there is neither", function* () {
    const none = sources.map(([name]) => [name, Effect.succeed(undefined)] as const)
    const failure = yield* Effect.flip(find(undefined, none))
    assert.isTrue(failure instanceof InvalidConfiguration)
    assert.match(failure.message, /Node\.js 22\.13.*node:sqlite.*libsql/)
    assert.match((yield* Effect.flip(find("libsql", none))).message, /^There is no libsql here/)
    assert.strictEqual((yield* find()).name, hasNode ? "node:sqlite" : "libsql")
    assert.strictEqual((yield* find("libsql")).name, "libsql")
  })
})
