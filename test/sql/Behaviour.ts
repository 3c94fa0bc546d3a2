/**
 * The behaviour of SQL storage, for each engine.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { asSessionId, asUserId } from "../../src/models/Id.ts"
import type { AdapterError } from "../../src/Errors.ts"
import * as Sql from "../../src/Sql.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { sessionIdOf } from "../../src/storage/Details.ts"
import { account, ada, at, dump, type Engine, key, later, some, inStore, withStore } from "./Engine.ts"

const crowd = Array.from({ length: 64 }, (_, index) => index)

/** Expectations of an Auth.js application for its storage. */
export const expectations = (engine: Engine): void => {
  it.use("creates, finds, changes and deletes a user", inStore(engine), function* (store) {
    const user = yield* store.createUser({ ...ada, image: "https://example.com/a.png", emailVerified: at(1234) })
    assert.deepStrictEqual(user, {
      id: user.id,
      name: "Ada",
      email: "ada@example.com",
      emailVerified: at(1234),
      image: "https://example.com/a.png"
    })
    assert.deepStrictEqual(yield* some(store.getUser(user.id)), user)
    assert.deepStrictEqual(yield* some(store.getUserByEmail("ada@example.com")), user)
    const changed = yield* store.updateUser({ id: user.id, name: "Ada L.", emailVerified: null, image: undefined })
    assert.deepStrictEqual(changed, { ...user, name: "Ada L.", emailVerified: null })
    assert.deepStrictEqual(yield* store.updateUser({ id: user.id }), changed)
    assert.deepStrictEqual(yield* some(store.getUser(user.id)), changed)
    yield* store.deleteUser(user.id)
    assert.isTrue(Option.isNone(yield* store.getUser(user.id)))
    yield* store.deleteUser(user.id)
    assert.strictEqual((yield* Effect.flip(store.updateUser({ id: user.id, name: "x" }))).reason, "missing")
  })

  it.use("finds no user by values that no user has", inStore(engine), function* (store) {
    yield* store.createUser(ada)
    for (const id of ["", "unknown", "1", "01", "1 OR 1=1", "9223372036854775808", "\0", "\ud800", "é".repeat(5000)]) {
      assert.isTrue(Option.isNone(yield* store.getUser(asUserId(id))), "getUser")
      assert.isTrue(Option.isNone(yield* store.getUserByEmail(id)), "getUserByEmail")
      assert.isTrue(Option.isNone(yield* store.getUserByAccount({ provider: id, providerAccountId: id })))
      assert.isTrue(Option.isNone(yield* store.getAccount(id, id)), "getAccount")
      assert.isTrue(Option.isNone(yield* store.getSessionAndUser(id)), "getSessionAndUser")
      assert.isTrue(Option.isNone(yield* store.getAuthenticator(id)), "getAuthenticator")
      assert.isTrue(Option.isNone(yield* store.updateSession({ sessionToken: id, expires: later })))
      assert.isTrue(Option.isNone(yield* store.deleteSession(id)), "deleteSession")
      assert.isTrue(Option.isNone(yield* store.useVerificationToken({ identifier: id, token: id })))
      assert.deepStrictEqual(yield* store.listAuthenticatorsByUserId(asUserId(id)), [])
      assert.deepStrictEqual(yield* store.listAccounts(asUserId(id)), [])
      assert.deepStrictEqual(yield* store.listSessions(asUserId(id)), [])
      assert.isFalse(yield* store.endSession(asUserId(id), sessionIdOf("token")))
      assert.isFalse(yield* store.endSession(ada.id, asSessionId(id)))
      yield* store.unlinkAccount({ provider: id, providerAccountId: id })
      yield* store.deleteSessions(asUserId(id))
      yield* store.deleteUser(asUserId(id))
      assert.strictEqual((yield* Effect.flip(store.updateUser({ id: asUserId(id), name: "x" }))).reason, "missing")
      assert.strictEqual((yield* Effect.flip(store.linkAccount(account({ id: asUserId(id) })))).reason, "missing")
      assert.strictEqual((yield* Effect.flip(store.createAuthenticator(key({ id: asUserId(id) })))).reason, "missing")
      assert.strictEqual((yield* Effect.flip(store.updateAuthenticatorCounter(id, 1))).reason, "missing")
      const session = { sessionToken: "token", userId: asUserId(id), expires: later }
      assert.strictEqual((yield* Effect.flip(store.createSession(session))).reason, "missing")
    }
    assert.isTrue(Option.isSome(yield* store.getUserByEmail("ada@example.com")))
  })

  it.use("compares addresses, ids and names letter by letter", inStore(engine), function* (store) {
    const user = yield* store.createUser(ada)
    yield* store.linkAccount(account(user, "Straße"))
    assert.isTrue(Option.isNone(yield* store.getUserByEmail("ADA@example.com")))
    assert.isTrue(Option.isNone(yield* store.getUserByEmail("a%")))
    assert.isTrue(Option.isNone(yield* store.getAccount("STRASSE", "idp")))
    assert.isTrue(Option.isNone(yield* store.getAccount("Strasse", "idp")))
    assert.isTrue(Option.isSome(yield* store.getAccount("Straße", "idp")))
    const other = yield* store.createUser({ ...ada, email: "ádá@example.com", name: "日本語 👩‍👩‍👧 'quoted\" \\" })
    assert.strictEqual((yield* some(store.getUser(other.id))).name, "日本語 👩‍👩‍👧 'quoted\" \\")
    yield* store.linkAccount(account(other, "'; DROP TABLE users; --"))
    assert.strictEqual(
      (yield* some(store.getUserByAccount({ provider: "idp", providerAccountId: "'; DROP TABLE users; --" }))).id,
      other.id
    )
  })

  it.use("gives an address to one user only", inStore(engine), function* (store) {
    yield* store.createUser(ada)
    const other = yield* store.createUser({ ...ada, email: "b@example.com" })
    assert.isTrue((yield* Effect.flip(store.createUser(ada))).isUniqueViolation)
    const taken = yield* Effect.flip(store.updateUser({ id: other.id, email: "ada@example.com" }))
    assert.strictEqual(taken.reason, "unique")
    assert.isFalse(taken.retryable)
    assert.strictEqual((yield* store.updateUser({ id: other.id, email: "b@example.com" })).email, "b@example.com")
  })

  it.effect("has room for any number of people without an address", () =>
    withStore(engine, {}, (store, sql) =>
      Effect.gen(function* () {
        const first = yield* store.createUser({ ...ada, email: undefined })
        const second = yield* store.createUser({ ...ada, email: "" })
        assert.strictEqual(first.email, "")
        assert.notStrictEqual(first.id, second.id)
        assert.isTrue(Option.isNone(yield* store.getUserByEmail("")))
        assert.deepStrictEqual(
          (yield* sql`SELECT email FROM users`).map((row) => row["email"]),
          [null, null]
        )
        yield* store.updateUser({ id: first.id, email: "first@example.com" })
        assert.strictEqual((yield* store.updateUser({ id: first.id, email: "" })).email, "")
      })
    )
  )

  it.use("links an account once, with what the provider sent", inStore(engine), function* (store) {
    const user = yield* store.createUser(ada)
    const other = yield* store.createUser({ ...ada, email: "b@example.com" })
    const full = {
      ...account(user),
      access_token: "a".repeat(20_000),
      refresh_token: "r",
      id_token: "h.p.s",
      expires_at: 4_102_444_800,
      scope: "openid email",
      token_type: "bearer" as const,
      session_state: "state"
    }
    yield* store.linkAccount({ ...full, not_a_column: "x" })
    assert.deepStrictEqual(yield* some(store.getAccount("1", "idp")), full)
    assert.deepStrictEqual(yield* some(store.getUserByAccount({ provider: "idp", providerAccountId: "1" })), user)
    assert.strictEqual((yield* Effect.flip(store.linkAccount(account(user)))).reason, "unique")
    assert.strictEqual((yield* Effect.flip(store.linkAccount(account(other)))).reason, "unique")
    yield* store.linkAccount(account(other, "2"))
    yield* store.linkAccount({ ...account(other), provider: "second" })
    assert.deepStrictEqual((yield* store.listAccounts(other.id)).map(({ provider }) => provider).sort(), [
      "idp",
      "second"
    ])
    yield* store.unlinkAccount({ provider: "idp", providerAccountId: "1" })
    assert.deepStrictEqual(yield* store.listAccounts(user.id), [])
    assert.strictEqual((yield* store.listAccounts(other.id)).length, 2)
  })

  it.use("keeps sessions, expired ones too, until they are deleted", inStore(engine), function* (store) {
    const user = yield* store.createUser(ada)
    const session = { sessionToken: "token", userId: user.id, expires: at(-1) }
    assert.deepStrictEqual(yield* store.createSession(session), session)
    assert.deepStrictEqual(yield* some(store.getSessionAndUser("token")), { session, user })
    assert.strictEqual((yield* Effect.flip(store.createSession(session))).reason, "unique")
    const moved = { ...session, expires: at(4_102_444_800_123) }
    assert.deepStrictEqual(yield* some(store.updateSession(moved)), moved)
    assert.deepStrictEqual(yield* some(store.getSessionAndUser("token")), { session: moved, user })
    assert.deepStrictEqual(yield* some(store.deleteSession("token")), moved)
    assert.isTrue(Option.isNone(yield* store.deleteSession("token")))
    assert.isTrue(Option.isNone(yield* store.updateSession(moved)))
    assert.isTrue(Option.isNone(yield* store.getSessionAndUser("token")))
  })

  it.use("ends the sessions of a user but one, and of no other user", inStore(engine), function* (store) {
    const user = yield* store.createUser(ada)
    const other = yield* store.createUser({ ...ada, email: "b@example.com" })
    for (const sessionToken of ["1", "2", "3"]) {
      yield* store.createSession({ sessionToken, userId: user.id, expires: later })
      yield* store.createSession({ sessionToken: `other ${sessionToken}`, userId: other.id, expires: later })
    }
    const alive = Effect.forEach(["1", "2", "3", "other 1", "other 2", "other 3"], (token) =>
      Effect.map(store.getSessionAndUser(token), Option.isSome)
    )
    yield* store.deleteSessions(user.id, "2")
    assert.deepStrictEqual(yield* alive, [false, true, false, true, true, true])
    yield* store.deleteSessions(user.id)
    assert.deepStrictEqual(yield* alive, [false, false, false, true, true, true])
  })

  it.use("lists the sessions of a user that have not ended, and ends one of them", inStore(engine), function* (store) {
    const user = yield* store.createUser(ada)
    const other = yield* store.createUser({ ...ada, email: "b@example.com" })
    for (const [sessionToken, userId, end] of [
      ["first", user.id, 2000],
      ["last", user.id, 4000],
      ["second", user.id, 3000],
      ["over", user.id, 0],
      ["theirs", other.id, 5000]
    ] as const) {
      yield* store.createSession({ sessionToken, userId, expires: at(end) })
    }
    const listed = (...rows: ReadonlyArray<readonly [token: string, end: number]>) =>
      rows.map(([token, end]) => ({ id: sessionIdOf(token), expires: at(end) }))
    const all = listed(["last", 4000], ["second", 3000], ["first", 2000])
    assert.deepStrictEqual(yield* store.listSessions(user.id), all)
    yield* TestClock.adjust(1999)
    assert.deepStrictEqual(yield* store.listSessions(user.id), all)
    yield* TestClock.adjust(1)
    assert.deepStrictEqual(yield* store.listSessions(user.id), all.slice(0, 2))
    assert.isFalse(yield* store.endSession(user.id, sessionIdOf("theirs")))
    assert.isTrue(yield* store.endSession(user.id, sessionIdOf("last")))
    assert.isFalse(yield* store.endSession(user.id, sessionIdOf("last")))
    assert.deepStrictEqual(yield* store.listSessions(user.id), listed(["second", 3000]))
    assert.deepStrictEqual(yield* store.listSessions(other.id), listed(["theirs", 5000]))
  })

  it.use(
    "lists a thousand sessions of a user at most, and can end each of them",
    inStore(engine, { hashTokens: false }),
    function* (plain) {
      const hashed = yield* Sql.make({ hashTokens: true })
      const user = yield* plain.createUser(ada)
      yield* plain.transaction(
        Effect.forEach(
          Array.from({ length: 1001 }, (_, index) => index),
          (index) =>
            (index % 2 === 0 ? plain : hashed).createSession({
              sessionToken: `session ${index}`,
              userId: user.id,
              expires: at(1000 + index)
            }),
          { discard: true }
        )
      )
      const sessions = yield* plain.listSessions(user.id)
      assert.strictEqual(sessions.length, 1000)
      assert.strictEqual(new Set(sessions.map(({ id }) => id)).size, 1000)
      assert.deepStrictEqual(sessions[0], { id: sessionIdOf("session 1000"), expires: at(2000) })
      assert.deepStrictEqual(sessions[999], { id: sessionIdOf("session 1"), expires: at(1001) })
      for (const index of [0, 1, 2, 999])
        assert.isTrue(yield* hashed.endSession(user.id, sessionIdOf(`session ${index}`)), String(index))
    }
  )

  it.effect("removes with a user what is theirs, and nothing of others", () =>
    withStore(engine, {}, (store, sql) =>
      Effect.gen(function* () {
        const fill = Effect.fnUntraced(function* (name: string) {
          const user = yield* store.createUser({ ...ada, email: `${name}@example.com` })
          yield* store.linkAccount(account(user, name))
          yield* store.createSession({ sessionToken: name, userId: user.id, expires: later })
          yield* store.createAuthenticator(key(user, name))
          return user
        })
        const first = yield* fill("first")
        const second = yield* fill("second")
        yield* store.deleteUser(first.id)
        assert.isTrue(Option.isSome(yield* store.getUser(second.id)))
        const text = yield* dump(sql, ["accounts", "sessions", "authenticators"])
        assert.strictEqual(text.split("\n").length, 4)
        assert.strictEqual(text.split(second.id).length, 4)
      })
    )
  )

  it.use("H161 hands out a link once, and keeps earlier ones of an address", inStore(engine), function* (store) {
    const link = { identifier: "ada@example.com", token: "one", expires: at(9000) }
    yield* store.createVerificationToken(link)
    assert.isTrue(Option.isNone(yield* store.useVerificationToken({ ...link, token: "two" })))
    assert.isTrue(Option.isNone(yield* store.useVerificationToken({ ...link, identifier: "b@example.com" })))
    assert.deepStrictEqual(yield* some(store.useVerificationToken(link)), link)
    assert.isTrue(Option.isNone(yield* store.useVerificationToken(link)))
    yield* store.createVerificationToken(link)
    yield* store.createVerificationToken({ ...link, identifier: "b@example.com", token: "b" })
    yield* store.createVerificationToken({ ...link, token: "two" })
    yield* store.createVerificationToken({ ...link, token: "two", expires: at(1) })
    assert.deepStrictEqual(yield* some(store.useVerificationToken(link)), link)
    assert.strictEqual((yield* some(store.useVerificationToken({ ...link, token: "two" }))).expires.getTime(), 1)
    assert.isTrue(Option.isSome(yield* store.useVerificationToken({ identifier: "b@example.com", token: "b" })))
  })

  it.use("keeps keys, and lets their counters only grow", inStore(engine), function* (store) {
    const user = yield* store.createUser(ada)
    const other = yield* store.createUser({ ...ada, email: "b@example.com" })
    const created = yield* store.createAuthenticator(key(user))
    assert.deepStrictEqual(created, key(user))
    yield* store.createAuthenticator({ ...key(user, "BAUG"), credentialBackedUp: false, transports: undefined })
    assert.strictEqual((yield* Effect.flip(store.createAuthenticator(key(other)))).reason, "unique")
    assert.deepStrictEqual(yield* some(store.getAuthenticator("AQID")), created)
    const second = yield* some(store.getAuthenticator("BAUG"))
    assert.deepStrictEqual([second.credentialBackedUp, second.transports], [false, null])
    assert.strictEqual((yield* store.listAuthenticatorsByUserId(user.id)).length, 2)
    assert.deepStrictEqual(yield* store.listAuthenticatorsByUserId(other.id), [])
    assert.strictEqual((yield* store.updateAuthenticatorCounter("AQID", 0)).counter, 0)
    assert.strictEqual((yield* store.updateAuthenticatorCounter("AQID", 4_294_967_295)).counter, 4_294_967_295)
    for (const counter of [4_294_967_295, 1, 0]) {
      const refused = yield* Effect.flip(store.updateAuthenticatorCounter("AQID", counter))
      assert.strictEqual(refused.reason, "stale")
    }
    assert.strictEqual((yield* some(store.getAuthenticator("AQID"))).counter, 4_294_967_295)
  })

  it.use("refuses what it could not give back", inStore(engine), function* (store) {
    const user = yield* store.createUser(ada)
    const refused: ReadonlyArray<Effect.Effect<unknown, AdapterError>> = [
      store.createUser({ ...ada, email: "b@example.com", name: "a\0b" }),
      store.createUser({ ...ada, email: "\ud800@example.com" }),
      store.createUser({ ...ada, email: "b@example.com", emailVerified: at(Number.NaN) }),
      store.updateUser({ id: user.id, name: "\udc00" }),
      store.linkAccount(account(user, "a\0b")),
      store.linkAccount({ ...account(user), expires_at: Number.POSITIVE_INFINITY }),
      store.createSession({ sessionToken: "t", userId: user.id, expires: at(Number.NaN) }),
      store.updateSession({ sessionToken: "t", expires: at(Number.NaN) }),
      store.createVerificationToken({ identifier: "\0", token: "t", expires: later }),
      store.createAuthenticator({ ...key(user), counter: Number.NaN }),
      store.updateAuthenticatorCounter("t", Number.NaN),
      store.useOnce("k", at(Number.NaN))
    ]
    for (const [index, call] of refused.entries()) {
      assert.strictEqual((yield* Effect.flip(call)).reason, "invalid", String(index))
    }
  })
}

