import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { asUserId } from "../../src/models/Id.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { skipCSRFCheck } from "../../src/index.ts"
import { AdapterError } from "../../src/Errors.ts"
import { Jwt } from "../../src/Jwt.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { at, browser, config, type Log, start } from "../Browser.ts"
import { password } from "../Visitor.ts"

const cookie = "__Host-authjs.session-token"
const token = "a-session-token-of-thirty-two-characters"
const expires = new Date(start + 60_000)

/** A store with one session of one user, and a second user's. */
const stored = Effect.gen(function* () {
  const store = makeMemory()
  for (const [name, sessionToken] of [
    ["ann", token],
    ["bob", "another-session-token-of-another-person"]
  ] as const) {
    const user = yield* store.createUser({
      id: asUserId(name),
      name,
      email: `${name}@example.com`,
      emailVerified: null
    })
    yield* store.createSession({ sessionToken, userId: user.id, expires })
  }
  return store
})

const options = (adapter: AdapterShape, more: object = {}) =>
  config({ adapter, providers: [], session: { strategy: "database" }, ...more })

const isThere = (store: AdapterShape, sessionToken = token) =>
  Effect.map(store.getSessionAndUser(sessionToken), Option.isSome)

const signOut = (headers: Readonly<Record<string, string>>) =>
  browser().send("POST", "/auth/signout", {
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: "callbackUrl=/bye"
  })

const bearer = (value: string) => ({ authorization: `Bearer ${value}` })

describe("POST signout with a bearer token", () => {
  it.gen("ends a session in the store, and no other one; no form is asked for", function* () {
    const store = yield* stored
    const told: Array<unknown> = []
    const events = { signOut: (message: unknown) => void told.push(message) }
    const seen = yield* signOut(bearer(token)).pipe(at(options(store, { events })))
    assert.strictEqual(seen.status, 302)
    assert.strictEqual(seen.location, "https://app.example/bye")
    assert.isFalse(yield* isThere(store))
    assert.isTrue(yield* isThere(store, "another-session-token-of-another-person"))
    assert.strictEqual(told.length, 1)
  })

  it.gen("ends the session of the cookie and that of the token, with the token of the form", function* () {
    const store = yield* stored
    const ann = browser()
    ann.cookies.set(cookie, "another-session-token-of-another-person")
    yield* Effect.gen(function* () {
      const refused = yield* ann.send("POST", "/auth/signout", { headers: bearer(token) })
      assert.strictEqual(refused.failure?._tag, "MissingCsrf")
      assert.isTrue(yield* isThere(store))
      const { csrfToken } = JSON.parse((yield* ann.get("/auth/csrf")).body)
      const seen = yield* ann.send("POST", "/auth/signout", {
        headers: { ...bearer(token), "content-type": "application/json" },
        body: JSON.stringify({ csrfToken })
      })
      assert.strictEqual(seen.status, 302)
      assert.isUndefined(seen.failure)
    }).pipe(at(options(store)))
    assert.isFalse(yield* isThere(store))
    assert.isFalse(yield* isThere(store, "another-session-token-of-another-person"))
  })

  for (const [title, broken] of [
    ["the row cannot be deleted", ["deleteSession"]],
    ["the store is down", ["deleteSession", "getSessionAndUser"]]
  ] as const) {
    it.gen(`answers an error when ${title}`, function* () {
      const store = yield* stored
      const down = (method: "deleteSession" | "getSessionAndUser") => () =>
        Effect.fail(new AdapterError({ method, reason: "unavailable", detail: "down" }))
      const failing = { ...store, ...Object.fromEntries(broken.map((method) => [method, down(method)])) }
      const seen = yield* signOut(bearer(token)).pipe(at(options(failing)))
      assert.strictEqual(seen.failure?._tag, "SignOutError")
      assert.include(seen.location ?? "", "/auth/error?")
      assert.isTrue(yield* isThere(store))
    })
  }

  it.gen("is what it was where the token is none of a session: a form needs its token", function* () {
    const store = yield* stored
    const deleted: Array<string> = []
    const watched: AdapterShape = {
      ...store,
      deleteSession: (one) => Effect.suspend(() => (deleted.push(one), store.deleteSession(one)))
    }
    for (const value of ["of-some-gateway", "x".repeat(600), "sha256:abc"]) {
      const seen = yield* signOut(bearer(value)).pipe(at(options(watched)))
      assert.strictEqual(seen.failure?._tag, "MissingCsrf", value)
      // With the token of its form, a browser is signed out beside a token that has nothing to do with this site.
      const person = browser()
      person.cookies.set(cookie, token)
      yield* Effect.gen(function* () {
        const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body)
        const headers = { ...bearer(value), "content-type": "application/json" }
        const done = yield* person.send("POST", "/auth/signout", { headers, body: JSON.stringify({ csrfToken }) })
        assert.isUndefined(done.failure)
      }).pipe(at(options(watched)))
    }
    assert.deepStrictEqual(new Set(deleted), new Set([token]))
    assert.isFalse(yield* isThere(store))
  })

  it.gen("is an error for a token of no session where no form has a token", function* () {
    const store = yield* stored
    for (const value of ["of-some-gateway", "x".repeat(600)]) {
      const seen = yield* signOut(bearer(value)).pipe(at(options(store, { skipCSRFCheck })))
      assert.strictEqual(seen.status, 400)
      assert.strictEqual(seen.failure?._tag, "MalformedRequest")
    }
    assert.isTrue(yield* isThere(store))
  })

  it.effect("is an error for a session token that is in no store: it stays valid", () => {
    const log: Log = { entries: [] }
    return Effect.gen(function* () {
      const jwt = yield* Jwt
      for (const salt of [cookie, "authjs.session-token"]) {
        const value = yield* jwt.encode({ sub: "1" }, salt)
        const alone = yield* signOut(bearer(value))
        assert.strictEqual(alone.status, 400)
        assert.strictEqual(alone.failure?._tag, "MalformedRequest")
        // Beside a cookie: the cookie goes, and the answer says that this was not all.
        const person = browser()
        yield* person.signInWithPassword()
        const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body)
        const headers = { ...bearer(value), "content-type": "application/json" }
        const seen = yield* person.send("POST", "/auth/signout", { headers, body: JSON.stringify({ csrfToken }) })
        assert.strictEqual(seen.failure?._tag, "SignOutError")
        assert.isFalse(person.cookies.has(cookie))
      }
      const foreign = yield* signOut(bearer("eyJhbGciOiJub25lIn0.e30."))
      assert.strictEqual(foreign.failure?._tag, "MissingCsrf")
    }).pipe(at(config({ providers: [password()] }), undefined, log))
  })
})
