/**
 * A database that an Auth.js application filled, through the published adapter, goes on working; and the other way round.
 */
import PostgresAdapter from "@auth/pg-adapter"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import pg, { type Pool } from "pg"
import { asUserId } from "../../src/models/Id.ts"
import * as Sql from "../../src/Sql.ts"
import * as Postgres from "../../src/sql/Postgres.ts"
import { account, at, key, random, some } from "./Engine.ts"

/** The tables of an Auth.js application, as its documentation gives them. */
const authJsTables = [
  `CREATE TABLE verification_token (
    identifier TEXT NOT NULL, expires TIMESTAMPTZ NOT NULL, token TEXT NOT NULL, PRIMARY KEY (identifier, token))`,
  `CREATE TABLE accounts (
    id SERIAL, "userId" INTEGER NOT NULL, type VARCHAR(255) NOT NULL, provider VARCHAR(255) NOT NULL,
    "providerAccountId" VARCHAR(255) NOT NULL, refresh_token TEXT, access_token TEXT, expires_at BIGINT, id_token TEXT,
    scope TEXT, session_state TEXT, token_type TEXT, PRIMARY KEY (id))`,
  `CREATE TABLE sessions (
    id SERIAL, "userId" INTEGER NOT NULL, expires TIMESTAMPTZ NOT NULL, "sessionToken" VARCHAR(255) NOT NULL,
    PRIMARY KEY (id))`,
  `CREATE TABLE users (
    id SERIAL, name VARCHAR(255), email VARCHAR(255), "emailVerified" TIMESTAMPTZ, image TEXT, PRIMARY KEY (id))`
]

type Theirs = Required<ReturnType<typeof PostgresAdapter>>

/** Methods of the published adapter that it does not have make the test fail. */
const theirsOf = (pool: Pool): Theirs => PostgresAdapter(pool) as Theirs

const withDatabase = (
  database: Effect.Effect<string>,
  test: (theirs: Theirs, pool: Pool) => Effect.Effect<void, unknown, SqlClient | Layer.Success<typeof random>>,
  statements: ReadonlyArray<string> = authJsTables
) =>
  Effect.gen(function* () {
    const url = yield* database
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new pg.Pool({ connectionString: url, max: 2 })),
      (open) => Effect.promise(() => open.end())
    )
    for (const statement of statements) yield* Effect.promise(() => pool.query(statement))
    yield* Effect.provide(test(theirsOf(pool), pool), Layer.mergeAll(Postgres.layer({ url }), random))
  }).pipe(Effect.scoped)

const soon = new Date("2100-01-01T00:00:00.123Z")