/** Of many callers at once, one wins. */
export const races = (engine: Engine): void => {
  const winners = <A, E>(attempt: (index: number) => Effect.Effect<A, E>) =>
    Effect.map(
      Effect.forEach(crowd, (index) => Effect.result(attempt(index)), { concurrency: "unbounded" }),
      (results) => results.filter((result) => result._tag === "Success").map((result) => result.success)
    )

  it.use("lets one of many callers win", inStore(engine), function* (store) {
    const created = yield* winners(() => store.createUser(ada))
    assert.strictEqual(created.length, 1)
    const user = yield* some(store.getUserByEmail("ada@example.com"))
    assert.strictEqual((yield* winners(() => store.linkAccount(account(user)))).length, 1)
    assert.strictEqual((yield* winners(() => store.createAuthenticator(key(user)))).length, 1)
    const session = { sessionToken: "token", userId: user.id, expires: later }
    assert.strictEqual((yield* winners(() => store.createSession(session))).length, 1)
    assert.strictEqual((yield* winners(() => some(store.deleteSession("token")))).length, 1)
    yield* store.createSession(session)
    const ended = yield* winners(() => store.endSession(user.id, sessionIdOf("token")))
    assert.deepStrictEqual([ended.length, ended.filter(Boolean)], [crowd.length, [true]])
    const link = { identifier: "ada@example.com", token: "t", expires: later }
    yield* store.createVerificationToken(link)
    assert.strictEqual((yield* winners(() => some(store.useVerificationToken(link)))).length, 1)
    assert.strictEqual((yield* winners(() => store.updateAuthenticatorCounter("AQID", 1))).length, 1)
    const fresh = yield* winners(() => store.useOnce("challenge", later))
    assert.deepStrictEqual(fresh.filter(Boolean), [true])
  })

  it.effect("lets one of many units win, and undoes the others", () =>
    withStore(engine, {}, (store, sql) =>
      Effect.gen(function* () {
        const units = yield* winners((index) =>
          store.transaction(
            Effect.gen(function* () {
              const user = yield* store.createUser({ ...ada, email: `${index}@example.com` })
              yield* store.linkAccount(account(user))
              yield* store.createSession({ sessionToken: `session ${index}`, userId: user.id, expires: later })
              return user
            })
          )
        )
        assert.strictEqual(units.length, 1)
        assert.strictEqual((yield* dump(sql, ["users"])).trim().split("\n").length, 1)
        assert.strictEqual((yield* dump(sql, ["sessions"])).trim().split("\n").length, 1)
      })
    )
  )

  it.use("counts a key as used until its end", inStore(engine), function* (store) {
    assert.isTrue(yield* store.useOnce("key", at(5000)))
    assert.isTrue(yield* store.useOnce("other", at(5000)))
    yield* TestClock.adjust(4999)
    assert.isFalse(yield* store.useOnce("key", at(9000)))
    yield* TestClock.adjust(1)
    assert.isTrue(yield* store.useOnce("key", at(9000)))
    assert.isFalse(yield* store.useOnce("key", at(9000)))
  })
}

