import { assert, describe, it } from "@effect/vitest"
import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import type { Options } from "../src/config/Settings.ts"
import type { JwtParams } from "../src/Callbacks.ts"
import { chunkLength } from "../src/http/CookieHeader.ts"
import { keyring } from "../src/crypto/Keyring.ts"
import * as Jwe from "../src/crypto/Jwe.ts"
import { at, attributesOf, browser, config, cookieOf, type Log, settled, start } from "./Browser.ts"
import { forge } from "./crypto/Forge.ts"
import { otherSecret, password, secret } from "./Visitor.ts"

const name = "__Host-authjs.session-token"
const day = 24 * 60 * 60
const now = start / 1000

/** Dates of the clock of the test, in milliseconds, as JSON and as cookies write them. */
const iso = (at: number): string => new Date(at).toISOString()
const utc = (at: number): string => new Date(at).toUTCString()

/** Seals claims as of a time in seconds. */
const seal = (
  claims: object,
  options: { at?: number; maxAge?: number; salt?: string; secret?: string } = {}
): string => {
  const ring = keyring([options.secret ?? secret], options.salt ?? name)
  const sealed = Jwe.seal(
    ring,
    { ...claims },
    { now: options.at ?? now, maxAge: options.maxAge ?? 30 * day, random: (size) => new Uint8Array(size).fill(7) }
  )
  return sealed as string
}

const open = (token: string, key = secret, at = now) => Jwe.open(keyring([key], name), token, { now: at }) as Jwe.Opened

const ann = { name: "Ann", email: "ann@example.com", picture: "https://app.example/ann.png", sub: "1" }

const visible = { name: "Ann", email: "ann@example.com", image: "https://app.example/ann.png" }

/** A browser that holds a session token. */
const holding = (token: string = seal(ann)) => {
  const person = browser()
  person.cookies.set(name, token)
  return person
}

const credentials = (more: Partial<Options> = {}) => config({ providers: [password()], ...more })

const errors = (log: Log, level = "Error") =>
  log.entries.filter((entry) => entry.level === level).map(({ message }) => message)

const tags = (log: Log, level?: string) => errors(log, level).map((error) => (error as { readonly _tag: string })._tag)