export const takingOver = (database: Effect.Effect<string>): void => {
  it.effect("takes over what Auth.js stored, and leaves it readable for Auth.js", () =>
    withDatabase(database, (theirs) =>
      Effect.gen(function* () {
        const ada = yield* Effect.promise(() =>
          Promise.resolve(
            theirs.createUser({ id: "", name: "Ada", email: "ada@example.com", emailVerified: soon, image: null })
          )
        )
        const id = String(ada.id)
        yield* Effect.promise(async () => {
          await theirs.linkAccount({
            provider: "idp",
            providerAccountId: "1",
            type: "oidc",
            userId: id,
            access_token: "access",
            expires_at: 4_102_444_800,
            token_type: "Bearer" as "bearer"
          })
          await theirs.createSession({ sessionToken: "their session", userId: id, expires: soon })
          await theirs.createVerificationToken({ identifier: "ada@example.com", token: "their link", expires: soon })
        })

        const ours = yield* Sql.make({ hashTokens: false })
        assert.deepStrictEqual(yield* Sql.migrate(), [])
        const user = { id: asUserId(id), name: "Ada", email: "ada@example.com", emailVerified: soon, image: null }
        assert.deepStrictEqual(yield* some(ours.getUser(asUserId(id))), user)
        assert.deepStrictEqual(yield* some(ours.getUserByEmail("ada@example.com")), user)
        assert.deepStrictEqual(yield* some(ours.getUserByAccount({ provider: "idp", providerAccountId: "1" })), user)
        assert.deepStrictEqual(yield* some(ours.getAccount("1", "idp")), {
          ...account({ id: asUserId(id) }),
          access_token: "access",
          expires_at: 4_102_444_800,
          token_type: "bearer"
        })
        assert.deepStrictEqual(yield* some(ours.getSessionAndUser("their session")), {
          session: { sessionToken: "their session", userId: asUserId(id), expires: soon },
          user
        })
        const link = { identifier: "ada@example.com", token: "their link", expires: soon }
        assert.deepStrictEqual(yield* some(ours.useVerificationToken(link)), link)
        assert.isNull(yield* Effect.promise(() => Promise.resolve(theirs.useVerificationToken(link))))

        const bob = yield* ours.createUser({
          id: asUserId("x"),
          email: "bob@example.com",
          emailVerified: null,
          name: "Bob"
        })
        yield* ours.linkAccount({ ...account(bob, "2"), refresh_token: "refresh", expires_at: 7 })
        yield* ours.createSession({ sessionToken: "our session", userId: bob.id, expires: soon })
        yield* ours.createVerificationToken({ identifier: "bob@example.com", token: "our link", expires: soon })
        yield* ours.createAuthenticator(key(bob))
        yield* Effect.promise(async () => {
          assert.strictEqual(String((await theirs.getUserByEmail("bob@example.com"))?.id), bob.id)
          assert.strictEqual((await theirs.getUserByAccount({ provider: "idp", providerAccountId: "2" }))?.name, "Bob")
          const found = await theirs.getSessionAndUser("our session")
          assert.deepStrictEqual(found?.session.expires, soon)
          assert.strictEqual(found?.user.email, "bob@example.com")
          await theirs.updateSession({ sessionToken: "our session", expires: at(soon.getTime() + 1000) })
          const used = await theirs.useVerificationToken({ identifier: "bob@example.com", token: "our link" })
          assert.deepStrictEqual(used?.expires, soon)
          const carol = await theirs.createUser({ id: "", name: null, email: "carol@example.com", emailVerified: null })
          assert.isAbove(Number(carol.id), Number(bob.id))
        })
        assert.strictEqual(
          (yield* some(ours.getSessionAndUser("our session"))).session.expires.getTime(),
          soon.getTime() + 1000
        )
        yield* Effect.promise(() => Promise.resolve(theirs.deleteUser(bob.id)))
        assert.isTrue(Option.isNone(yield* ours.getSessionAndUser("our session")))
        assert.deepStrictEqual(yield* ours.listAuthenticatorsByUserId(bob.id), [])
        yield* ours.deleteUser(asUserId(id))
        assert.isNull(yield* Effect.promise(() => Promise.resolve(theirs.getSessionAndUser("their session"))))
      })
    )
  )

  it.effect("hashes new tokens of a database that was taken over", () =>
    withDatabase(database, (theirs, pool) =>
      Effect.gen(function* () {
        const ada = yield* Effect.promise(() =>
          Promise.resolve(theirs.createUser({ id: "", email: "ada@example.com", emailVerified: null }))
        )
        const id = String(ada.id)
        yield* Effect.promise(() =>
          Promise.resolve(theirs.createSession({ sessionToken: "before", userId: id, expires: soon }))
        )
        const ours = yield* Sql.make()
        yield* ours.createSession({ sessionToken: "after", userId: asUserId(id), expires: soon })
        assert.isTrue(Option.isSome(yield* ours.getSessionAndUser("before")))
        assert.isTrue(Option.isSome(yield* ours.getSessionAndUser("after")))
        const { rows } = yield* Effect.promise(() => pool.query(`SELECT "sessionToken" FROM sessions ORDER BY id`))
        assert.strictEqual(rows[0]?.["sessionToken"], "before")
        assert.match(String(rows[1]?.["sessionToken"]), /^sha256:[\w-]{43}$/)
      })
    )
  )

  it.effect("adds the indexes and references that are missing, once", () =>
    withDatabase(
      database,
      (_, pool) =>
        Effect.gen(function* () {
          const added = Effect.promise(async () => {
            const indexes = await pool.query(
              `SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND indexdef LIKE 'CREATE UNIQUE%'
                AND tablename IN ('users', 'accounts', 'sessions', 'verification_token') ORDER BY 1`
            )
            const references = await pool.query(
              `SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 1`
            )
            return [...indexes.rows, ...references.rows].map(({ name }) => name)
          })
          const done = yield* Effect.all(
            Array.from({ length: 6 }, () => Sql.migrate()),
            { concurrency: "unbounded" }
          )
          assert.sameMembers(done.flat(), ["take_over", "details", "shared_state_create"])
          assert.deepStrictEqual(yield* added, [
            "accounts_pkey",
            "doorman_accounts_provider_providerAccountId_unique",
            "doorman_sessions_sessionToken_unique",
            "own_email",
            "sessions_pkey",
            "users_pkey",
            "verification_token_pkey",
            "authenticators_userId_fkey",
            "doorman_accounts_userId_reference",
            "doorman_sessions_userId_reference"
          ])
        }),
      [
        ...authJsTables,
        `CREATE UNIQUE INDEX own_email ON users (email)`,
        `INSERT INTO sessions ("userId", expires, "sessionToken") VALUES (99, now(), 'of nobody')`
      ]
    )
  )

  it.effect("takes over tables whose ids are UUIDs of the database", () =>
    withDatabase(
      database,
      () =>
        Effect.gen(function* () {
          const ours = yield* Sql.make({ takeOver: true })
          const user = yield* ours.createUser({ id: asUserId("x"), email: "ada@example.com", emailVerified: null })
          assert.match(user.id, /^[0-9a-f-]{36}$/)
          yield* ours.linkAccount(account(user))
          yield* ours.createSession({ sessionToken: "t", userId: user.id, expires: soon })
          yield* ours.createAuthenticator(key(user))
          assert.deepStrictEqual((yield* some(ours.getSessionAndUser("t"))).user, user)
          assert.isTrue(Option.isNone(yield* ours.getUser(asUserId("x"))))
          assert.isTrue(Option.isNone(yield* ours.getUser(asUserId(user.id.toUpperCase()))))
        }),
      authJsTables.map((statement) =>
        statement
          .replace("id SERIAL", "id UUID NOT NULL DEFAULT gen_random_uuid()")
          .replace(`"userId" INTEGER`, `"userId" UUID`)
      )
    )
  )

  it.effect("says that the connection broke within a unit", () =>
    withDatabase(
      database,
      (_, pool) =>
        Effect.gen(function* () {
          const ours = yield* Sql.make()
          const sql = yield* SqlClient
          const failure = yield* Effect.flip(
            ours.transaction(
              Effect.gen(function* () {
                yield* ours.createUser({ id: asUserId("x"), email: "ada@example.com", emailVerified: null })
                const [row] = yield* sql`SELECT pg_backend_pid() AS pid`
                yield* Effect.promise(() => pool.query("SELECT pg_terminate_backend($1, 5000)", [row?.["pid"]]))
                return yield* ours.createUser({ id: asUserId("x"), email: "bob@example.com", emailVerified: null })
              })
            )
          )
          assert.strictEqual(failure._tag, "AdapterError")
          if (failure._tag !== "AdapterError") return
          assert.deepStrictEqual([failure.reason, failure.retryable], ["unavailable", true])
          assert.isTrue(Option.isNone(yield* ours.getUserByEmail("ada@example.com")))
        }),
      []
    )
  )
}
