/**
 * A process that signs a user in or out, or refreshes a token of a provider, and dies on the way, right after the statement of the
 * given number; for `Crash.ts`.
 *
 *     node CrashChild.ts <sqlite|postgres> <file or URL> <migrate|sign-in|sign-out|refresh> <number of the last statement> \
 *       [token endpoint]
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { make as makeClient, SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Sql from "../../src/Sql.ts"
import { clientOf } from "../../src/sql/Sqlite.ts"
import { find } from "../../src/sql/SqliteBinding.ts"
import { random } from "./Engine.ts"
import { refreshed, signedInRequest, siteOn } from "./CrashSite.ts"
import { signIn } from "./SignInUnit.ts"

const [engine, place = "", task, last = "0", token = ""] = process.argv.slice(2)
const end = Number(last)
const state = { counting: false, statements: 0 }

/** Counts a statement that has run, and ends the process where it is told to: nothing runs after that. */
const count = () => {
  if (!state.counting) return
  state.statements += 1
  if (state.statements === end) process.kill(process.pid, "SIGKILL")
}

const counted = <A>(effect: Effect.Effect<A, SqlError>) => Effect.tap(effect, () => Effect.sync(count))

const countedConnection = (connection: Connection): Connection => ({
  execute: (...args) => counted(connection.execute(...args)),
  executeRaw: (...args) => counted(connection.executeRaw(...args)),
  executeStream: (...args) => connection.executeStream(...args),
  executeValues: (...args) => counted(connection.executeValues(...args)),
  executeValuesUnprepared: (...args) => counted(connection.executeValuesUnprepared(...args)),
  executeUnprepared: (...args) => counted(connection.executeUnprepared(...args))
})

const postgres = Effect.gen(function* () {
  const client = yield* PgClient.make({ url: Redacted.make(place), maxConnections: 1 })
  const acquirer = Effect.map(client.reserve, countedConnection)
  return yield* makeClient({
    acquirer,
    transactionAcquirer: acquirer,
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: []
  })
})

const sqlite = Effect.gen(function* () {
  const database = (yield* find()).open(place)
  for (const pragma of ["busy_timeout = 5000", "journal_mode = WAL", "foreign_keys = ON"]) {
    database.all(`PRAGMA ${pragma}`, [])
  }
  return yield* clientOf(
    {
      ...database,
      all: (statement, parameters) => {
        const rows = database.all(statement, parameters)
        count()
        return rows
      }
    },
    "sqlite"
  )
})

const program = Effect.gen(function* () {
  state.counting = task === "migrate"
  const store = yield* Sql.make({ migrate: task === "migrate" })
  state.counting = true
  if (task === "sign-in") yield* signIn(store, "first")
  if (task === "sign-out") yield* Effect.promise(() => siteOn(store).signOut(signedInRequest))
  // A refusal is an answer as well: the parent looks at what is left.
  if (task === "refresh") yield* Effect.promise(() => refreshed(store, token))
  return state.statements
})

const client: Effect.Effect<SqlClient, unknown, Reactivity.Reactivity | Scope.Scope> =
  engine === "postgres" ? postgres : sqlite
const layer = Layer.provide(Layer.effect(SqlClient, client), Reactivity.layer)

process.stdout.write(`${await Effect.runPromise(Effect.provide(program, Layer.merge(layer, random)))}\n`)
process.exit(0)
