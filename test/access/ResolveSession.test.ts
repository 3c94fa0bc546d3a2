import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import { sessionIdOf } from "../../src/Adapter.ts"
import { keyring } from "../../src/crypto/Keyring.ts"
import * as Jwe from "../../src/crypto/Jwe.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import { random } from "../differential/Generator.ts"
import { secret } from "../Visitor.ts"
import { entering, json, person, sessionCookie, setBy, site, start, stores, text, watched } from "./Site.ts"

const who = HttpRouter.add(
  "*",
  "/who",
  Effect.map(Access.Default.CurrentSession, ({ expires, user, via }) =>
    text(`${user.name} ${via} ${expires.epochMilliseconds}`)
  )
).pipe(Layer.provide(Http.routes(Access.Default)))

/** What an answer says of whom it is for, or its status. */
const told = (answer: Response) =>
  Effect.promise(async () => {
    const body = await answer.text()
    return answer.status === 200 ? body.split(" ").slice(0, 2).join(" ") : String(answer.status)
  })

const bearing = (token: string | undefined, scheme = "Bearer") => ({ authorization: `${scheme} ${token}` })

const seal = (name: string, salt = sessionCookie) =>
  Jwe.seal(
    keyring([secret], salt),
    { name, sub: `id of ${name}` },
    { now: start / 1000, maxAge: 1000, random: (size) => new Uint8Array(size).fill(7) }
  ) as string

