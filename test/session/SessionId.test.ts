/**
 * The cookie that names the session of a browser: what another host of the domain plants, and what applications write
 * themselves.
 */
import { encode as encodeThere } from "@auth/core/jwt"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import { makeMemory } from "../../src/Adapter.ts"
import * as Audit from "../../src/Audit.ts"
import type { Options } from "../../src/config/Settings.ts"
import * as Token from "../../src/compat/Token.ts"
import { at, attributesOf, type Browser, browser, config, cookieOf, signInAt, start } from "../Browser.ts"
import { memoryProvider } from "../MemoryProvider.ts"
import { password, secret } from "../Visitor.ts"

const name = "__Secure-authjs.session-token"
const id = "__Host-authjs.session-id"

const listened = (options: Options, events: Array<Audit.AuditEvent> = []) => {
  const within = at(options)
  const sink = Audit.layerSink((event) =>
    Effect.sync(() => {
      if (event._tag === "SessionConflict") events.push(event)
    })
  )
  return <A, E>(program: Parameters<typeof within<A, E>>[0]) => within(Effect.provide(program, sink))
}

const jwt = (more: Options["session"] = {}): Options => config({ providers: [password()], session: more })

/** A session token without an id, as applications and Auth.js make one. */
const plainToken = (who: string) =>
  Effect.promise(() =>
    Token.make({ now: () => start / 1000, random: (size) => new Uint8Array(size).fill(7) }).encode({
      token: { sub: `id of ${who}`, name: who },
      secret,
      salt: name
    })
  )

const getToken = (cookie: string, more: object = {}) =>
  Effect.promise(() =>
    Token.make({ now: () => start / 1000, random: (size) => new Uint8Array(size) }).getToken({
      req: { headers: { cookie } },
      secret,
      ...more
    })
  )

const signedIn = Effect.fnUntraced(function* (who: string) {
  const person = browser()
  yield* person.signInWithPassword(who)
  return person
})

/** Tokens of Auth.js are of the present. */
const present = Date.now()

const tomorrow = new Date(start + 86_400_000)

const valueOf = ({ cookies }: Browser, key: string): string => cookies.get(key) ?? assert.fail(`no ${key}`)

const pairs = (...all: ReadonlyArray<readonly [string, string]>): string =>
  all.map(([key, value]) => `${key}=${value}`).join("; ")

const who = (body: string): unknown => JSON.parse(body)?.user?.name ?? null

/** The names whose cookies an answer removes. */
const gone = (lines: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(lines.map(cookieOf).flatMap(({ gone, name }) => (gone ? [name] : [])))
]

describe("the cookie that names a session", () => {
  it.effect("is set by a sign-in and each renewal, ends with the session cookie, and goes at a sign-out", () =>
    Effect.gen(function* () {
      const person = yield* signedIn("ann")
      const sid = valueOf(person, id)
      assert.match(sid, /^[\w-]{22}$/)
      yield* TestClock.adjust("1 day")
      const seen = yield* person.get("/auth/session")
      const [session, named] = seen.lines
      assert.strictEqual(cookieOf(named ?? "").value, sid)
      assert.deepStrictEqual(attributesOf(named ?? ""), attributesOf(session ?? ""))
      assert.notProperty(attributesOf(named ?? ""), "domain")
      yield* person.submit("/auth/signout")
      assert.isFalse(person.cookies.has(id))
    }).pipe(at(jwt()))
  )

  for (const [what, options, origin] of [
    ["over http", jwt(), "http://localhost"],
    ["under a name of the application", { ...jwt(), cookies: { sessionToken: { name: "__Host-sid" } } }, undefined],
    [
      "for a domain",
      { ...jwt(), cookies: { sessionToken: { options: { domain: "app.example" } } } },
      "https://www.app.example"
    ],
    ["where the option is off", jwt({ companionCookie: false }), undefined],
    [
      "beside a format of the application",
      { ...jwt(), jwt: { encode: ({ token }) => JSON.stringify(token) } },
      undefined
    ]
  ] as ReadonlyArray<readonly [string, Options, string | undefined]>) {
    it.gen(`is not set ${what}`, at(options), function* () {
      const person = browser(origin)
      const { lines } = yield* person.signInWithPassword()
      assert.isNotEmpty(lines.filter((line) => /session-token|sid/.test(cookieOf(line).name)))
      assert.isFalse(person.cookies.has(id))
    })
  }

  it.effect("is removed where the option was switched off, and says nothing there", () =>
    Effect.gen(function* () {
      const person = browser()
      person.cookies.set(name, yield* plainToken("ann"))
      person.cookies.set(id, "another-session-of-before")
      const seen = yield* person.get("/auth/session")
      assert.strictEqual(who(seen.body), "ann")
      assert.deepStrictEqual(gone(seen.lines), [id])
    }).pipe(at(jwt({ companionCookie: false })))
  )
})

