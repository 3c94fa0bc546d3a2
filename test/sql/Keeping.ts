/**
 * How SQL storage keeps what it is given, whichever the engine: tokens at rest, names, ids, migrations, the end of rows.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import { asSessionId, asUserId } from "../../src/models/Id.ts"
import { Adapter } from "../../src/Adapter.ts"

import * as Sql from "../../src/Sql.ts"
import { sessionIdOf } from "../../src/storage/Details.ts"
import { account, ada, at, dump, type Engine, key, later, random, some, withStore } from "./Engine.ts"

const secret = "first-secret-0123456789-abcdefghij"
const newer = "newer-secret-9876543210-jihgfedcba"

/** Tokens. */
export const tokens = (engine: Engine): void => {
  it.effect("H065 holds no token that a reader of the database could use", () =>
    withStore(engine, { encryptTokens: { secret: Redacted.make(secret) } }, (store, sql) =>
      Effect.gen(function* () {
        const user = yield* store.createUser(ada)
        yield* store.createSession({ sessionToken: "canary-session", userId: user.id, expires: later })
        yield* store.createVerificationToken({ identifier: "ada@example.com", token: "canary-link", expires: later })
        yield* store.useOnce("canary-key", later)
        yield* store.linkAccount({
          ...account(user),
          access_token: "canary-access",
          refresh_token: "canary-refresh",
          id_token: "canary-id"
        })
        const text = yield* dump(sql)
        assert.notInclude(text, "canary")
        assert.include(text, "ada@example.com")
        const [, stored = ""] = /(sha256:[\w-]{43})/.exec(yield* dump(sql, ["sessions"])) ?? []
        assert.isTrue(Option.isNone(yield* store.getSessionAndUser(stored)))
        assert.isTrue(Option.isNone(yield* store.deleteSession(stored)))
        assert.strictEqual(
          (yield* Effect.flip(store.createSession({ sessionToken: stored, userId: user.id, expires: later }))).reason,
          "invalid"
        )
        assert.isTrue(Option.isSome(yield* store.getSessionAndUser("canary-session")))
        const opened = yield* some(store.getAccount("1", "idp"))
        assert.deepStrictEqual(
          [opened.access_token, opened.refresh_token, opened.id_token],
          ["canary-access", "canary-refresh", "canary-id"]
        )
        assert.deepStrictEqual(yield* store.listAccounts(user.id), [opened])
      })
    )
  )

  it.effect("finds the sessions and links of before after hashing was switched", () =>
    withStore(engine, { hashTokens: false }, (plain, sql) =>
      Effect.gen(function* () {
        const hashed = yield* Sql.make({ hashTokens: true })
        const user = yield* plain.createUser(ada)
        for (const [store, name] of [
          [plain, "plain"],
          [hashed, "hashed"]
        ] as const) {
          yield* store.createSession({ sessionToken: name, userId: user.id, expires: later })
          yield* store.createVerificationToken({ identifier: name, token: name, expires: later })
        }
        const text = yield* dump(sql, ["sessions"])
        assert.include(text, "plain")
        assert.notInclude(text, "hashed")
        for (const [store, name] of [
          [plain, "hashed"],
          [hashed, "plain"]
        ] as const) {
          assert.strictEqual((yield* some(store.getSessionAndUser(name))).session.sessionToken, name)
          assert.isTrue(Option.isSome(yield* store.useVerificationToken({ identifier: name, token: name })))
        }
        yield* hashed.deleteSessions(user.id, "plain")
        assert.isTrue(Option.isSome(yield* hashed.getSessionAndUser("plain")))
      })
    )
  )

  it.effect("signs no client in that has the id of a session, hashed or not", () =>
    withStore(engine, { hashTokens: false }, (plain, sql) =>
      Effect.gen(function* () {
        const hashed = yield* Sql.make({ hashTokens: true })
        const user = yield* plain.createUser(ada)
        yield* plain.createSession({ sessionToken: "plain", userId: user.id, expires: later })
        yield* hashed.createSession({ sessionToken: "hashed", userId: user.id, expires: later })
        const ids = ["plain", "hashed"].map(sessionIdOf).sort()
        for (const store of [plain, hashed]) {
          const sessions = yield* store.listSessions(user.id)
          assert.deepStrictEqual(sessions.map(({ id }) => id).sort(), ids)
          for (const { id } of sessions) {
            for (const sessionToken of [id, `sha256:${id}`, `SHA256:${id}`]) {
              assert.isTrue(Option.isNone(yield* store.getSessionAndUser(sessionToken)))
              assert.isTrue(Option.isNone(yield* store.updateSession({ sessionToken, expires: at(1) })))
              assert.isTrue(Option.isNone(yield* store.deleteSession(sessionToken)))
              assert.isFalse(
                yield* store.endSession(user.id, asSessionId(sessionToken === id ? `sha256:${id}` : sessionToken))
              )
            }
          }
          const text = yield* dump(sql, ["sessions"])
          assert.include(text, `sha256:${sessionIdOf("hashed")}`)
          assert.include(text, "|plain")
        }
        assert.isTrue(yield* hashed.endSession(user.id, sessionIdOf("plain")))
        assert.isTrue(yield* plain.endSession(user.id, sessionIdOf("hashed")))
        assert.deepStrictEqual(yield* plain.listSessions(user.id), [])
      })
    )
  )

  it.effect("encrypts with no secret that protects nothing", () =>
    withStore(engine, {}, () =>
      Effect.gen(function* () {
        for (const weak of ["short", "", [], [secret, "a".repeat(40)], Redacted.make("")]) {
          const failure = yield* Effect.flip(Sql.make({ encryptTokens: { secret: weak } }))
          assert.strictEqual(failure._tag, "WeakSecret")
          assert.match(failure.message, /^encryptTokens\.secret: /)
        }
      })
    )
  )

  it.effect("opens the tokens of providers with every secret that is still listed", () =>
    withStore(engine, {}, (clear, sql) =>
      Effect.gen(function* () {
        const user = yield* clear.createUser(ada)
        const first = yield* Sql.make({ encryptTokens: { secret } })
        const rotated = yield* Sql.make({ encryptTokens: { secret: [Redacted.make(newer), secret] } })
        const forgetful = yield* Sql.make({ encryptTokens: { secret: newer } })
        yield* clear.linkAccount({ ...account(user, "clear"), access_token: "of clear" })
        const posing = { ...account(user, "posing"), access_token: "jwe:of nobody" }
        assert.strictEqual((yield* Effect.flip(clear.linkAccount(posing))).reason, "invalid")
        yield* first.linkAccount(posing)
        assert.strictEqual((yield* some(first.getAccount("posing", "idp"))).access_token, "jwe:of nobody")
        yield* first.linkAccount({ ...account(user, "first"), access_token: "of first" })
        yield* rotated.linkAccount({ ...account(user, "rotated"), access_token: "of rotated" })
        for (const name of ["clear", "first", "rotated"]) {
          assert.strictEqual((yield* some(rotated.getAccount(name, "idp"))).access_token, `of ${name}`)
        }
        assert.strictEqual((yield* some(forgetful.getAccount("rotated", "idp"))).access_token, "of rotated")
        for (const store of [forgetful, clear]) {
          const failure = yield* Effect.flip(store.getAccount("first", "idp"))
          assert.deepStrictEqual([failure.reason, failure.retryable], ["invalid", false])
        }
        yield* sql`UPDATE accounts SET access_token = (SELECT access_token FROM accounts WHERE ${sql("providerAccountId")} = 'first')
          WHERE ${sql("providerAccountId")} = 'rotated'`
        assert.strictEqual((yield* Effect.flip(rotated.getAccount("rotated", "idp"))).reason, "invalid")
        yield* sql`UPDATE accounts SET refresh_token = access_token, access_token = NULL WHERE ${sql("providerAccountId")} = 'first'`
        assert.strictEqual((yield* Effect.flip(rotated.getAccount("first", "idp"))).reason, "invalid")
      })
    )
  )
}

