/**
 * A process that asks shared state in a database 16 times at once for each operation, and says what it was answered; for
 * `StateLaws.ts`. It says `ready` first, and begins when its standard input ends.
 *
 *     node StateChild.ts <sqlite|postgres|redis> <file, URL or socket>
 */
import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { once as eventOf } from "node:events"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { spendGuess } from "../../src/signin/Limits.ts"
import { SharedState } from "../../src/SharedState.ts"
import * as Redis from "../../src/Redis.ts"
import * as Sql from "../../src/Sql.ts"
import * as Postgres from "../../src/sql/Postgres.ts"
import * as Sqlite from "../../src/sql/Sqlite.ts"

export interface Answers {
  readonly first: number
  readonly allowed: number
  readonly guessed: number
  readonly held: number
  readonly failures: number
}

const [, , engine = "", place = ""] = process.argv
const inSql = (client: Layer.Layer<SqlClient, unknown>) => Layer.provide(Sql.layerSharedState({ sweep: false }), client)
const state = {
  sqlite: () => inSql(Sqlite.layer({ filename: place })),
  postgres: () => inSql(Postgres.layer({ url: place, maxConnections: 4 })),
  redis: () => Layer.provide(Redis.layerSharedState(), NodeRedis.layer({ socket: { path: place, tls: false } }))
}
if (!(engine in state)) throw new Error("which engine?")

const crowd = <A, E>(call: Effect.Effect<A, E>) =>
  Effect.all(
    Array.from({ length: 16 }, () => Effect.exit(call)),
    { concurrency: "unbounded" }
  )

const site = { basePath: "/auth", secrets: [Redacted.make("0123456789abcdef0123456789abcdef")] }

const program = Effect.gen(function* () {
  const { lease, limit, once } = yield* SharedState
  yield* Effect.sync(() => process.stdout.write("ready\n"))
  yield* Effect.promise(() => eventOf(process.stdin.resume(), "end"))
  const uses = yield* crowd(once("processes", "one", "1 minute"))
  const attempts = yield* crowd(limit({ purpose: "processes", limit: 5, window: "1 minute" }, "one"))
  const guesses = yield* crowd(spendGuess(site, ["ann", "bob"], undefined))
  const leases = yield* crowd(lease("processes", "one", "1 minute"))
  const answers: Answers = {
    first: uses.filter((exit) => Exit.isSuccess(exit) && exit.value).length,
    allowed: attempts.filter((exit) => Exit.isSuccess(exit) && exit.value.isAllowed).length,
    guessed: guesses.filter(({ _tag }) => _tag === "Success").length,
    held: leases.filter((exit) => Exit.isSuccess(exit) && Option.isSome(exit.value)).length,
    failures: [...uses, ...attempts, ...leases].filter(({ _tag }) => _tag === "Failure").length
  }
  yield* Effect.sync(() => process.stdout.write(JSON.stringify(answers)))
})

await Effect.runPromise(program.pipe(Effect.provide(state[engine as keyof typeof state]())))