describe("Session", () => {
  it.effect("is null for a signed-out visitor, without a cookie and without an entry in the log", () => {
    const log: Log = { entries: [] }
    return Effect.gen(function* () {
      const seen = yield* browser().get("/auth/session")
      assert.strictEqual(seen.status, 200)
      assert.strictEqual(seen.body, "null")
      assert.deepStrictEqual(seen.lines, [])
      assert.deepStrictEqual(log.entries, [])
    }).pipe(at(credentials(), undefined, log))
  })

  it.gen("shows name, email and image, and renews token and cookie when that is due", at(credentials()), function* () {
    const person = holding()
    yield* TestClock.adjust("10 days")
    const seen = yield* person.get("/auth/session")
    const expires = start + 40 * day * 1000
    assert.deepStrictEqual(JSON.parse(seen.body), { user: visible, expires: iso(expires) })
    const [line = "", ...more] = seen.lines
    assert.deepStrictEqual(more, [])
    assert.deepStrictEqual(attributesOf(line), {
      path: "/",
      expires: utc(expires),
      httponly: "",
      secure: "",
      samesite: "Lax"
    })
    const opened = open(cookieOf(line).value, secret, now + 10 * day)
    assert.isTrue(opened.ok)
    if (opened.ok) assert.deepInclude(opened.claims, { ...ann, iat: now + 10 * day, exp: now + 40 * day })
  })

  it.gen(
    "writes nothing before that is due: a poll under way at a sign-out brings no session back",
    at(credentials()),
    function* () {
      const person = holding()
      yield* TestClock.adjust("23 hours")
      assert.deepStrictEqual((yield* person.get("/auth/session")).lines, [])
      yield* TestClock.adjust("1 hour")
      assert.lengthOf((yield* person.get("/auth/session")).lines, 1)
    }
  )

  it.gen("outlives any number of reads, and ends thirty days after the last", at(credentials()), function* () {
    const person = holding()
    for (let reads = 0; reads < 4; reads++) {
      yield* TestClock.adjust("29 days")
      assert.isNotNull(yield* person.session)
    }
    yield* TestClock.adjust("30 days")
    yield* TestClock.adjust("16 seconds")
    assert.isNull(yield* person.session)
    assert.isFalse(person.cookies.has(name))
  })

  it.effect("with updateAge leaves a fresh cookie alone and tells when it really ends", () =>
    Effect.gen(function* () {
      const person = holding()
      yield* TestClock.adjust("23 hours")
      const fresh = yield* person.get("/auth/session")
      assert.deepStrictEqual(fresh.lines, [])
      assert.strictEqual(JSON.parse(fresh.body).expires, iso(start + 30 * day * 1000))
      yield* TestClock.adjust("1 hour")
      const due = yield* person.get("/auth/session")
      assert.strictEqual(due.lines.length, 1)
      assert.strictEqual(JSON.parse(due.body).expires, iso(start + 31 * day * 1000))
    }).pipe(at(credentials({ session: { updateAge: day } })))
  )

  it.effect("takes its lifetimes from session.maxAge and jwt.maxAge", () =>
    Effect.gen(function* () {
      const person = holding()
      const seen = yield* person.get("/auth/session")
      assert.strictEqual(attributesOf(seen.lines[0] ?? "")["expires"], utc(start + 3600_000))
      const opened = open(person.cookies.get(name) ?? "")
      assert.isTrue(opened.ok && opened.claims.exp === now + 600)
      yield* TestClock.adjust("10 minutes")
      yield* TestClock.adjust("16 seconds")
      assert.isNull(yield* person.session)
    }).pipe(at(credentials({ session: { maxAge: 3600, updateAge: 0 }, jwt: { maxAge: 600 } })))
  )

  it.gen(
    "survives a lifetime that no calendar has",
    at(credentials({ session: { maxAge: 1e300, updateAge: 0 } })),
    function* () {
      const seen = yield* holding().get("/auth/session")
      assert.strictEqual(JSON.parse(seen.body).expires, "+275760-09-13T00:00:00.000Z")
      assert.strictEqual(seen.status, 200)
    }
  )

  it.effect("gives the jwt callback the claims of the token and keeps what it returns", () => {
    const calls: Array<JwtParams> = []
    const person = holding()
    return Effect.gen(function* () {
      yield* person.get("/auth/session")
      const [call] = calls
      assert.deepStrictEqual(Object.keys(call ?? {}), ["token", "session"])
      assert.isUndefined(call?.session)
      assert.deepInclude(call?.token, { ...ann, iat: now, exp: now + 30 * day })
      assert.isString(call?.token.jti)
      const opened = open(person.cookies.get(name) ?? "")
      assert.isTrue(opened.ok && opened.claims["role"] === "admin")
    }).pipe(
      at(
        credentials({
          callbacks: {
            jwt: (params) => {
              calls.push(params)
              return { ...params.token, role: "admin" }
            }
          }
        })
      )
    )
  })

  it.effect("ends when the jwt callback returns null", () => {
    const log: Log = { entries: [] }
    const events: Array<unknown> = []
    const person = holding()
    return Effect.gen(function* () {
      const seen = yield* person.get("/auth/session")
      assert.strictEqual(seen.body, "null")
      assert.isFalse(person.cookies.has(name))
      assert.deepStrictEqual(events, [])
      assert.deepStrictEqual(log.entries, [])
    }).pipe(
      at(
        credentials({ callbacks: { jwt: () => null }, events: { session: (message) => events.push(message) } }),
        undefined,
        log
      )
    )
  })

  it.effect("shows what the session callback returns, and tells the session event", () => {
    const events: Array<unknown> = []
    return Effect.gen(function* () {
      const seen = yield* holding().get("/auth/session")
      const session = JSON.parse(seen.body)
      assert.deepStrictEqual(session, { user: { id: "1", ...visible }, expires: iso(start + 30 * day * 1000) })
      assert.strictEqual(events.length, 1)
      assert.deepInclude(events[0], { session })
      assert.deepInclude(Reflect.get(Object(events[0]), "token"), ann)
    }).pipe(
      at(
        credentials({
          callbacks: { session: ({ session, token }) => ({ ...session, user: { id: token?.sub, ...session.user } }) },
          events: { session: (message) => events.push(message) }
        })
      )
    )
  })

  it.effect("is null when the session callback returns null", () =>
    Effect.gen(function* () {
      const seen = yield* holding().get("/auth/session")
      assert.strictEqual(seen.body, "null")
    }).pipe(
      // JavaScript may return more than the type allows.
      at(credentials({ callbacks: { session: () => null as never } }))
    )
  )

  it.effect("answers although an event handler fails, and says so in the log", () => {
    const log: Log = { entries: [] }
    return Effect.gen(function* () {
      const seen = yield* holding().get("/auth/session")
      assert.deepStrictEqual(JSON.parse(seen.body).user, visible)
      assert.deepStrictEqual(tags(log), ["EventError"])
    }).pipe(at(credentials({ events: { session: () => Promise.reject(new Error("full")) } }), undefined, log))
  })

  describe("H068 a failing callback", () => {
    const failing: ReadonlyArray<readonly [string, NonNullable<Options["callbacks"]>]> = [
      ["H068 session throws", { session: () => assert.fail("broken") }],
      ["H068 session rejects", { session: () => Promise.reject(new Error("broken")) }],
      ["H068 session fails as an Effect", { session: () => Effect.fail("broken") }],
      ["H068 session dies as an Effect", { session: () => Effect.die("broken") }],
      ["H068 session returns undefined", { session: () => undefined as never }],
      ["H068 session returns text", { session: () => "me" as never }],
      ["H068 session returns what JSON cannot hold", { session: () => ({ expires: "", big: 1n }) }],
      ["H068 jwt throws", { jwt: () => assert.fail("broken") }]
    ]
    for (const [title, callbacks] of failing) {
      it.effect(`${title}: no user is shown, the cookie stays, the failure is logged once`, () => {
        const log: Log = { entries: [] }
        const person = holding()
        return Effect.gen(function* () {
          const seen = yield* person.get("/auth/session")
          assert.strictEqual(seen.status, 200)
          assert.strictEqual(seen.body, "null")
          assert.deepStrictEqual(seen.lines, [])
          assert.isTrue(person.cookies.has(name))
          assert.deepStrictEqual(tags(log), ["JwtSessionError"])
        }).pipe(at(credentials({ callbacks }), undefined, log))
      })
    }

    it.effect("H068 session never answers: it is given up after thirty seconds", () => {
      const log: Log = { entries: [] }
      return Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(holding().get("/auth/session"))
        yield* settled
        yield* TestClock.adjust("29 seconds")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("2 seconds")
        const seen = yield* Fiber.join(fiber)
        assert.strictEqual(seen.body, "null")
        assert.deepStrictEqual(seen.lines, [])
        assert.deepStrictEqual(tags(log), ["JwtSessionError"])
        assert.include(inspect(log.entries, { depth: 6 }), "30 seconds")
      }).pipe(at(credentials({ callbacks: { session: () => new Promise(() => undefined) } }), undefined, log))
    })
  })

  it.effect("keeps the old token when the new one cannot be made", () => {
    const log: Log = { entries: [] }
    const token = seal(ann)
    const person = holding(token)
    return Effect.gen(function* () {
      const seen = yield* person.get("/auth/session")
      assert.deepStrictEqual(JSON.parse(seen.body).user, visible)
      assert.strictEqual(person.cookies.get(name), token)
      assert.deepStrictEqual(tags(log), ["JwtSessionError"])
    }).pipe(
      at(credentials({ jwt: { encode: () => Promise.reject(new Error("no key")), decode: () => ann } }), undefined, log)
    )
  })

  it.effect("H058 keeps the old token when the session grew to 200 kB", () => {
    const log: Log = { entries: [] }
    const token = seal(ann)
    const person = holding(token)
    return Effect.gen(function* () {
      const seen = yield* person.get("/auth/session")
      assert.deepStrictEqual(JSON.parse(seen.body).user, visible)
      assert.deepStrictEqual(seen.lines, [])
      assert.strictEqual(person.cookies.get(name), token)
      assert.deepStrictEqual(tags(log), ["JwtSessionError"])
      assert.match(String(Reflect.get(Object(errors(log)[0]), "message")), /too_large, \d{6} of 19680/)
    }).pipe(
      at(credentials({ callbacks: { jwt: ({ token }) => ({ ...token, all: "x".repeat(200_000) }) } }), undefined, log)
    )
  })

  it.effect("P214 spreads a large token over cookies that browsers keep, and takes them back when it shrinks", () => {
    const state = { size: 9_000 }
    const person = holding()
    return Effect.gen(function* () {
      const grown = yield* person.get("/auth/session")
      assert.deepStrictEqual(
        grown.lines.map((line) => [cookieOf(line).name, cookieOf(line).gone]),
        [
          [name, true],
          [`${name}.0`, false],
          [`${name}.1`, false],
          [`${name}.2`, false],
          [`${name}.3`, false]
        ]
      )
      for (const line of grown.lines) assert.isAtMost(cookieOf(line).value.length, chunkLength)
      assert.isNotNull(yield* person.session)
      state.size = 0
      yield* person.get("/auth/session")
      assert.sameMembers([...person.cookies.keys()], [name])
      assert.isNotNull(yield* person.session)
    }).pipe(at(credentials({ callbacks: { jwt: ({ token }) => ({ ...token, all: "x".repeat(state.size) }) } })))
  })

  it.gen("H064 never tells scripts the token", at(credentials()), function* () {
    const token = seal(ann)
    const person = holding(token)
    const seen = yield* person.get("/auth/session")
    const renewed = person.cookies.get(name) ?? ""
    for (const secretText of [token, renewed, renewed.slice(-40)]) assert.notInclude(seen.body, secretText)
    for (const line of seen.lines) assert.include(line, "; HttpOnly")
    assert.notInclude(seen.body, "jti")
  })

  it.gen("H069, H071 forbids caching and says what it is, for every client", at(credentials()), function* () {
    for (const person of [browser(), holding(), holding("junk")]) {
      for (const path of ["/auth/session", "/auth/csrf", "/auth/providers", "/auth/signin", "/auth/error"]) {
        const { headers } = yield* person.get(path)
        assert.match(headers.get("cache-control") ?? "", /\bprivate\b.*\bno-store\b/, path)
        assert.strictEqual(headers.get("vary"), "Cookie", path)
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff", path)
        assert.match(headers.get("content-type") ?? "", /^(?:application\/json|text\/html; charset=utf-8)$/, path)
      }
      const refused = yield* person.send("POST", "/auth/session")
      assert.match(refused.headers.get("cache-control") ?? "", /\bno-store\b/)
      assert.strictEqual(refused.headers.get("vary"), "Cookie")
    }
  })

  it.gen("H070 has no validators and no answer without a body", at(credentials()), function* () {
    const seen = yield* holding().get("/auth/session", { "if-none-match": "*", "if-modified-since": utc(start + 1000) })
    assert.strictEqual(seen.status, 200)
    assert.isNull(seen.headers.get("etag"))
    assert.isNull(seen.headers.get("last-modified"))
    assert.isNotNull(JSON.parse(seen.body))
  })

  describe("a cookie that is no session", () => {
    const token = seal(ann)
    const damagedValues: ReadonlyArray<readonly [string, string]> = [
      ["H051 of a damaged token", `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`],
      ["H052 that has expired", seal(ann, { at: now - 31 * day })],
      ["H052 that is not valid yet", seal({ ...ann, nbf: now + 3600 })],
      ["H052 of another deployment", seal(ann, { secret: otherSecret })],
      ["H052 of another purpose", seal(ann, { salt: "__Host-authjs.csrf-token" })],
      ["H052 of the same name without its prefix", seal(ann, { salt: "authjs.session-token" })],
      ["H053 whose token never ends", forge({ payload: { ...ann, iat: now }, secret, salt: name })],
      ["whose token says nothing", "..."],
      ["that is the name of a scheme", "Bearer"]
    ]
    for (const [title, value] of damagedValues) {
      it.effect(`${title} is removed, logged once, and every visitor is signed out`, () => {
        const log: Log = { entries: [] }
        const person = holding(value)
        return Effect.gen(function* () {
          const seen = yield* person.get("/auth/session")
          assert.strictEqual(seen.body, "null")
          assert.deepStrictEqual(seen.lines.map(cookieOf), [{ name, value: "", gone: true }])
          assert.deepStrictEqual([tags(log), tags(log, "Info")], [[], ["JwtSessionError"]])
        }).pipe(at(credentials(), undefined, log))
      })
    }
  })

  it.gen("H055, P213 finds the session among junk of the same name", at(credentials()), function* () {
    const token = seal(ann)
    for (const cookie of [`${name}=junk; ${name}=${token}`, `${name}=${token}; ${name}=junk`]) {
      const seen = yield* browser().get("/auth/session", { cookie })
      assert.deepStrictEqual(JSON.parse(seen.body).user, visible)
    }
    const none = yield* browser().get("/auth/session", { cookie: `${name}=junk; ${name}=waste` })
    assert.strictEqual(none.status, 200)
    assert.strictEqual(none.body, "null")
  })

  it.gen("H056, P217 reads an exact set of chunks only, and cleans up what is none", at(credentials()), function* () {
    const token = seal({ ...ann, all: "x".repeat(9_000) })
    const parts = [0, 1, 2, 3].map((at) => token.slice(at * chunkLength, (at + 1) * chunkLength))
    const cookie = (indexes: ReadonlyArray<string | number>) =>
      indexes.map((index, at) => `${name}.${index}=${parts[at % 4]}`).join("; ")
    const whole = yield* browser().get("/auth/session", { cookie: cookie([0, 1, 2, 3]) })
    assert.deepStrictEqual(JSON.parse(whole.body).user, visible)
    for (const indexes of [
      [0, 1, 2],
      [1, 2, 3, 4],
      [0, 1, 3, 4],
      ["00", "01", "02", "03"],
      [0, 1, 2, "3e0"],
      ["+0", 1, 2, 3]
    ]) {
      const seen = yield* browser().get("/auth/session", { cookie: cookie(indexes) })
      assert.strictEqual(seen.body, "null", indexes.join())
      assert.isAbove(seen.lines.length, 0, indexes.join())
      for (const line of seen.lines) assert.isTrue(cookieOf(line).gone, line)
    }
  })

  it.gen("H057, P225 sets at most twenty cookies, for any request", at(credentials()), function* () {
    const many = Array.from({ length: 3_000 }, (_, index) => `${name}.${index}=x`)
    const read = yield* browser().get("/auth/session", { cookie: many.join("; ") })
    assert.strictEqual(read.body, "null")
    assert.isAtMost(read.lines.length, 20)
    const person = browser()
    for (const one of many.slice(0, 1_000)) person.cookies.set(one.slice(0, one.indexOf("=")), "x")
    const signedIn = yield* person.signInWithPassword()
    assert.isAtMost(signedIn.lines.length, 20)
    assert.isNotNull(yield* person.session)
    const signedOut = yield* person.submit("/auth/signout", { callbackUrl: "/bye" })
    assert.isAtMost(signedOut.lines.length, 20)
    assert.isNull(yield* person.session)
  })

  it.gen("H074 does not flap between servers whose clocks differ by five minutes", at(credentials()), function* () {
    for (const difference of [-300, 300]) {
      const person = holding(seal(ann, { at: now + difference }))
      for (let reads = 0; reads < 3; reads++) assert.isNotNull(yield* person.session)
    }
  })

  it.effect("P242 opens tokens of an earlier secret and seals them anew", () => {
    const person = holding(seal(ann, { secret: otherSecret }))
    return Effect.gen(function* () {
      assert.isNotNull(yield* person.session)
      const renewed = person.cookies.get(name) ?? ""
      assert.isTrue(open(renewed).ok)
      assert.isFalse(open(renewed, otherSecret).ok)
    }).pipe(at(credentials({ secret: [secret, otherSecret], session: { updateAge: 0 } })))
  })

  it.effect("goes by the name of the cookie that is configured", () =>
    Effect.gen(function* () {
      const person = browser()
      person.cookies.set("sid", seal(ann, { salt: "sid" }))
      const seen = yield* person.get("/auth/session")
      assert.deepStrictEqual(JSON.parse(seen.body).user, visible)
      assert.match(seen.lines[0] ?? "", /^sid=.*; Domain=app\.example; .*SameSite=Strict$/)
    }).pipe(
      at(
        credentials({
          session: { updateAge: 0 },
          cookies: { sessionToken: { name: "sid", options: { domain: "app.example", sameSite: "strict" } } }
        })
      )
    )
  )
})

