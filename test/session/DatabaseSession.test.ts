import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import { Adapter, makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { AdapterError } from "../../src/Errors.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { attributesOf, browser, config, cookieOf, signInAt, start, visit } from "../Browser.ts"

const name = "__Host-authjs.session-token"
const day = 24 * 60 * 60 * 1000
const month = 30 * day

const on = (milliseconds: number): Date => new Date(milliseconds)

/** A visit to a site with a store of its own. Its methods in `broken` fail, as long as they are in it. */
const stored = (more: Partial<Options> = {}, ...failing: ReadonlyArray<keyof AdapterShape>) => {
  const real = makeMemory()
  const broken = new Set(failing)
  const unless = <A>(method: keyof AdapterShape, call: Effect.Effect<A, AdapterError>) =>
    Effect.suspend(() =>
      broken.has(method)
        ? Effect.fail(new AdapterError({ method, reason: "unavailable", detail: "The test says so" }))
        : call
    )
  const adapter: AdapterShape = {
    ...real,
    createSession: (session) => unless("createSession", real.createSession(session)),
    getSessionAndUser: (token) => unless("getSessionAndUser", real.getSessionAndUser(token)),
    deleteSession: (token) => unless("deleteSession", real.deleteSession(token))
  }
  return { ...visit(config({ adapter, ...more })), adapter, broken }
}

const sessionLine = (lines: ReadonlyArray<string>) => lines.find((line) => cookieOf(line).name === name)

describe("a session in a database", () => {
  it.effect("is made by a sign-in, read, and ended by a sign-out", () => {
    const told: Array<unknown> = []
    const events: Options["events"] = {
      createUser: ({ user }) => told.push(["createUser", user.email]),
      linkAccount: ({ account }) => told.push(["linkAccount", account.providerAccountId]),
      signIn: ({ isNewUser }) => told.push(["signIn", isNewUser]),
      session: ({ session, token }) => told.push(["session", session.user?.name, token]),
      signOut: ({ session, token }) => told.push(["signOut", session?.userId, token])
    }
    const { adapter, at, person, provider } = stored({ events })
    return Effect.gen(function* () {
      const back = yield* signInAt(person, provider)
      assert.strictEqual(back.status, 302)
      const line = sessionLine(back.lines) ?? ""
      assert.match(cookieOf(line).value, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
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
    }).pipe(at)
  })

  it.play(
    "is renewed after updateAge, with its cookie, and says the end that was just written",
    stored(),
    function* ({ adapter, person, provider }) {
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
    }
  )

  it.play(
    "is renewed at every read when updateAge is 0",
    stored({ session: { maxAge: 60, updateAge: 0 } }),
    function* ({ person, provider }) {
      yield* signInAt(person, provider)
      yield* TestClock.adjust(1000)
      const seen = yield* person.get("/auth/session")
      assert.strictEqual(JSON.parse(seen.body).expires, on(start + 1000 + 60_000).toISOString())
      assert.isDefined(sessionLine(seen.lines))
    }
  )

  it.play(
    "H052 is none once it has expired, anywhere, and its row goes",
    stored({ session: { maxAge: 60 } }),
    function* ({ adapter, person, provider }) {
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
    }
  )

  it.play("H062 is rejected at once when its user is deleted", stored(), function* ({ adapter, person, provider }) {
    yield* signInAt(person, provider)
    const row = Option.getOrThrow(yield* adapter.getSessionAndUser(person.cookies.get(name) ?? ""))
    yield* adapter.deleteUser(row.user.id)
    assert.isNull(yield* person.session)
  })

  it.effect("H251, P133 that was deleted while it was read stays deleted", () => {
    const real = makeMemory()
    const adapter: AdapterShape = {
      ...real,
      updateSession: (change) => Effect.andThen(real.deleteSession(change.sessionToken), real.updateSession(change))
    }
    const { at, person, provider } = visit(config({ adapter }))
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      yield* TestClock.adjust(2 * day)
      const seen = yield* person.get("/auth/session")
      assert.strictEqual(seen.body, "null")
      assert.isFalse(person.cookies.has(name))
    }).pipe(at)
  })

  it.play("is null for one answer when the store fails, and the cookie stays", stored(), function* (scene) {
    const { broken, log, person, provider } = scene
    yield* signInAt(person, provider)
    broken.add("getSessionAndUser")
    const seen = yield* person.get("/auth/session")
    assert.deepStrictEqual([seen.status, seen.body, seen.lines.length], [200, "null", 0])
    assert.isTrue(log.entries.some(({ message }) => Reflect.get(Object(message), "_tag") === "SessionTokenError"))
    broken.clear()
    assert.strictEqual((yield* person.session)?.user?.["name"], "Ada")
  })

  it.play(
    "H268 that cannot be deleted ends all the same, and no answer says that all is well",
    stored({}, "deleteSession"),
    function* ({ person, provider }) {
      yield* signInAt(person, provider)
      const token = person.cookies.get(name) ?? ""
      const left = yield* person.submit("/auth/signout")
      assert.strictEqual(left.failure?._tag, "SignOutError")
      assert.include(left.location, "/auth/error?error=Configuration")
      assert.isFalse(person.cookies.has(name))
      person.cookies.set(name, token)
      assert.isNull(yield* person.session)
    }
  )

  it.play("H268 links no account to its user, although the row is still there", stored(), function* (scene) {
    const { adapter, broken, person, provider } = scene
    yield* signInAt(person, provider)
    const token = person.cookies.get(name) ?? ""
    const ada = Option.getOrThrow(yield* adapter.getUserByEmail("ada@example.com"))
    broken.add("deleteSession")
    yield* person.submit("/auth/signout")
    broken.clear()
    const stranger = browser()
    stranger.cookies.set(name, token)
    Object.assign(provider.claims, { sub: "person-2", email: "eve@example.com", name: "Eve" })
    yield* signInAt(stranger, provider)
    const { userId } = Option.getOrThrow(yield* adapter.getAccount("person-2", "idp"))
    assert.notStrictEqual(userId, ada.id)
    assert.strictEqual((yield* stranger.session)?.user?.["name"], "Eve")
  })

  it.play(
    "H064 never shows its token to scripts",
    stored({ callbacks: { session: ({ session }) => session } }),
    function* ({ person, provider }) {
      yield* signInAt(person, provider)
      const token = person.cookies.get(name) ?? "-"
      const whole = yield* person.get("/auth/session")
      assert.include(whole.body, '"userId"')
      assert.notInclude(whole.body, token)
    }
  )

  it.effect("H064 is refused when the application returns the token by name", () => {
    const callbacks: Options["callbacks"] = {
      session: ({ session }) => ({ ...session, mine: Reflect.get(session, "sessionToken") })
    }
    const { at, log, person, provider } = stored({ callbacks })
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      assert.isNull(yield* person.session)
      assert.isTrue(person.cookies.has(name))
      assert.isTrue(
        log.entries.some(({ message }) =>
          /must not return the token/.test(String(Reflect.get(Object(message), "message")))
        )
      )
    }).pipe(at)
  })

  it.effect("passes the changes of a client to the callback, with the trigger, and changes nothing by itself", () => {
    const asked: Array<unknown> = []
    const callbacks: Options["callbacks"] = {
      session: ({ newSession, session, token, trigger, user }) => {
        asked.push([newSession, trigger, token, user?.email])
        return { expires: session.expires, user: { name: "shown" } }
      }
    }
    const { at, person, provider } = stored({ callbacks })
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
    }).pipe(at)
  })

  it.play("H055 is found behind a junk duplicate of its cookie", stored(), function* ({ person, provider }) {
    yield* signInAt(person, provider)
    const token = person.cookies.get(name) ?? ""
    const seen = yield* person.get("/auth/session", { cookie: `${name}=junk; ${name}=${token}` })
    assert.strictEqual(JSON.parse(seen.body).user.name, "Ada")
  })

  it.play(
    "H061 is a new one after every sign-in, and the old one ends",
    stored(),
    function* ({ adapter, person, provider }) {
      yield* signInAt(person, provider)
      const first = person.cookies.get(name) ?? ""
      yield* signInAt(person, provider)
      const second = person.cookies.get(name) ?? ""
      assert.notStrictEqual(first, second)
      assert.isTrue(Option.isNone(yield* adapter.getSessionAndUser(first)))
      assert.isTrue(Option.isSome(yield* adapter.getSessionAndUser(second)))
    }
  )

  it.play("H081 gives its owner another CSRF token than a signed-out visitor has", stored(), function* (scene) {
    const { person, provider } = scene
    const before = JSON.parse((yield* person.get("/auth/csrf")).body).csrfToken
    yield* signInAt(person, provider)
    const after = JSON.parse((yield* person.get("/auth/csrf")).body).csrfToken
    assert.notStrictEqual(before, after)
  })

  it.play(
    "belongs to a user whom a password named, for any strategy of other providers",
    stored(),
    function* ({ adapter, person }) {
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
    }
  )

  it.play(
    "has tokens of the application's own, when it makes them",
    stored({ session: { generateSessionToken: () => "a-token-of-the-application" } }),
    function* ({ person, provider }) {
      yield* signInAt(person, provider)
      assert.strictEqual(person.cookies.get(name), "a-token-of-the-application")
    }
  )

  it.play(
    "is not made with a token that an attacker could guess",
    stored({ session: { generateSessionToken: () => "1" } }),
    function* ({ person, provider }) {
      const back = yield* signInAt(person, provider)
      assert.strictEqual(back.failure?._tag, "CallbackRouteError")
      assert.isFalse(person.cookies.has(name))
    }
  )

  it.play(
    "stays a token when the configuration says so, beside a store",
    stored({ session: { strategy: "jwt" } }, "createSession"),
    function* ({ adapter, person, provider }) {
      const back = yield* signInAt(person, provider)
      assert.isUndefined(back.failure)
      const session = yield* person.session
      assert.strictEqual(session?.user?.["email"], "ada@example.com")
      const user = Option.getOrThrow(yield* adapter.getUserByEmail("ada@example.com"))
      assert.strictEqual(user.name, "Ada")
    }
  )

  it.play(
    "H269 sets no cookie when the row could not be written",
    stored({}, "createSession"),
    function* ({ adapter, person, provider }) {
      const back = yield* signInAt(person, provider)
      assert.strictEqual(back.failure?._tag, "AdapterError")
      assert.isFalse(person.cookies.has(name))
      assert.isTrue(Option.isNone(yield* adapter.getUserByEmail("ada@example.com")))
    }
  )

  it.effect("is kept by a store that a layer provides", () => {
    const adapter = makeMemory()
    const { at, person, provider } = visit({ ...config(), adapter: Effect.succeed(adapter) })
    return Effect.gen(function* () {
      yield* signInAt(person, provider)
      assert.isTrue(Option.isSome(yield* adapter.getUserByEmail("ada@example.com")))
    }).pipe(at, Effect.provideService(Adapter, adapter))
  })
})