describe("P221 a planted session cookie", () => {
  for (const order of ["first", "last"] as const) {
    it.effect(`P221 of the attacker does not replace the session that the browser names: ${order}`, () => {
      const events: Array<Audit.AuditEvent> = []
      return Effect.gen(function* () {
        const [victim, attacker] = [yield* signedIn("ann"), yield* signedIn("eve")]
        const [own, planted] = [valueOf(victim, name), valueOf(attacker, name)]
        const both = order === "first" ? [planted, own] : [own, planted]
        const cookie = pairs(...both.map((value) => [name, value] as const), [id, valueOf(victim, id)])
        assert.strictEqual(who((yield* browser().get("/auth/session", { cookie })).body), "ann")
        assert.deepInclude(yield* getToken(cookie), { name: "ann" })
        assert.strictEqual(yield* getToken(cookie, { raw: true }), own as never)
        assert.deepStrictEqual(events, [])
      }).pipe(listened(jwt(), events))
    })
  }

  it.effect("P221 alone is no session: signed out, told, and removed wherever it can be", () => {
    const events: Array<Audit.AuditEvent> = []
    return Effect.gen(function* () {
      const [victim, attacker] = [yield* signedIn("ann"), yield* signedIn("eve")]
      const cookie = pairs([name, valueOf(attacker, name)], [id, valueOf(victim, id)])
      assert.isNull(yield* getToken(cookie))
      const seen = yield* browser().get("/auth/session", { cookie })
      assert.strictEqual(seen.body, "null")
      assert.sameMembers([...gone(seen.lines)], [name, id])
      assert.include(
        seen.lines.map((line) => attributesOf(line)["domain"]),
        "app.example"
      )
      assert.deepStrictEqual(
        events.map((event) => event._tag === "SessionConflict" && event.userIds.length),
        [1]
      )
    }).pipe(listened(jwt(), events))
  })

  it.effect("P221 changes nothing: no update, no link, and a sign-in beside it is that of the person", () =>
    Effect.gen(function* () {
      const [victim, attacker] = [yield* signedIn("ann"), yield* signedIn("eve")]
      const tossed = browser()
      tossed.cookies.set(name, valueOf(attacker, name))
      tossed.cookies.set(id, valueOf(victim, id))
      const update = yield* tossed.submit("/auth/session", { "data[name]": "x" })
      assert.strictEqual(update.body, "null")
      tossed.cookies.set(name, valueOf(attacker, name))
      tossed.cookies.set(id, valueOf(victim, id))
      yield* tossed.signInWithPassword("ann")
      const cookie = pairs([name, valueOf(attacker, name)], [name, valueOf(tossed, name)], [id, valueOf(tossed, id)])
      assert.strictEqual(who((yield* browser().get("/auth/session", { cookie })).body), "ann")
    }).pipe(at(jwt()))
  )

  it.effect("P221 without an id is refused beside the session of another person, as long as that one is named", () =>
    Effect.gen(function* () {
      const victim = yield* signedIn("ann")
      const old = yield* plainToken("eve")
      const cookie = pairs([name, old], [name, valueOf(victim, name)], [id, valueOf(victim, id)])
      assert.strictEqual(who((yield* browser().get("/auth/session", { cookie })).body), "ann")
      const stale = pairs([name, old], [name, valueOf(victim, name)], [id, "a-session-that-has-ended"])
      assert.strictEqual((yield* browser().get("/auth/session", { cookie: stale })).body, "null")
    }).pipe(at(jwt()))
  )
})

