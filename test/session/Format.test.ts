/**
 * The library's claims of a session in its token: the version of the format, the id and the number of renewals.
 */
import { Auth as AuthThere } from "@auth/core"
import { encode as encodeThere, getToken as getTokenThere } from "@auth/core/jwt"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as Token from "../../src/compat/Token.ts"
import { UnopenedSessionCookie } from "../../src/telemetry/Warnings.ts"
import { at, browser, config as configure, type Log, start } from "../Browser.ts"
import { password, secret } from "../Visitor.ts"

// The name that a site shares with Auth.js.
const name = "__Secure-authjs.session-token"

const config = (more: Parameters<typeof configure>[0]) => configure({ cookies: { sessionToken: { name } }, ...more })
const claim = "effect-doorman"

/** The functions of the module at an instant of the test clock. */
const tokensAt = (milliseconds: number, random = 7) =>
  Token.make({ now: () => milliseconds / 1000, random: (size) => new Uint8Array(size).fill(random) })

const seal = (claims: object) =>
  Effect.promise(() => tokensAt(start).encode({ token: { ...claims }, secret, salt: name }))

type Mark = { readonly v?: unknown; readonly sid?: string | undefined; readonly gen?: unknown } | undefined

/** The claim in a token, as a function that knows nothing of it opens it. */
const markOf = (token: string | undefined, now = start): Effect.Effect<Mark> =>
  Effect.map(
    Effect.promise(() => tokensAt(now).decode<Record<string, unknown>>({ token: token ?? "", secret, salt: name })),
    (claims) => claims?.[claim] as Mark
  )

/** How the person was authenticated: by a password, at the start. */
const byPassword = { at: start / 1000, amr: ["pwd"] }

const within = at(config({ providers: [password()] }))