describe("A bearer token that is a session token", () => {
  it.gen("is a session, without a cookie, and ends when it ends", function* () {
    const asked = { jwt: 0 }
    const { get, post } = yield* site(who, {
      callbacks: { jwt: ({ token }) => ({ ...token, asked: ++asked.jwt }) },
      session: { maxAge: 1000 }
    })
    const token = seal("ann")
    const answer = yield* get("/who", bearing(token))
    assert.strictEqual(yield* Effect.promise(() => answer.text()), `ann bearer ${start + 1_000_000}`)
    assert.deepStrictEqual(setBy(answer), [], "the client would not keep it")
    assert.strictEqual(asked.jwt, 1)
    for (const scheme of ["bearer", "BEARER", "Bearer  "]) {
      assert.strictEqual(yield* told(yield* get("/who", bearing(token, scheme))), "ann bearer")
    }
    const cross = yield* post("/who", {
      ...bearing(token),
      "sec-fetch-site": "cross-site",
      origin: "https://evil.example"
    })
    assert.strictEqual(yield* told(cross), "ann bearer", "no page can make a browser send it")
    yield* TestClock.adjust("999 seconds")
    const late = yield* get("/who", bearing(token))
    assert.strictEqual(yield* Effect.promise(() => late.text()), `ann bearer ${start + 1_000_000}`)
    yield* TestClock.adjust("20 seconds")
    const over = yield* get("/who", bearing(token))
    assert.strictEqual(over.status, 401)
    assert.strictEqual(over.headers.get("www-authenticate"), 'Bearer error="invalid_token"')
    assert.deepStrictEqual(setBy(over), [])
  })

  it.gen("may have been made for a cookie of the other scheme, and for nothing else", function* () {
    const { get } = yield* site(who)
    assert.strictEqual(yield* told(yield* get("/who", bearing(seal("ann", "authjs.session-token")))), "ann bearer")
    for (const salt of ["__Host-authjs.csrf-token", "__Secure-authjs.callback-url", "authjs.flow", ""]) {
      assert.strictEqual(yield* told(yield* get("/who", bearing(seal("ann", salt)))), "401", salt)
    }
    const plain = yield* site(who, { useSecureCookies: false })
    assert.strictEqual(yield* told(yield* plain.get("/who", bearing(seal("ann")))), "ann bearer")
  })

  it.gen("counts after a cookie that is good, and instead of one that is not", function* () {
    const { get } = yield* site(who)
    const both = (cookie: string, token: string) =>
      get("/who", { cookie: `${sessionCookie}=${cookie}`, ...bearing(token) })
    assert.strictEqual(yield* told(yield* both(seal("ann"), seal("bob"))), "ann cookie")
    assert.strictEqual(yield* told(yield* both(seal("ann"), "nonsense")), "ann cookie")
    const instead = yield* both("nonsense", seal("bob"))
    assert.deepStrictEqual(
      setBy(instead).map((line) => line.includes("Max-Age=0")),
      [true]
    )
    assert.strictEqual(yield* told(instead), "bob bearer")
    assert.strictEqual(yield* told(yield* both("nonsense", "nonsense")), "401")
  })

  it.gen("is none under another scheme, with spaces, in pieces, or beside another", function* () {
    const { get } = yield* site(who)
    const token = seal("ann")
    for (const authorization of [
      `Basic ${token}`,
      `Basic ${btoa(`ann:${token}`)}`,
      token,
      `Bearer${token}`,
      `Bearer ${token.slice(0, 40)} ${token.slice(40)}`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer "${token}"`,
      `Bearer ${token}==x`,
      `DPoP ${token}`,
      "Bearer",
      "Bearer "
    ]) {
      const answer = yield* get("/who", { authorization })
      assert.strictEqual(answer.status, 401, authorization.replace(token, "…"))
    }
  })
})

describe("A bearer token of a session in a database", () => {
  for (const [name, open] of stores) {
    it.gen(`is a session, whose row moves on with its use; a name of it is none (${name})`, function* () {
      const { calls, state, store } = watched(yield* open)
      const id = yield* person(store)
      const { browser, get } = yield* site(Layer.merge(who, entering(id)), {
        adapter: store,
        providers: [],
        session: { maxAge: 1000, updateAge: 100 }
      })
      const ann = browser()
      yield* ann.post("/enter")
      const token = String(ann.cookies.get(sessionCookie))
      const answer = yield* get("/who", bearing(token))
      assert.strictEqual(yield* Effect.promise(() => answer.text()), `Ann bearer ${start + 1_000_000}`)
      assert.deepStrictEqual(setBy(answer), [])
      yield* TestClock.adjust("100 seconds")
      const later = yield* get("/who", bearing(token))
      assert.strictEqual(yield* Effect.promise(() => later.text()), `Ann bearer ${start + 1_100_000}`)
      assert.deepStrictEqual(setBy(later), [])
      const [listed] = yield* store.listSessions(asUserId(id))
      const listedId = String(listed?.id)
      assert.strictEqual(listed?.expires.getTime(), start + 1_100_000)
      assert.strictEqual(listedId, sessionIdOf(token))
      for (const other of [listedId, sessionIdOf(listedId), token.toUpperCase(), `${token}x`, token.slice(1)]) {
        assert.strictEqual(yield* told(yield* get("/who", bearing(other))), "401")
        const cookie = yield* get("/who", { cookie: `${sessionCookie}=${other}` })
        assert.strictEqual(yield* told(cookie), "401")
      }
      calls.clear()
      state.down = true
      const down = yield* get("/who", bearing(token))
      assert.strictEqual(down.status, 503)
      assert.deepStrictEqual(setBy(down), [])
      assert.deepInclude(yield* json(down), { code: "SessionUnavailable" })
      assert.deepStrictEqual([...calls], [["getSessionAndUser", 1]])
    })
  }
})

describe("Any request of a client", () => {
  const names = [
    sessionCookie,
    `${sessionCookie}.0`,
    `${sessionCookie}.1`,
    `${sessionCookie}.9`,
    "authjs.session-token",
    ""
  ]
  const pieces = [
    "",
    "%",
    "%E0%A4%A",
    "%00",
    "%0d%0aset-cookie:x=1",
    "null",
    "....",
    "a.b.c.d.e",
    seal("ann").slice(0, 90),
    `${seal("ann")}x`,
    `${seal("ann").slice(0, -2)}AA`,
    "eyJhbGciOiJub25lIn0..AAAA.AAAA.AAAA",
    "x".repeat(5000),
    '"quoted"',
    "\xe9 \xff; =; ;;",
    sessionIdOf("a token")
  ]
  const further: ReadonlyArray<Record<string, string>> = [
    {},
    { origin: "null" },
    { origin: "not a url", referer: "//" },
    { origin: "https://[::1" },
    { "sec-fetch-site": "garbage" },
    { accept: "text/html", "x-forwarded-host": "evil.example" }
  ]

  /** The headers of a request that nobody with a session would send. */
  const hostile = (seed: number): Headers => {
    const draw = random(seed)
    const of = <A>(list: ReadonlyArray<A>): A => list[Math.floor(draw() * list.length)] as A
    const noise = () =>
      Array.from({ length: Math.floor(draw() * 40) }, () => String.fromCharCode(0x20 + Math.floor(draw() * 0xdf)))
        .join("")
        .replace("\x7f", "")
    const piece = () => (draw() < 0.6 ? of(pieces) : noise()) + (draw() < 0.2 ? noise() : "")
    const headers = new Headers(of(further))
    const cookies = Array.from({ length: Math.floor(draw() * 8) }, () => `${of(names)}=${piece()}`)
    headers.set("cookie", cookies.join(of(["; ", ";", ";;", " "])))
    if (draw() < 0.5) headers.set("authorization", of(["Bearer ", "bearer  ", "Basic ", "", "Bearer\t"]) + piece())
    return headers
  }

  for (const strategy of ["jwt", "database"] as const) {
    it.gen(`H051, H055, H056, H057, H077 is no user's, and never a mistake of the site (${strategy})`, function* () {
      const { store } = watched()
      yield* person(store)
      const { handler, told } = yield* site(who, strategy === "jwt" ? {} : { adapter: store, providers: [] })
      for (let seed = 0; seed < 1000; seed++) {
        const headers = hostile(seed)
        const method = seed % 3 === 0 ? "POST" : "GET"
        const answer = yield* Effect.promise(() => handler(new Request("https://app.example/who", { method, headers })))
        const isPage = method === "GET" && headers.has("accept")
        assert.strictEqual(answer.status, isPage ? 302 : 401, `seed ${seed}`)
        assert.isAtMost(setBy(answer).length, 20)
        for (const line of setBy(answer)) assert.include(line, "Max-Age=0", `seed ${seed}`)
      }
      assert.deepStrictEqual(told.reported, [])
    })
  }
})