describe("P221 any cookies beside the name of a session", () => {
  const kinds = Schema.Literals(["own", "older", "planted", "junk"])

  it.effect.prop(
    "P221 open that session where it is among them, and none where it is not",
    [Schema.Array(kinds).check(Schema.isMaxLength(4))],
    ([jar]) =>
      Effect.gen(function* () {
        const [victim, attacker] = [yield* signedIn("ann"), yield* signedIn("eve")]
        const older = valueOf(victim, name)
        yield* TestClock.adjust("1 minute")
        yield* victim.session
        const values = { own: valueOf(victim, name), older, planted: valueOf(attacker, name), junk: "junk" }
        const cookie = pairs(...jar.map((kind) => [name, values[kind]] as const), [id, valueOf(victim, id)])
        const isThere = jar.includes("own") || jar.includes("older")
        assert.strictEqual(who((yield* browser().get("/auth/session", { cookie })).body), isThere ? "ann" : null)
        const claims = yield* getToken(cookie)
        assert.strictEqual(claims?.["name"] ?? null, isThere ? "ann" : null)
      }).pipe(at(jwt())),
    { arbitrary: { runs: 40 } }
  )
})

describe("what applications and other libraries do", () => {
  it.effect("a session without an id goes beside any name, and keeps it for the session of before", () =>
    Effect.gen(function* () {
      const admin = yield* signedIn("ann")
      const original = valueOf(admin, name)
      // A support page signs its user in as somebody else, by encode().
      admin.cookies.set(name, yield* plainToken("bob"))
      assert.strictEqual((yield* admin.session)?.user?.["name"], "bob")
      assert.strictEqual((yield* admin.session)?.user?.["name"], "bob")
      admin.cookies.set(name, original)
      assert.strictEqual((yield* admin.session)?.user?.["name"], "ann")
    }).pipe(at(jwt()))
  )

  it.effect("a sign-in at Auth.js after a rollback is good here, with the name of the session before", () =>
    Effect.gen(function* () {
      const person = yield* signedIn("ann")
      yield* TestClock.setTime(present)
      const theirs = yield* Effect.promise(() =>
        encodeThere({ token: { sub: "2", name: "bob" }, secret, salt: name, maxAge: 86_400 })
      )
      person.cookies.set(name, theirs)
      assert.strictEqual((yield* person.session)?.user?.["name"], "bob")
    }).pipe(at(jwt()))
  )

  it.gen("the name alone, or the session alone, is as without it", at(jwt()), function* () {
    const person = yield* signedIn("ann")
    const alone = yield* browser().get("/auth/session", { cookie: pairs([id, valueOf(person, id)]) })
    assert.deepStrictEqual([alone.body, alone.lines], ["null", []])
    const seen = yield* browser().get("/auth/session", { cookie: pairs([name, valueOf(person, name)]) })
    assert.strictEqual(who(seen.body), "ann")
    const [named] = seen.lines.filter((line) => cookieOf(line).name === id)
    assert.strictEqual(cookieOf(named ?? "").value, valueOf(person, id))
  })

  it.gen("a proxy that drops the name of a new session costs one sign-in, not all", at(jwt()), function* () {
    const person = yield* signedIn("ann")
    const before = valueOf(person, id)
    yield* person.signInWithPassword("ann")
    person.cookies.set(id, before)
    assert.isNull(yield* person.session)
    yield* person.signInWithPassword("ann")
    person.cookies.delete(id)
    assert.strictEqual((yield* person.session)?.user?.["name"], "ann")
  })

  it.gen("names of two partitions are both good", at(jwt()), function* () {
    const person = yield* signedIn("ann")
    const cookie = pairs([name, valueOf(person, name)], [id, "of-another-partition"], [id, valueOf(person, id)])
    assert.strictEqual(who((yield* browser().get("/auth/session", { cookie })).body), "ann")
  })
})