describe("the claim of the library in a session token", () => {
  it.gen("begins with a sign-in: an id of 128 bits", within, function* () {
    const person = browser()
    yield* person.signInWithPassword()
    const mark = yield* markOf(person.cookies.get(name))
    assert.deepStrictEqual(mark, { v: 1, sid: mark?.sid ?? "", ...byPassword })
    assert.match(mark?.sid ?? "", /^[\w-]{22}$/)
    yield* person.signInWithPassword()
    assert.notStrictEqual((yield* markOf(person.cookies.get(name)))?.sid, mark?.sid)
  })

  it.effect.prop(
    "keeps its id, in whatever order libraries prolong it",
    [Schema.Array(Schema.Literals(["read", "wait", "update", "there"])).check(Schema.isMaxLength(8))],
    ([steps]) => {
      const person = browser()
      return Effect.gen(function* () {
        yield* person.signInWithPassword()
        const sid = (yield* markOf(person.cookies.get(name)))?.sid
        let now = start
        for (const step of steps) {
          if (step === "wait") {
            yield* TestClock.adjust("1 hour")
            now += 3_600_000
            continue
          }
          if (step === "there") {
            // Auth.js opens the token and seals what it says anew.
            const claims = yield* Effect.promise(() =>
              tokensAt(now).decode({ token: person.cookies.get(name) ?? "", secret, salt: name })
            )
            const sealed = yield* Effect.promise(() =>
              tokensAt(now, 9).encode({ token: { ...claims }, secret, salt: name })
            )
            person.cookies.set(name, sealed)
            continue
          }
          if (step === "read") yield* person.session
          else yield* person.submit("/auth/session", { [`data[${claim}]`]: "mine" })
          assert.deepStrictEqual(yield* markOf(person.cookies.get(name), now), { v: 1, sid, ...byPassword })
        }
      }).pipe(within)
    },
    { arbitrary: { runs: 25 } }
  )

  it.effect("is made of the token id for a session of Auth.js, the same in answers to parallel requests", () => {
    const person = browser()
    return Effect.gen(function* () {
      const theirs = yield* seal({ sub: "1", name: "Ann" })
      const seen = yield* Effect.forEach([1, 2], () => person.get("/auth/session", { cookie: `${name}=${theirs}` }))
      const sids = yield* Effect.forEach(seen, ({ data }) =>
        Effect.map(markOf(data.cookies.find((cookie) => cookie.name === name)?.value), (mark) => mark?.sid)
      )
      assert.isString(sids[0])
      assert.strictEqual(sids[0], sids[1])
    }).pipe(at(config({ providers: [password()], session: { updateAge: 0 } })))
  })

  it.effect("is nothing that callbacks, clients or getToken see, and nothing that they can set", () => {
    const seen: Array<unknown> = []
    const person = browser()
    const forged = { v: 1, sid: "attackers-own-session" }
    return Effect.gen(function* () {
      yield* person.signInWithPassword()
      const before = yield* markOf(person.cookies.get(name))
      const form = yield* person.get("/auth/csrf")
      const { csrfToken } = JSON.parse(form.body)
      const answer = yield* person.send("POST", "/auth/session", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, data: { [claim]: forged, name: "Grace" } })
      })
      assert.strictEqual(JSON.parse(answer.body).user.name, "Grace")
      assert.notInclude(answer.body, claim)
      assert.notInclude(JSON.stringify(seen), claim)
      assert.deepStrictEqual(yield* markOf(person.cookies.get(name)), { v: 1, sid: before?.sid, ...byPassword })
      const read = yield* Effect.promise(() =>
        tokensAt(start).getToken({ req: { headers: { cookie: `${name}=${person.cookies.get(name)}` } }, secret })
      )
      assert.notProperty(read, claim)
    }).pipe(
      at(
        config({
          providers: [password()],
          callbacks: {
            jwt: ({ session, token }) => {
              seen.push({ token, session })
              return { ...token, ...(session as object), [claim]: forged }
            },
            session: ({ session, token }) => {
              seen.push({ session, token: { ...token, [claim]: undefined } })
              return { ...session, user: { ...session.user, name: String(token?.["name"]) } }
            }
          }
        })
      )
    )
  })

  it.effect("of another version is no session, and one warning a process says so", () => {
    const log: Log = { entries: [] }
    const person = browser()
    const warned: Array<string> = []
    return Effect.gen(function* () {
      for (const v of [2, 0, "1", null, {}]) {
        const newer = yield* seal({ sub: "1", name: "Ann", [claim]: { v } })
        person.cookies.set(name, newer)
        const seen = yield* person.get("/auth/session")
        assert.deepStrictEqual([seen.status, seen.body, person.cookies.has(name)], [200, "null", false])
        const read = yield* Effect.promise(() =>
          tokensAt(start).getToken({
            req: { headers: { cookie: `${name}=${newer}` } },
            secret,
            logger: { debug: () => undefined, warn: (code, message) => warned.push(`${code} ${message}`) }
          })
        )
        assert.isNull(read)
      }
      const warnings = log.entries.filter(({ level }) => level === "Warn").map(({ message }) => message)
      assert.deepStrictEqual([warned.length, warnings.length], [1, 1])
      assert.include(warned[0], "newer version")
      assert.instanceOf(warnings[0], UnopenedSessionCookie)
      assert.include(String(warnings[0].message), "newer version")
    }).pipe(at(config({ providers: [password()] }), undefined, log))
  })

  it.effect("is left out of the format of an application", () => {
    const person = browser()
    const encoded: Array<object> = []
    return Effect.gen(function* () {
      yield* person.signInWithPassword()
      yield* person.session
      assert.lengthOf(encoded, 2)
      for (const claims of encoded) assert.notProperty(claims, claim)
    }).pipe(
      at(
        config({
          providers: [password()],
          jwt: {
            encode: ({ token = {} }) => {
              encoded.push(token)
              return Buffer.from(JSON.stringify({ ...token, iat: start / 1000 })).toString("base64url")
            },
            decode: ({ token = "" }) => JSON.parse(Buffer.from(token, "base64url").toString())
          }
        })
      )
    )
  })
})

describe("Auth.js", () => {
  const now = Math.floor(Date.now() / 1000)
  const sid = "the-id-of-a-session"
  const ours = Token.make({ now: () => now, random: (size) => new Uint8Array(size).fill(5) }).encode({
    token: { sub: "1", name: "Ann", [claim]: { v: 1, sid } },
    secret,
    salt: name
  })

  it("opens our tokens, keeps the claim when it prolongs them, and shows clients nothing of it", async () => {
    const cookie = `${name}=${await ours}`
    assert.deepInclude(await getTokenThere({ req: { headers: { cookie } }, secret, secureCookie: true }), { sub: "1" })
    const answer = await AuthThere(new Request("https://app.example/auth/session", { headers: { cookie } }), {
      trustHost: true,
      basePath: "/auth",
      secret,
      providers: []
    })
    const text = await answer.text()
    assert.strictEqual(JSON.parse(text).user.name, "Ann")
    assert.notInclude(text, sid)
    const [line = ""] = answer.headers.getSetCookie().filter((line) => line.startsWith(`${name}=`))
    const renewed = await Token.decode<Record<string, unknown>>({
      token: line.slice(name.length + 1, line.indexOf(";")),
      secret,
      salt: name
    })
    assert.deepStrictEqual(renewed?.[claim], { v: 1, sid })
  })

  it("makes tokens that getToken reads as they are", async () => {
    const cookie = `${name}=${await encodeThere({ token: { sub: "1", name: "Ann" }, secret, salt: name })}`
    assert.deepInclude(await Token.getToken({ req: { headers: { cookie } }, secret }), { sub: "1", name: "Ann" })
  })
})