/** Units of work. */
export const transactions = (engine: Engine): void => {
  const people = (store: AdapterShape, ...names: ReadonlyArray<string>) =>
    Effect.forEach(names, (name) => Effect.map(store.getUserByEmail(`${name}@example.com`), Option.isSome))
  const add = (store: AdapterShape, name: string) => store.createUser({ ...ada, email: `${name}@example.com` })

  it.use("keeps all calls of a unit or none, and fails as the program does", inStore(engine), function* (store) {
    assert.strictEqual(yield* store.transaction(Effect.as(add(store, "a"), "answer")), "answer")
    const failure = { _tag: "OwnFailure" }
    const failed = yield* Effect.flip(store.transaction(Effect.andThen(add(store, "b"), Effect.fail(failure))))
    assert.strictEqual(failed, failure)
    const died = yield* Effect.exit(store.transaction(Effect.andThen(add(store, "c"), Effect.die("bug"))))
    assert.strictEqual(died._tag, "Failure")
    const stopped = yield* Effect.exit(store.transaction(Effect.andThen(add(store, "d"), Effect.interrupt)))
    assert.strictEqual(stopped._tag, "Failure")
    assert.deepStrictEqual(yield* people(store, "a", "b", "c", "d"), [true, false, false, false])
  })

  it.use("reads within a unit what the unit wrote", inStore(engine), function* (store) {
    yield* store.transaction(
      Effect.gen(function* () {
        const user = yield* add(store, "a")
        assert.isTrue(Option.isSome(yield* store.getUser(user.id)))
        yield* store.createSession({ sessionToken: "t", userId: user.id, expires: later })
        assert.isTrue(Option.isSome(yield* store.getSessionAndUser("t")))
      })
    )
    assert.isTrue(Option.isSome(yield* store.getSessionAndUser("t")))
  })

  it.use("undoes a unit within a unit alone", inStore(engine), function* (store) {
    yield* store.transaction(
      Effect.gen(function* () {
        yield* add(store, "outer")
        yield* Effect.exit(store.transaction(Effect.andThen(add(store, "inner"), Effect.fail("no"))))
        yield* store.transaction(add(store, "second"))
      })
    )
    assert.deepStrictEqual(yield* people(store, "outer", "inner", "second"), [true, false, true])
  })

  it.use("H265 goes on with a unit after another process was faster", inStore(engine), function* (store) {
    const first = yield* add(store, "a")
    const second = yield* add(store, "b")
    yield* store.linkAccount(account(first))
    yield* store.createAuthenticator(key(first))
    yield* store.createSession({ sessionToken: "t", userId: first.id, expires: later })
    const reasons = yield* store.transaction(
      Effect.gen(function* () {
        const failures = [
          (yield* Effect.flip(add(store, "a"))).reason,
          (yield* Effect.flip(store.updateUser({ id: second.id, email: "a@example.com" }))).reason,
          (yield* Effect.flip(store.linkAccount(account(first)))).reason,
          (yield* Effect.flip(store.linkAccount(account({ id: asUserId("nobody") }, "2")))).reason,
          (yield* Effect.flip(store.createAuthenticator(key(second)))).reason,
          (yield* Effect.flip(store.createSession({ sessionToken: "t", userId: first.id, expires: later }))).reason
        ]
        yield* store.useOnce("k", later)
        assert.isFalse(yield* store.useOnce("k", later))
        yield* add(store, "c")
        return failures
      })
    )
    assert.deepStrictEqual(reasons, ["unique", "unique", "unique", "missing", "unique", "unique"])
    assert.deepStrictEqual(yield* people(store, "a", "b", "c"), [true, true, true])
  })
}