describe("sessions in a database", () => {
  const begin = (more: Options["session"] = {}) => {
    const adapter = makeMemory()
    const events: Array<Audit.AuditEvent> = []
    const provider = memoryProvider()
    const options = config({ adapter, session: { strategy: "database", ...more } })
    const sink = Audit.layerSink((event) =>
      Effect.sync(() => {
        if (event._tag === "SessionConflict") events.push(event)
      })
    )
    const within = at(options, provider)
    return {
      adapter,
      events,
      provider,
      /** Signs the one user of the provider in. */
      ann: Effect.suspend(() => {
        const person = browser()
        return Effect.as(signInAt(person, provider), person)
      }),
      /** A session of another user, as the library makes one. */
      row: (token: string, email: string) =>
        Effect.gen(function* () {
          const user = yield* adapter.createUser({
            id: asUserId(""),
            name: email,
            email,
            emailVerified: null,
            image: null
          })
          yield* adapter.createSession({ sessionToken: token, userId: user.id, expires: tomorrow })
        }),
      within: <A, E>(program: Parameters<typeof within<A, E>>[0]) => within(Effect.provide(program, sink))
    }
  }

  const bound = "0f7a3d52-53f1-8b7e-bc44-8a9d2f9d4c11"
  const theirs = "0f7a3d52-53f1-4b7e-9c44-8a9d2f9d4c11"

  it.effect("are named as well, by the id that lists show", () => {
    const { ann, adapter, within } = begin({ absoluteMaxAge: 86_400 * 40 })
    return Effect.gen(function* () {
      const person = yield* ann
      assert.match(valueOf(person, name), /^[0-9a-f-]{14}8[0-9a-f]{3}-b[0-9a-f]{3}-[0-9a-f]{12}~[0-9a-z]+$/)
      assert.match(valueOf(person, id), /^[\w-]{43}$/)
      assert.strictEqual(who((yield* person.get("/auth/session")).body), "Ada")
      assert.isTrue(Option.isSome(yield* adapter.getSessionAndUser(valueOf(person, name))))
      yield* person.submit("/auth/signout")
      assert.isFalse(person.cookies.has(id))
    }).pipe(within)
  })

  it.effect("P221 that the browser does not name are none, alone or beside the one that it names", () => {
    const { ann, events, row, within } = begin()
    return Effect.gen(function* () {
      const person = yield* ann
      yield* row(bound, "eve@example.com")
      const beside = pairs([name, bound], [name, valueOf(person, name)], [id, valueOf(person, id)])
      assert.strictEqual(who((yield* browser().get("/auth/session", { cookie: beside })).body), "Ada")
      assert.lengthOf(events, 0)
      const alone = pairs([name, bound], [id, valueOf(person, id)])
      const seen = yield* browser().get("/auth/session", { cookie: alone })
      assert.strictEqual(seen.body, "null")
      assert.sameMembers([...gone(seen.lines)], [name, id])
      assert.lengthOf(events, 1)
    }).pipe(within)
  })

  it.effect("P221 begun over http do not replace the one that the browser names under https", () => {
    const { ann, provider, within } = begin()
    return Effect.gen(function* () {
      const person = yield* ann
      const plain = browser("http://app.example")
      yield* signInAt(plain, provider)
      const cookie = pairs([name, valueOf(plain, "authjs.session-token")], [id, valueOf(person, id)])
      assert.strictEqual((yield* browser().get("/auth/session", { cookie })).body, "null")
    }).pipe(within)
  })

  it.effect("of applications, of Auth.js and of earlier versions go beside any name", () => {
    const { ann, events, row, within } = begin()
    return Effect.gen(function* () {
      const person = yield* ann
      yield* row(theirs, "bob@example.com")
      const cookie = pairs([name, theirs], [id, valueOf(person, id)])
      assert.strictEqual(who((yield* browser().get("/auth/session", { cookie })).body), "bob@example.com")
      assert.lengthOf(events, 0)
    }).pipe(within)
  })

  it.effect("with tokens of the application are not named", () => {
    let count = 0
    const { ann, within } = begin({ generateSessionToken: () => `token-number-${++count}-of-this-test` })
    return Effect.gen(function* () {
      const person = yield* ann
      assert.isTrue(person.cookies.has(name))
      assert.isFalse(person.cookies.has(id))
    }).pipe(within)
  })
})
