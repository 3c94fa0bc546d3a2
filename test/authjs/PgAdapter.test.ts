/**
 * The published adapter for PostgreSQL under the laws, with numbers for ids and a pool of connections.
 */
import PostgresAdapter from "@auth/pg-adapter"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import pg from "pg"
import { fromPromises } from "../../src/Adapter.ts"
import { furtherMethods } from "../storage/FurtherMethods.ts"
import * as AdapterLaws from "../../src/testing/AdapterLaws.ts"
import { isPostgresHere, type PostgresServer, startPostgres } from "../sql/PostgresServer.ts"

/** The tables of an Auth.js application, with keys: the database decides between two callers. */
const tables = [
  `create table users (id serial primary key, name varchar(255), email varchar(255) unique,
    "emailVerified" timestamptz, image text)`,
  `create table accounts (id serial primary key, "userId" integer not null references users(id) on delete cascade,
    type varchar(255) not null, provider varchar(255) not null, "providerAccountId" varchar(255) not null,
    refresh_token text, access_token text, expires_at bigint, id_token text, scope text, session_state text,
    token_type text, unique (provider, "providerAccountId"))`,
  `create table sessions (id serial primary key, "userId" integer not null references users(id) on delete cascade,
    expires timestamptz not null, "sessionToken" varchar(255) not null unique)`,
  `create table verification_token (identifier text not null, expires timestamptz not null, token text not null,
    primary key (identifier, token))`
]

/**
 * Not checked: updateUser of the adapter writes the whole row after reading it, so what becomes of two changes at once is
 * left to chance.
 */
const leftToChance = "changes of different members are all kept"

describe.skipIf(!isPostgresHere)("Laws of storage over promises", () => {
  let server: PostgresServer | undefined
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())

  it.gen("H238, H241, H248 @auth/pg-adapter", function* () {
    const url = yield* Effect.promise(() => server?.database() ?? Promise.reject(new Error("there is no server")))
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new pg.Pool({ connectionString: url, max: 8 })),
      (open) => Effect.promise(() => open.end())
    )
    for (const statement of tables) yield* Effect.promise(() => pool.query(statement))
    const laws = AdapterLaws.laws.filter((law) => law.name !== leftToChance)
    assert.lengthOf(laws, AdapterLaws.laws.length - 1)
    const findings = yield* AdapterLaws.check(fromPromises(PostgresAdapter(pool)), { laws })
    assert.isFalse(
      findings.some(({ outcome }) => outcome._tag === "broken"),
      AdapterLaws.format(findings)
    )
    const absent = new Set(findings.flatMap(({ outcome }) => (outcome._tag === "skipped" ? outcome.missing : [])))
    for (const method of furtherMethods) absent.delete(method)
    const passkeys = [
      "createAuthenticator",
      "getAccount",
      "getAuthenticator",
      "listAuthenticatorsByUserId",
      "updateAuthenticatorCounter"
    ]
    assert.deepStrictEqual([...absent].sort(), passkeys)
  })
})
