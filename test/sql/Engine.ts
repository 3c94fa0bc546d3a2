/**
 * Shared parts of the tests of SQL storage: an engine makes empty databases, and a database is opened as storage.
 */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { asUserId } from "../../src/models/Id.ts"
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from "../../src/Models.ts"
import * as Sql from "../../src/Sql.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"

export interface Engine {
  readonly name: string
  /** A client of an empty database; each build of it has a database of its own. */
  readonly empty: Layer.Layer<SqlClient, unknown>
}

export const random = Layer.sync(SecureRandom.SecureRandom, () => SecureRandom.make(SecureRandom.randomBytesUnsafe))

/** Runs a program with an adapter on a database. */
export const using = <A, E, X>(
  program: (store: AdapterShape, sql: SqlClient) => Effect.Effect<A, E, SqlClient | SecureRandom.SecureRandom>,
  options: Sql.Options | undefined,
  client: Layer.Layer<SqlClient, X>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    return yield* program(yield* Sql.make(options), sql)
  }).pipe(Effect.provide(Layer.mergeAll(client, random)))

/** Runs a test with an adapter on an empty database. */
export const withStore = <A, E>(
  engine: Engine,
  options: Sql.Options,
  test: (store: AdapterShape, sql: SqlClient) => Effect.Effect<A, E, SqlClient | SecureRandom.SecureRandom>
) => using(test, options, Layer.fresh(engine.empty))

/** The engine for `it.gen`. */
export const inStore = (engine: Engine, options: Sql.Options = {}) => ({
  use: <A, E>(test: (store: AdapterShape) => Effect.Effect<A, E, SqlClient | SecureRandom.SecureRandom>) =>
    withStore(engine, options, test)
})

/** A time, in milliseconds since 1970. */
export const at = (millis: number): Date => new Date(millis)

export const later = new Date(86_400_000)

export const ada = { id: asUserId("ada"), email: "ada@example.com", emailVerified: null, name: "Ada" } as const

export const account = (user: Pick<AdapterUser, "id">, id = "1"): AdapterAccount => ({
  userId: user.id,
  type: "oidc",
  provider: "idp",
  providerAccountId: id
})

export const key = (user: Pick<AdapterUser, "id">, credentialID = "AQID"): AdapterAuthenticator => ({
  userId: user.id,
  credentialID,
  providerAccountId: credentialID,
  credentialPublicKey: "cHVibGlj",
  counter: 0,
  credentialDeviceType: "multiDevice",
  credentialBackedUp: true,
  transports: "internal,hybrid"
})

/** The value, where a test goes on only with one. */
export const some = <A, E, R>(effect: Effect.Effect<Option.Option<A>, E, R>): Effect.Effect<A, unknown, R> =>
  Effect.flatMap(effect, (found) => (Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail("nothing found")))

/** Every value of every row of every table, as one text. */
export const dump = Effect.fnUntraced(function* (
  sql: SqlClient,
  tables: ReadonlyArray<string> = [
    "users",
    "accounts",
    "sessions",
    "verification_token",
    "authenticators",
    "doorman_used_keys"
  ]
) {
  let text = ""
  for (const table of tables) {
    for (const row of yield* sql`SELECT * FROM ${sql(table)}`)
      text += `${table}: ${Object.values(row).map(String).join("|")}\n`
  }
  return text
})
