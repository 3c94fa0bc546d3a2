import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { compile } from "../../src/config/Settings.ts"
import { options, otherSecret, secret } from "../Visitor.ts"

/** Options as JavaScript passes them. */
const compiled = (members: object) => compile({ ...options(), ...members })

const problemsOf = (members: object) =>
  compiled(members)
    .problems()
    .map(({ error, level, stops }) => [error.field, level, stops])

const settingsOf = (members: object) => Result.getOrThrow(compiled(members).settings)

describe("options as plain JavaScript writes them", () => {
  for (const name of ["pages", "callbacks", "events", "session", "jwt", "cookies", "theme", "experimental", "debug"]) {
    it(`${name}: null means that it is not set`, () => {
      assert.deepStrictEqual(problemsOf({ [name]: null }), [])
      assert.strictEqual(settingsOf({ [name]: null }).session.strategy, "jwt")
    })
  }

  it("null in a section means that the member is not set", () => {
    const members = {
      session: { strategy: null, maxAge: null, generateSessionToken: null },
      callbacks: { redirect: null, jwt: null },
      cookies: { sessionToken: null, state: { name: null } }
    }
    assert.deepStrictEqual(problemsOf({ ...members, cookies: { sessionToken: null } }), [])
    assert.strictEqual(settingsOf({ ...members, cookies: {} }).session.maxAge, 2_592_000)
  })

  const flags: ReadonlyArray<readonly [unknown, boolean]> = [
    [true, true],
    ["true", true],
    ["1", true],
    ["yes", true],
    [1, true],
    [false, false],
    ["false", false],
    ["0", false],
    [" Off ", false],
    ["", false],
    [0, false]
  ]
  for (const [value, expected] of flags) {
    it(`a flag of ${JSON.stringify(value)} is ${expected}`, () => {
      assert.strictEqual(settingsOf({ useSecureCookies: value }).useSecureCookies, expected)
      const untrusted = problemsOf({ trustHost: value }).map(([field]) => field)
      assert.deepStrictEqual(untrusted, expected ? [] : ["trustHost"])
    })
  }

  it("a time may be the text of a number", () => {
    assert.strictEqual(settingsOf({ session: { maxAge: "3600" } }).session.maxAge, 3600)
    assert.deepStrictEqual(problemsOf({ session: { maxAge: "3600" } }), [])
    assert.strictEqual(settingsOf({ session: { updateAge: "one hour" } }).session.updateAge, undefined)
    assert.deepStrictEqual(problemsOf({ session: { updateAge: "x" } }), [["session.updateAge", "error", "nowhere"]])
  })

  it("sameSite counts in any case", () => {
    const { plainCookies } = settingsOf({ cookies: { sessionToken: { options: { sameSite: "Strict" } } } })
    assert.strictEqual(plainCookies.sessionToken.options.sameSite, "strict")
  })

  it("a secret that is not set is left out of the list", () => {
    const settings = settingsOf({ secret: [undefined, secret, null, otherSecret] })
    assert.deepStrictEqual(settings.secrets.map(Redacted.value), [secret, otherSecret])
    assert.deepStrictEqual(problemsOf({ secret: [secret, undefined] }), [["secret", "warning", "nowhere"]])
    assert.deepStrictEqual(problemsOf({ secret: [undefined] })[0]?.slice(1), ["error", "everywhere"])
  })

  it("P241 an empty secret in the list stops production, and is left out elsewhere", () => {
    assert.deepStrictEqual(problemsOf({ secret: ["", secret] }), [["secret", "warning", "production"]])
    assert.deepStrictEqual(settingsOf({ secret: ["", secret] }).secrets.map(Redacted.value), [secret])
    assert.deepStrictEqual(problemsOf({ secret: ["", ""] })[0], ["secret", "error", "everywhere"])
  })

  const needed: ReadonlyArray<readonly [string, object]> = [
    ["callbacks.signIn", { callbacks: { signIn: true } }],
    ["callbacks.jwt", { callbacks: { jwt: {} } }],
    ["jwt.decode", { jwt: { decode: "x" } }],
    ["session.strategy", { session: { strategy: "JWT" } }],
    ["session.maxAge", { session: { maxAge: "one hour" } }],
    ["jwt.maxAge", { jwt: { maxAge: -1 } }],
    ["cookies.state.options.sameSite", { cookies: { state: { options: { sameSite: "odd" } } } }],
    ["redirectProxyOrigins", { redirectProxyOrigins: "https://preview.example.com" }],
    ["redirectProxyOrigins", { redirectProxyOrigins: new Set(["https://preview.example.com"]) }],
    ["redirectProxyOrigins", { redirectProxyOrigins: { 0: "https://preview.example.com" } }],
    ["redirectProxyOrigins", { redirectProxyOrigins: "" }],
    ["redirectProxyOrigins", { redirectProxyOrigins: null }],
    ["redirectProxyOrigins.0", { redirectProxyOrigins: [new URL("https://preview.example.com")] }],
    ["unprovenAddress", { unprovenAddress: "Release" }],
    ["unprovenAddress", { unprovenAddress: true }],
    ["jwt.secret", { jwt: { secret: 5 } }],
    ["basePath", { basePath: 5 }],
    ["retiredSecrets", { retiredSecrets: "x" }],
    ["session", { session: "jwt" }],
    ["session", { session: new Map([["maxAge", 60]]) }],
    ["jwt", { jwt: new Map([["maxAge", 60]]) }],
    ["cookies", { cookies: new Map() }],
    ["callbacks", { callbacks: new Map([["signIn", () => false]]) }],
    ["callbacks", { callbacks: new Set() }],
    ["callbacks", { callbacks: Promise.resolve({ signIn: () => false }) }],
    ["callbacks", { callbacks: [] }],
    ["callbacks", { callbacks: () => ({ signIn: () => false }) }],
    ["redirectProxyOrigins.1", { redirectProxyOrigins: ["https://preview.example.com", undefined] }],
    ["providers", { providers: {} }]
  ]
  for (const [field, members] of needed) {
    it(`${field} of a wrong type stops everything: nothing could stand in for it`, () => {
      assert.deepStrictEqual(problemsOf(members), [[field, "error", "everywhere"]])
    })
  }

  it("an event of a wrong type is left out and logged; the others are called", () => {
    const signIn = () => {}
    const { events } = settingsOf({ events: { signIn, signOut: 5 } })
    assert.deepStrictEqual(Object.entries(events), [["signIn", signIn]])
    assert.deepStrictEqual(problemsOf({ events: { signIn, signOut: 5 } }), [["events.signOut", "error", "nowhere"]])
  })

  it("a missing list of proxied origins allows all; an empty one allows none", () => {
    const origin = "https://preview.example.com"
    assert.isTrue(settingsOf({ redirectProxyOrigins: undefined }).redirectProxyOrigins(origin))
    assert.isFalse(settingsOf({ redirectProxyOrigins: [] }).redirectProxyOrigins(origin))
  })

  it("callbacks may be the methods of a class, and the members of a module", () => {
    const refuse = () => false
    class Own {
      signIn() {
        return false
      }
    }
    for (const callbacks of [
      new Own(),
      Object.create({ signIn: refuse }) as object,
      Object.assign(Object.create(null), { signIn: refuse }) as object
    ]) {
      assert.deepStrictEqual(problemsOf({ callbacks }), [])
      assert.isFunction(settingsOf({ callbacks }).callbacks.signIn)
    }
  })

  it("changes nothing that the application gave", () => {
    const frozen = Object.freeze({
      session: Object.freeze({ maxAge: "60", strategy: null }),
      pages: Object.freeze({ signIn: 5 }),
      secret: Object.freeze([undefined, secret])
    })
    assert.strictEqual(settingsOf(frozen).session.maxAge, 60)
    class Own {
      strategy = null
    }
    const session = new Own()
    compiled({ session })
    assert.isNull(session.strategy)
  })
})