/** Tables. */
export const tables = (engine: Engine): void => {
  it.effect("makes its tables once, however many instances start", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const done = yield* Effect.all(
        Array.from({ length: 8 }, () => Sql.migrate()),
        { concurrency: "unbounded" }
      )
      assert.sameMembers(done.flat(), ["create", "details", "shared_state_create"])
      assert.deepStrictEqual(yield* Sql.migrate(), [])
      const store = yield* Sql.make({ migrate: false })
      yield* store.createUser(ada)
      assert.include(yield* dump(sql), "ada@example.com")
    }).pipe(Effect.provide(Layer.mergeAll(Layer.fresh(engine.empty), random)))
  )

  it.effect("says so when there are no tables, or those of another application", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unmade = yield* Effect.flip(Sql.make({ migrate: false }))
      assert.strictEqual(unmade._tag, "InvalidConfiguration")
      yield* sql`CREATE TABLE users (id INTEGER PRIMARY KEY, login TEXT)`
      const refused = yield* Effect.flip(Sql.make({ takeOver: false }))
      assert.strictEqual(refused._tag, "InvalidConfiguration")
      assert.include(refused.message, "users")
      const lacking = yield* Effect.flip(Sql.make())
      assert.strictEqual(lacking.message, "Table users lacks columns: name, email, emailVerified, image")
      const beside = yield* Sql.make({ tables: { users: "people" }, takeOver: false })
      yield* beside.createUser(ada)
      assert.include(yield* dump(sql, ["people"]), "ada@example.com")
    }).pipe(Effect.provide(Layer.mergeAll(Layer.fresh(engine.empty), random)))
  )

  it.effect("names the table and columns in which rows are alike, and none of their values", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT, ${sql("emailVerified")} TEXT, image TEXT)`
      yield* sql`INSERT INTO users (id, email) VALUES (1, 'twice@example.com'), (2, 'twice@example.com')`
      const failure = yield* Effect.flip(Sql.make())
      assert.strictEqual(failure._tag, "InvalidConfiguration")
      assert.match(failure.message, /^Table users .* email/)
      assert.notInclude(failure.message, "twice")
      assert.deepStrictEqual(Exit.isFailure(yield* Effect.exit(sql`SELECT * FROM accounts`)), true)
    }).pipe(Effect.provide(Layer.mergeAll(Layer.fresh(engine.empty), random)))
  )

  it.effect("uses other names for tables and columns", () =>
    withStore(
      engine,
      {
        tables: { users: "auth_users", sessions: "auth sessions", usedKeys: "used", migrations: "steps" },
        columns: {
          users: { emailVerified: "email_verified" },
          sessions: { sessionToken: "session_token", userId: "user_id" }
        }
      },
      (store, sql) =>
        Effect.gen(function* () {
          const user = yield* store.createUser({ ...ada, emailVerified: at(7) })
          yield* store.createSession({ sessionToken: "t", userId: user.id, expires: later })
          yield* store.useOnce("k", later)
          assert.deepStrictEqual((yield* some(store.getSessionAndUser("t"))).user, user)
          assert.deepStrictEqual(yield* store.listSessions(user.id), [{ id: sessionIdOf("t"), expires: later }])
          assert.isFalse(yield* store.endSession(user.id, sessionIdOf("u")))
          assert.strictEqual(user.emailVerified?.getTime(), 7)
          assert.strictEqual((yield* sql`SELECT email_verified, id FROM auth_users`).length, 1)
          assert.strictEqual((yield* sql`SELECT session_token, user_id FROM ${sql("auth sessions")}`).length, 1)
          assert.strictEqual((yield* sql`SELECT * FROM used`).length, 1)
          assert.strictEqual(yield* store.sweep(at(later.getTime() + 1), 10), 2)
        })
    )
  )

  it.effect("keeps columns of users that only the application knows", () =>
    withStore(engine, {}, (_, sql) =>
      Effect.gen(function* () {
        yield* sql`ALTER TABLE users ADD COLUMN role TEXT`
        const store = yield* Sql.make()
        const user = yield* store.createUser({ ...ada, role: "admin", nowhere: "x" })
        assert.strictEqual(Reflect.get(user, "role"), "admin")
        assert.isFalse("nowhere" in user)
        yield* store.createSession({ sessionToken: "t", userId: user.id, expires: later })
        assert.strictEqual(Reflect.get((yield* some(store.getSessionAndUser("t"))).user, "role"), "admin")
        assert.strictEqual(Reflect.get(yield* store.updateUser({ id: user.id, role: null, name: "x" }), "role"), null)
      })
    )
  )

  it.gen("takes ids from where it is told to", function* () {
    const numbered = yield* withStore(engine, { ids: "database" }, (store, sql) =>
      Effect.gen(function* () {
        const user = yield* store.createUser(ada)
        yield* store.linkAccount(account(user))
        yield* store.createSession({ sessionToken: "t", userId: user.id, expires: later })
        yield* store.createAuthenticator(key(user))
        assert.isTrue(Option.isNone(yield* store.getUser(asUserId(`0${user.id}`))))
        assert.isTrue(Option.isNone(yield* store.getUser(asUserId(`${user.id}.0`))))
        assert.strictEqual((yield* some(store.getSessionAndUser("t"))).session.userId, user.id)
        assert.strictEqual((yield* store.listSessions(user.id)).length, 1)
        assert.isFalse(yield* store.endSession(asUserId(`0${user.id}`), sessionIdOf("t")))
        assert.isTrue(yield* store.endSession(user.id, sessionIdOf("t")))
        assert.strictEqual((yield* Effect.flip(Sql.make({ ids: "uuid" })))._tag, "InvalidConfiguration")
        assert.strictEqual((yield* sql`SELECT 1 FROM accounts WHERE ${sql("userId")} = 1`).length, 1)
        return user.id
      })
    )
    assert.strictEqual(numbered, "1")
    let next = 0
    const own = yield* withStore(engine, { ids: () => `own-${++next}` }, (store) =>
      Effect.gen(function* () {
        const user = yield* store.createUser(ada)
        yield* store.createSession({ sessionToken: "t", userId: user.id, expires: later })
        assert.strictEqual((yield* Effect.flip(Sql.make({ ids: "database" })))._tag, "InvalidConfiguration")
        return user.id
      })
    )
    assert.strictEqual(own, "own-1")
    assert.strictEqual(next, 2)
    const usual = yield* withStore(engine, {}, (store) => store.createUser(ada))
    assert.match(usual.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it.effect("says of a failure of the database what it is, and nothing of what was sent", () =>
    withStore(engine, {}, (store, sql) =>
      Effect.gen(function* () {
        const user = yield* store.createUser(ada)
        yield* sql`ALTER TABLE sessions RENAME TO elsewhere`
        const session = { sessionToken: "canary-token", userId: user.id, expires: later }
        const failure = yield* Effect.flip(store.createSession(session))
        assert.strictEqual(failure._tag, "AdapterError")
        assert.deepStrictEqual(
          [failure.method, failure.reason, failure.retryable],
          ["createSession", "unavailable", false]
        )
        assert.notInclude(`${failure.message} ${String(failure.cause)} ${JSON.stringify(failure)}`, "canary")
        yield* sql`UPDATE users SET ${sql("emailVerified")} = NULL, email = NULL`
        yield* sql`ALTER TABLE users RENAME TO nowhere`
        assert.strictEqual((yield* Effect.flip(store.getUser(user.id))).method, "getUser")
      })
    )
  )

  it.effect("refuses rows that cannot be what they should be", () =>
    withStore(engine, {}, (store, sql) =>
      Effect.gen(function* () {
        const user = yield* store.createUser(ada)
        yield* store.linkAccount(account(user))
        yield* sql`UPDATE accounts SET type = 'canary-type'`
        const failure = yield* Effect.flip(store.getAccount("1", "idp"))
        assert.deepStrictEqual([failure.reason, failure.retryable], ["invalid", false])
        assert.notInclude(`${failure.message} ${String(failure.cause)}`, "canary")
        yield* store.createSession({ sessionToken: "t", userId: user.id, expires: later })
        const never = sql.onDialectOrElse({ pg: () => sql`'infinity'`, orElse: () => sql`'some day'` })
        yield* sql`UPDATE sessions SET expires = ${never}`
        assert.strictEqual((yield* Effect.flip(store.getSessionAndUser("t"))).reason, "invalid")
        assert.strictEqual((yield* Effect.flip(store.listSessions(user.id))).reason, "invalid")
        const day = sql.onDialectOrElse({ pg: () => sql`'2100-01-01Z'`, orElse: () => sql`'2100-01-01T00:00:00Z'` })
        yield* sql`UPDATE sessions SET expires = ${day}`
        assert.strictEqual((yield* some(store.getSessionAndUser("t"))).session.expires.getTime(), 4_102_444_800_000)
        assert.deepStrictEqual(yield* store.listSessions(user.id), [
          { id: sessionIdOf("t"), expires: at(4_102_444_800_000) }
        ])
        const ago = sql.onDialectOrElse({ pg: () => sql`'1969-01-01Z'`, orElse: () => sql`'1969-01-01T00:00:00Z'` })
        yield* sql`UPDATE sessions SET expires = ${ago}`
        assert.deepStrictEqual(yield* store.listSessions(user.id), [])
      })
    )
  )
}

/** A setting of PostgreSQL holds for one connection; SQLite has no other. */
const oneConnection =
  (sql: SqlClient) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    sql.onDialectOrElse({ pg: () => sql.withTransaction(self), orElse: () => self })

/** Migrations of other versions. */
export const versions = (engine: Engine): void => {
  for (const migrate of [true, false]) {
    it.effect(`refuses a database that a newer version has changed, with migrate: ${migrate}`, () =>
      withStore(engine, {}, (_, sql) =>
        Effect.gen(function* () {
          yield* sql`INSERT INTO doorman_migrations (migration_id, name) VALUES (7, 'later')`
          const failure = yield* Effect.flip(Sql.make({ migrate }))
          assert.strictEqual(failure._tag, "InvalidConfiguration")
          assert.match(failure.message, /has migration 7, .* up to 2: a newer version has changed it/)
          assert.strictEqual((yield* Effect.flip(Sql.migrate()))._tag, "InvalidConfiguration")
        })
      )
    )
  }
}

/** The end of rows. */
export const endings = (engine: Engine): void => {
  it.effect("removes what ended, in steps, and nothing else", () =>
    withStore(engine, {}, (store, sql) =>
      Effect.gen(function* () {
        const user = yield* store.createUser(ada)
        for (let index = 0; index < 5; index++) {
          const expires = at(1000 * index)
          yield* store.createSession({ sessionToken: `s${index}`, userId: user.id, expires })
          yield* store.createVerificationToken({ identifier: `i${index}`, token: "t", expires })
          yield* store.useOnce(`k${index}`, expires)
        }
        assert.strictEqual(yield* store.sweep(at(4000), 3), 9)
        assert.strictEqual(yield* store.sweep(at(4000), 3), 3)
        assert.strictEqual(yield* store.sweep(at(4000), 3), 0)
        assert.isTrue(Option.isSome(yield* store.getSessionAndUser("s4")))
        assert.isTrue(Option.isSome(yield* store.useVerificationToken({ identifier: "i4", token: "t" })))
        assert.strictEqual((yield* sql`SELECT * FROM doorman_used_keys`).length, 1)
        assert.isTrue(Option.isSome(yield* store.getUser(user.id)))
      })
    )
  )

  it.effect("sweeps in the background, from several instances, and past failures", () => {
    const warnings: Array<unknown> = []
    const logger = Logger.layer([
      Logger.make(({ logLevel, message }) => void (logLevel === "Warn" && warnings.push(message)))
    ])
    return Effect.gen(function* () {
      const store = yield* Adapter
      const sql = yield* SqlClient
      const user = yield* store.createUser(ada)
      const left = Effect.map(sql`SELECT * FROM sessions`, (rows) => rows.length)
      const fill = Effect.forEach(Array.from({ length: 7 }), (_, index) =>
        store.createSession({ sessionToken: `s${index}`, userId: user.id, expires: at(index === 0 ? 8.64e15 : 59_500) })
      )
      // Rounds end when the database has answered: the clock goes on until they did.
      const eventually = (condition: Effect.Effect<boolean, unknown>) =>
        Effect.repeat(Effect.andThen(TestClock.adjust("60 seconds"), Effect.yieldNow), {
          until: () => Effect.orDie(condition)
        })
      yield* fill
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* left, 7)
      yield* eventually(Effect.map(left, (count) => count === 1))
      yield* sql`ALTER TABLE sessions RENAME TO elsewhere`
      yield* eventually(Effect.sync(() => warnings.length >= 2))
      yield* sql`ALTER TABLE elsewhere RENAME TO sessions`
      yield* store.deleteSession("s0")
      yield* fill
      yield* eventually(Effect.map(left, (count) => count === 1))
    }).pipe(
      Effect.provide(
        Sql.layerSweeper({ every: "60 seconds", limit: 2 }).pipe(
          Layer.provideMerge(Sql.layer({ sweep: { every: "60 seconds", limit: 2 } })),
          Layer.provideMerge(Layer.mergeAll(Layer.fresh(engine.empty), random, logger))
        )
      )
    )
  })

  it.effect("finds a session by an index, however many there are", () =>
    withStore(engine, {}, (store, sql) =>
      Effect.gen(function* () {
        const user = yield* store.createUser(ada)
        yield* store.createSession({ sessionToken: "t", userId: user.id, expires: later })
        const statements = [
          sql`SELECT * FROM sessions s JOIN users u ON u.id = s.${sql("userId")} WHERE s.${sql("sessionToken")} IN ('a', 'b')`,
          sql`SELECT * FROM users WHERE email = 'a'`,
          sql`SELECT * FROM accounts WHERE provider = 'a' AND ${sql("providerAccountId")} = 'b'`,
          sql`DELETE FROM sessions WHERE ${sql("userId")} = 'a'`,
          sql`SELECT * FROM sessions WHERE ${sql("userId")} = 'a' ORDER BY expires DESC LIMIT 10`,
          sql`DELETE FROM sessions WHERE ${sql("userId")} = 'a' AND ${sql("sessionToken")} = 'b'`,
          sql`SELECT ${sql("sessionToken")} FROM sessions WHERE expires < ${sql.onDialectOrElse({ pg: () => sql`now()`, orElse: () => sql`0` })} LIMIT 10`,
          sql`DELETE FROM verification_token WHERE identifier = 'a'`
        ]
        const explain = sql.onDialectOrElse({ pg: () => sql`EXPLAIN`, orElse: () => sql`EXPLAIN QUERY PLAN` })
        yield* sql.onDialectOrElse({ pg: () => sql`SET enable_seqscan = off`, orElse: () => Effect.void })
        for (const statement of statements) {
          const plan = (yield* sql`${explain} ${statement}`).map((row) => Object.values(row).join(" ")).join("\n")
          assert.notMatch(plan, /Seq Scan|\bSCAN\b/, plan)
          assert.match(plan, /Index|USING (?:COVERING )?INDEX/, plan)
        }
      }).pipe(oneConnection(sql))
    )
  )
}
