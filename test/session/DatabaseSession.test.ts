import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import { Adapter, makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { AdapterError } from "../../src/Errors.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { at, attributesOf, browser, config, cookieOf, type Log, signInAt, start, visit } from "../Browser.ts"
import { memoryProvider } from "../MemoryProvider.ts"

const name = "__Secure-authjs.session-token"
const day = 24 * 60 * 60 * 1000
const month = 30 * day

const on = (milliseconds: number): Date => new Date(milliseconds)

const broken = (method: string) =>
  Effect.fail(new AdapterError({ method, reason: "unavailable", detail: "The test says so" }))

/** A store that a test can look into and break. */
const store = (more: Partial<AdapterShape> = {}): AdapterShape => ({ ...makeMemory(), ...more })

const database = (adapter: AdapterShape, more: Partial<Options> = {}) => config({ adapter, ...more })

/** A visit to a site with a store of its own. */
const stored = () => visit(database(store()))

const sessionLine = (lines: ReadonlyArray<string>) => lines.find((line) => cookieOf(line).name === name)

describe("a session in a database", () => {
  it.effect("is made by a sign-in, read, and ended by a sign-out", () => {
    const adapter = store()
    const provider = memoryProvider()
    const person = browser()
    const told: Array<unknown> = []
    const events: Options["events"] = {
      createUser: ({ user }) => told.push(["createUser", user.email]),
      linkAccount: ({ account }) => told.push(["linkAccount", account.providerAccountId]),
      signIn: ({ isNewUser }) => told.push(["signIn", isNewUser]),
      session: ({ session, token }) => told.push(["session", session.user?.name, token]),
      signOut: ({ session, token }) => told.push(["signOut", session?.userId, token])
    }
    return Effect.gen(function* () {
      const back = yield* signInAt(person, provider)
      assert.strictEqual(back.status, 302)
      const line = sessionLine(back.lines) ?? ""
      assert.match(cookieOf(line).value, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-b[0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.strictEqual(attributesOf(line)["expires"], on(start + month).toUTCString())
      assert.deepStrictEqual(yield* person.session, {
        user: { name: "Ada", email: "ada@example.com" },
        expires: on(start + month).toISOString()
      })
      const token = cookieOf(line).value
      const row = Option.getOrThrow(yield* adapter.getSessionAndUser(token))
      assert.strictEqual(row.user.email, "ada@example.com")
      const left = yield* person.submit("/auth/signout")
      assert.strictEqual(left.location, "https://app.example")
      assert.isTrue(Option.isNone(yield* adapter.getSessionAndUser(token)))
      assert.isNull(yield* person.session)
      assert.deepStrictEqual(told, [
        ["createUser", "ada@example.com"],
        ["linkAccount", "person-1"],
        ["signIn", true],
        ["session", "Ada", undefined],
        ["signOut", row.user.id, undefined]
      ])
    }).pipe(at(database(adapter, { events }), provider))
  })

  it.effect("is renewed after updateAge, with its cookie, and says the end that was just written", () => {
    const adapter = store()
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      yield* TestClock.adjust(day - 1)
      const early = yield* person.get("/auth/session")
      assert.isUndefined(sessionLine(early.lines))
      assert.strictEqual(JSON.parse(early.body).expires, on(start + month).toISOString())
      yield* TestClock.adjust(1)
      const due = yield* person.get("/auth/session")
      const end = on(start + day + month)
      assert.strictEqual(JSON.parse(due.body).expires, end.toISOString())
      assert.strictEqual(attributesOf(sessionLine(due.lines) ?? "")["expires"], end.toUTCString())
      const token = person.cookies.get(name) ?? ""
      const row = Option.getOrThrow(yield* adapter.getSessionAndUser(token))
      assert.strictEqual(row.session.expires.getTime(), end.getTime())
    }).pipe(at(database(adapter), provider))
  })

  it.effect("is renewed at every read when updateAge is 0", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      yield* TestClock.adjust(1000)
      const seen = yield* person.get("/auth/session")
      assert.strictEqual(JSON.parse(seen.body).expires, on(start + 1000 + 60_000).toISOString())
      assert.isDefined(sessionLine(seen.lines))
    }).pipe(at(database(store(), { session: { maxAge: 60, updateAge: 0 } }), provider))
  })

  it.effect("H052 is none once it has expired, anywhere, and its row goes", () => {
    const adapter = store()
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      const token = person.cookies.get(name) ?? ""
      yield* TestClock.adjust(60_000)
      // The account is new: were the session still one, it would be linked to its user.
      provider.claims["sub"] = "person-2"
      provider.claims["email"] = "ben@example.com"
      const back = yield* signInAt(person, provider)
      assert.strictEqual(back.failure, undefined)
      assert.strictEqual((yield* person.session)?.user?.["email"], "ben@example.com")
      person.cookies.set(name, token)
      const seen = yield* person.get("/auth/session")
      assert.strictEqual(seen.body, "null")
      assert.isTrue(seen.lines.map(cookieOf).some((cookie) => cookie.name === name && cookie.gone))
      assert.isTrue(Option.isNone(yield* adapter.getSessionAndUser(token)))
    }).pipe(at(database(adapter, { session: { maxAge: 60 } }), provider))
  })

  it.effect("H062 is rejected at once when its user is deleted", () => {
    const adapter = store()
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      const row = Option.getOrThrow(yield* adapter.getSessionAndUser(person.cookies.get(name) ?? ""))
      yield* adapter.deleteUser(row.user.id)
      assert.isNull(yield* person.session)
    }).pipe(at(database(adapter), provider))
  })

  it.effect("H251, P133 that was deleted while it was read stays deleted", () => {
    const real = store()
    const adapter = store({
      ...real,
      updateSession: (change) => Effect.andThen(real.deleteSession(change.sessionToken), real.updateSession(change))
    })
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      yield* TestClock.adjust(2 * day)
      const seen = yield* person.get("/auth/session")
      assert.strictEqual(seen.body, "null")
      assert.isFalse(person.cookies.has(name))
    }).pipe(at(database(adapter), provider))
  })

  it.effect("is null for one answer when the store fails, and the cookie stays", () => {
    const log: Log = { entries: [] }
    const real = store()
    const state = { isDown: false }
    const adapter = store({
      ...real,
      getSessionAndUser: (token) => (state.isDown ? broken("getSessionAndUser") : real.getSessionAndUser(token))
    })
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      state.isDown = true
      const seen = yield* person.get("/auth/session")
      assert.deepStrictEqual([seen.status, seen.body, seen.lines.length], [200, "null", 0])
      assert.isTrue(log.entries.some(({ message }) => Reflect.get(Object(message), "_tag") === "SessionTokenError"))
      state.isDown = false
      assert.strictEqual((yield* person.session)?.user?.["name"], "Ada")
    }).pipe(at(database(adapter), provider, log))
  })

  it.effect("H268 that cannot be deleted ends all the same, and no answer says that all is well", () => {
    const real = store()
    const adapter = store({ ...real, deleteSession: () => broken("deleteSession") })
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      const token = person.cookies.get(name) ?? ""
      const left = yield* person.submit("/auth/signout")
      assert.strictEqual(left.failure?._tag, "SignOutError")
      assert.include(left.location, "/auth/error?error=Configuration")
      assert.isFalse(person.cookies.has(name))
      person.cookies.set(name, token)
      assert.isNull(yield* person.session)
    }).pipe(at(database(adapter), provider))
  })

  it.effect("H268 links no account to its user, although the row is still there", () => {
    const real = store()
    let isDown = true
    const adapter = store({
      ...real,
      deleteSession: (token) => (isDown ? broken("deleteSession") : real.deleteSession(token))
    })
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      const token = person.cookies.get(name) ?? ""
      const ada = Option.getOrThrow(yield* real.getUserByEmail("ada@example.com"))
      yield* person.submit("/auth/signout")
      isDown = false
      const stranger = browser()
      stranger.cookies.set(name, token)
      Object.assign(provider.claims, { sub: "person-2", email: "eve@example.com", name: "Eve" })
      yield* signInAt(stranger, provider)
      const { userId } = Option.getOrThrow(yield* real.getAccount("person-2", "idp"))
      assert.notStrictEqual(userId, ada.id)
      assert.strictEqual((yield* stranger.session)?.user?.["name"], "Eve")
    }).pipe(at(database(adapter), provider))
  })

  it.effect("H064 never shows its token to scripts", () => {
    const log: Log = { entries: [] }
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      const token = person.cookies.get(name) ?? "-"
      const whole = yield* person.get("/auth/session")
      assert.include(whole.body, '"userId"')
      assert.notInclude(whole.body, token)
    }).pipe(at(database(store(), { callbacks: { session: ({ session }) => session } }), provider, log))
  })

  it.effect("H064 is refused when the application returns the token by name", () => {
    const log: Log = { entries: [] }
    const provider = memoryProvider()
    const person = browser()
    const callbacks: Options["callbacks"] = {
      session: ({ session }) => ({ ...session, mine: Reflect.get(session, "sessionToken") })
    }
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      assert.isNull(yield* person.session)
      assert.isTrue(person.cookies.has(name))
      assert.isTrue(
        log.entries.some(({ message }) =>
          /must not return the token/.test(String(Reflect.get(Object(message), "message")))
        )
      )
    }).pipe(at(database(store(), { callbacks }), provider, log))
  })

  it.effect("passes the changes of a client to the callback, with the trigger, and changes nothing by itself", () => {
    const adapter = store()
    const provider = memoryProvider()
    const person = browser()
    const asked: Array<unknown> = []
    const callbacks: Options["callbacks"] = {
      session: ({ newSession, session, token, trigger, user }) => {
        asked.push([newSession, trigger, token, user?.email])
        return { expires: session.expires, user: { name: "shown" } }
      }
    }
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body)
      const seen = yield* person.send("POST", "/auth/session", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, data: { name: "Eve", sub: "somebody else" } })
      })
      assert.deepStrictEqual(JSON.parse(seen.body).user, { name: "shown" })
      yield* person.get("/auth/session")
      assert.deepStrictEqual(asked, [
        [{ name: "Eve" }, "update", undefined, "ada@example.com"],
        [undefined, undefined, undefined, "ada@example.com"]
      ])
    }).pipe(at(database(adapter, { callbacks }), provider))
  })

  it.play("H055 is found behind a junk duplicate of its cookie", stored(), function* ({ person, provider }) {
    yield* signInAt(person, provider)
    const token = person.cookies.get(name) ?? ""
    const seen = yield* person.get("/auth/session", { cookie: `${name}=junk; ${name}=${token}` })
    assert.strictEqual(JSON.parse(seen.body).user.name, "Ada")
  })

  it.effect("H061 is a new one after every sign-in, and the old one ends", () => {
    const adapter = store()
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      const first = person.cookies.get(name) ?? ""
      yield* signInAt(person, provider)
      const second = person.cookies.get(name) ?? ""
      assert.notStrictEqual(first, second)
      assert.isTrue(Option.isNone(yield* adapter.getSessionAndUser(first)))
      assert.isTrue(Option.isSome(yield* adapter.getSessionAndUser(second)))
    }).pipe(at(database(adapter), provider))
  })

  it.play("H081 gives its owner another CSRF token than a signed-out visitor has", stored(), function* (scene) {
    const { person, provider } = scene
    const before = JSON.parse((yield* person.get("/auth/csrf")).body).csrfToken
    yield* signInAt(person, provider)
    const after = JSON.parse((yield* person.get("/auth/csrf")).body).csrfToken
    assert.notStrictEqual(before, after)
  })

  it.effect("belongs to a user whom a password named, for any strategy of other providers", () => {
    const adapter = store()
    const person = browser()
    return Effect.gen(function* () {
      yield* adapter.createUser({
        id: asUserId("id of ann"),
        email: "ann@example.com",
        emailVerified: null,
        name: "Ann"
      })
      const back = yield* person.signInWithPassword("ann")
      assert.strictEqual(back.status, 302)
      assert.deepStrictEqual((yield* person.session)?.user, { name: "Ann", email: "ann@example.com" })
      const other = browser()
      const refused = yield* other.signInWithPassword("stranger")
      assert.strictEqual(refused.failure?._tag, "CallbackRouteError")
      assert.isFalse(other.cookies.has(name))
    }).pipe(at(database(adapter)))
  })

  it.effect("has tokens of the application's own, when it makes them", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      assert.strictEqual(person.cookies.get(name), "a-token-of-the-application")
    }).pipe(at(database(store(), { session: { generateSessionToken: () => "a-token-of-the-application" } }), provider))
  })

  it.effect("is not made with a token that an attacker could guess", () => {
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const back = yield* signInAt(person, provider)
      assert.strictEqual(back.failure?._tag, "CallbackRouteError")
      assert.isFalse(person.cookies.has(name))
    }).pipe(at(database(store(), { session: { generateSessionToken: () => "1" } }), provider))
  })

  it.effect("stays a token when the configuration says so, beside a store", () => {
    const adapter = store({ createSession: () => broken("createSession") })
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const back = yield* signInAt(person, provider)
      assert.isUndefined(back.failure)
      const session = yield* person.session
      assert.strictEqual(session?.user?.["email"], "ada@example.com")
      const user = Option.getOrThrow(yield* adapter.getUserByEmail("ada@example.com"))
      assert.strictEqual(user.name, "Ada")
    }).pipe(at(database(adapter, { session: { strategy: "jwt" } }), provider))
  })

  it.effect("H269 sets no cookie when the row could not be written", () => {
    const adapter = store({ createSession: () => broken("createSession") })
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      const back = yield* signInAt(person, provider)
      assert.strictEqual(back.failure?._tag, "AdapterError")
      assert.isFalse(person.cookies.has(name))
      assert.isTrue(Option.isNone(yield* adapter.getUserByEmail("ada@example.com")))
    }).pipe(at(database(adapter), provider))
  })

  it.effect("is kept by a store that a layer provides", () => {
    const adapter = store()
    const provider = memoryProvider()
    const person = browser()
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      assert.isTrue(Option.isSome(yield* adapter.getUserByEmail("ada@example.com")))
    }).pipe(at({ ...config(), adapter: Effect.succeed(adapter) }, provider), Effect.provideService(Adapter, adapter))
  })
})