describe("Session update", () => {
  const recording = (calls: Array<JwtParams>): NonNullable<Options["callbacks"]> => ({
    jwt: (params) => {
      calls.push(params)
      const name = Reflect.get(Object(params.session), "name")
      return params.trigger === "update" && typeof name === "string" ? { ...params.token, name } : params.token
    }
  })

  const update = Effect.fnUntraced(function* (person: ReturnType<typeof browser>, data: unknown) {
    const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body)
    return yield* person.send("POST", "/auth/session", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken, data })
    })
  })

  it.effect("hands the data to the jwt callback with the trigger update, and renews even a fresh cookie", () => {
    const calls: Array<JwtParams> = []
    const person = holding()
    return Effect.gen(function* () {
      const seen = yield* update(person, { name: "Countess" })
      assert.strictEqual(JSON.parse(seen.body).user.name, "Countess")
      assert.strictEqual(calls[0]?.trigger, "update")
      assert.deepStrictEqual(calls[0]?.session, { name: "Countess" })
      assert.strictEqual((yield* person.session)?.user?.["name"], "Countess")
    }).pipe(at(credentials({ callbacks: recording(calls), session: { updateAge: day } })))
  })

  it.effect("H073 needs POST and the token of this browser", () => {
    const calls: Array<JwtParams> = []
    const person = holding()
    return Effect.gen(function* () {
      for (const body of ["data=x", "csrfToken=wrong&data=x", undefined]) {
        const seen = yield* person.send("POST", "/auth/session", {
          headers: { "content-type": "application/x-www-form-urlencoded" },
          ...(body === undefined ? {} : { body })
        })
        assert.strictEqual(seen.status, 400)
        assert.strictEqual(seen.body, "null")
        assert.deepStrictEqual(seen.lines, [])
      }
      yield* person.get("/auth/session?data=x&trigger=update")
      assert.deepStrictEqual(
        calls.map(({ trigger }) => trigger),
        [undefined]
      )
    }).pipe(at(credentials({ callbacks: recording(calls) })))
  })

  it.effect("H067 never lets a client set the claims that only the server sets", () => {
    const calls: Array<JwtParams> = []
    const person = holding()
    return Effect.gen(function* () {
      yield* update(person, { sub: "2", exp: 9e9, iat: 1, nbf: 0, jti: "x", iss: "x", aud: "x", role: "admin" })
      assert.deepStrictEqual(calls[0]?.session, { role: "admin" })
      const opened = open(person.cookies.get(name) ?? "")
      assert.isTrue(opened.ok && opened.claims["sub"] === "1" && opened.claims["role"] === undefined)
    }).pipe(at(credentials({ callbacks: recording(calls) })))
  })

  it.gen("H067 changes nothing without a jwt callback", at(credentials()), function* () {
    const person = holding()
    const seen = yield* update(person, { name: "Mallory", user: { name: "Mallory" }, role: "admin" })
    assert.deepStrictEqual(JSON.parse(seen.body).user, visible)
    const opened = open(person.cookies.get(name) ?? "")
    assert.isTrue(opened.ok && opened.claims["name"] === "Ann" && opened.claims["role"] === undefined)
  })

  it.effect("H067 refuses a body with a member named like the prototype", () => {
    const calls: Array<JwtParams> = []
    const person = holding()
    return Effect.gen(function* () {
      const refused = yield* Effect.flip(
        person.send("POST", "/auth/session", {
          headers: { "content-type": "application/json" },
          body: '{"csrfToken":"x","data":{"deep":{"__proto__":{"role":"admin"}}}}'
        })
      )
      assert.strictEqual(refused._tag, "MalformedRequest")
      assert.deepStrictEqual(calls, [])
    }).pipe(at(credentials({ callbacks: recording(calls) })))
  })

  it.effect("H076 makes whole sessions of parallel updates, of which the last that arrives stays", () => {
    const person = holding()
    return Effect.gen(function* () {
      const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body)
      const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const seen = yield* Effect.forEach(
        ["Eve", "Mia", "Zoe"],
        (name) =>
          browser().send("POST", "/auth/session", {
            headers: { "content-type": "application/json", cookie },
            body: JSON.stringify({ csrfToken, data: { name } })
          }),
        { concurrency: "unbounded" }
      )
      for (const [index, answer] of seen.entries()) {
        const opened = open(cookieOf(answer.lines[0] ?? "").value)
        assert.isTrue(opened.ok)
        if (opened.ok) assert.deepInclude(opened.claims, { ...ann, name: ["Eve", "Mia", "Zoe"][index] })
      }
    }).pipe(at(credentials({ callbacks: recording([]) })))
  })

  it.effect("H076 makes no session for a user whose session has ended", () => {
    const calls: Array<JwtParams> = []
    const person = browser()
    return Effect.gen(function* () {
      yield* person.signInWithPassword()
      calls.length = 0
      yield* person.submit("/auth/signout")
      const seen = yield* update(person, { name: "Ghost" })
      assert.strictEqual(seen.status, 200)
      assert.strictEqual(seen.body, "null")
      assert.deepStrictEqual(seen.lines, [])
      assert.deepStrictEqual(calls, [])
    }).pipe(at(credentials({ callbacks: recording(calls) })))
  })
})
