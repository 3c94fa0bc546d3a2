import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { asUserId } from "../../src/models/Id.ts"
import { makeMemory } from "../../src/Adapter.ts"
import * as Audit from "../../src/Audit.ts"
import { AdapterError } from "../../src/Errors.ts"
import * as Jwe from "../../src/crypto/Jwe.ts"
import { keyring } from "../../src/crypto/Keyring.ts"
import * as Token from "../../src/compat/Token.ts"
import { type Options, Settings } from "../../src/config/Settings.ts"
import { fromWeb } from "../../src/http/AuthRequest.ts"
import { isUnsettled, settle } from "../../src/session/OneSession.ts"
import {
  at as within,
  attributesOf,
  browser,
  config as configure,
  cookieOf,
  type Log,
  start,
  visit
} from "../Browser.ts"
import { secret, site } from "../Visitor.ts"

// A browser holds several cookies of a name that other hosts and paths can set.
const name = "__Secure-authjs.session-token"

const config = (more: Partial<Options> = {}) => configure({ cookies: { sessionToken: { name } }, ...more })
const at = (options = config(), provider?: Parameters<typeof within>[1], log?: Log) => within(options, provider, log)
const now = start / 1000

/** A token of a person, issued `ago` seconds before the test begins. */
const seal = (claims: object, ago = 0): string =>
  Jwe.seal(
    keyring([secret], name),
    { ...claims },
    { now: now - ago, maxAge: 86_400, random: (size) => new Uint8Array(size).fill(7) }
  ) as string

const ann = seal({ sub: "ann", name: "Ann" })
const bob = seal({ sub: "bob", name: "Bob" })
const both = `${name}=${ann}; ${name}=${bob}`

/** Sends one request with exactly these cookies. */
const ask = (path: string, cookie: string, more: Readonly<Record<string, string>> = {}) =>
  browser().get(path, { cookie, ...more })

const on = (milliseconds: number): Date => new Date(milliseconds)

const variants = (lines: ReadonlyArray<string>) =>
  lines
    .filter((line) => cookieOf(line).gone && cookieOf(line).name === name)
    .map((line) => `${attributesOf(line)["domain"] ?? "host"} ${attributesOf(line)["path"] ?? ""}`)

const listening = (events: Array<Audit.AuditEvent>) => Audit.layerSink((event) => Effect.sync(() => events.push(event)))

const listenedAt = (options: Options, events: Array<Audit.AuditEvent> = [], log?: Log) => {
  const inside = at(options, undefined, log)
  return <A, E>(program: Parameters<typeof inside<A, E>>[0]) => inside(Effect.provide(program, listening(events)))
}

describe("P221 two session cookies of different people", () => {
  for (const [order, cookie] of [
    ["one order", both],
    ["the other order", `${name}=${bob}; ${name}=${ann}`],
    ["the midst of cookies of the application", `${name}=${ann}; theme=${"x".repeat(1100)}; ${name}=${bob}`],
    ["whole and in chunks", `${name}=${ann}; ${name}.0=${bob.slice(0, 40)}; ${name}.1=${bob.slice(40)}`]
  ] as const) {
    it.effect(`P221 sign no user in, in ${order}`, () => {
      const events: Array<Audit.AuditEvent> = []
      return Effect.gen(function* () {
        const seen = yield* ask("/auth/session", cookie)
        assert.strictEqual(seen.body, "null")
        assert.deepStrictEqual(
          seen.lines.filter((line) => !cookieOf(line).gone),
          []
        )
        assert.deepStrictEqual(
          events.map((event) => [event._tag, event._tag === "SessionConflict" ? event.userIds.toSorted() : []]),
          [["SessionConflict", ["ann", "bob"]]]
        )
      }).pipe(listenedAt(config(), events))
    })
  }

  it.gen("P221 are removed for every domain and path of the request, the usual one last", at(), function* () {
    const seen = yield* browser("https://www.app.example").get("/auth/session", { cookie: both })
    const removed = variants(seen.lines)
    assert.strictEqual(removed.at(-1), "host /")
    assert.sameMembers(
      [...removed],
      ["host", "www.app.example", "app.example"].flatMap((domain) =>
        ["/", "/auth", "/auth/", "/auth/session"].map((path) => `${domain} ${path}`)
      )
    )
  })

  it.play("P221 lead from the sign-in page to one that says how to clear what remains", visit(config()), function* () {
    const sent = yield* ask("/auth/signin", both)
    assert.strictEqual(new URL(sent.location ?? "").searchParams.get("error"), "SessionConflict")
    assert.include(variants(sent.lines), "host /")
    const told = yield* ask(sent.location ?? "", both)
    assert.strictEqual(told.status, 200)
    assert.include(told.body, "delete the cookies of this site")
    const program = yield* ask("/auth/signin", both, { accept: "application/problem+json" })
    assert.strictEqual(program.status, 409)
    assert.include(variants(program.lines), "host /")
  })

  it.gen("P221 change nothing: an update of the session is refused", at(), function* () {
    const form = yield* ask("/auth/csrf", `${name}=${ann}`)
    const csrf = cookieOf(form.lines[0] ?? "")
    const cookie = `${both}; ${csrf.name}=${csrf.value}`
    const { csrfToken } = JSON.parse(form.body)
    const seen = yield* browser().send("POST", "/auth/session", {
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({ csrfToken, data: { name: "Eve" } })
    })
    assert.deepStrictEqual([seen.status, seen.body], [400, "null"])
  })

  it.gen("P221 do not stand in the way of a new session, whose own cookie stays", at(), function* () {
    const form = yield* ask("/auth/csrf", both)
    const csrf = cookieOf(form.lines.find((line) => !cookieOf(line).gone) ?? "")
    const { csrfToken } = JSON.parse(form.body)
    const seen = yield* browser().send("POST", "/auth/callback/credentials", {
      headers: { cookie: `${both}; ${csrf.name}=${csrf.value}`, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ csrfToken, username: "ann", password: "pw" }).toString()
    })
    const set = seen.lines.filter((line) => cookieOf(line).name === name)
    assert.isFalse(cookieOf(set.at(-1) ?? "").gone)
    assert.notInclude(variants(set), "host /")
    assert.include(variants(set), "app.example /")
  })

  it.effect("P221 sign no user in when the rows of a database are of different people", () => {
    const adapter = makeMemory()
    const events: Array<Audit.AuditEvent> = []
    return Effect.gen(function* () {
      const rows = yield* rowsOf(adapter, ["ann@example.com", "bob@example.com"])
      const seen = yield* ask("/auth/session", rows)
      assert.strictEqual(seen.body, "null")
      assert.deepStrictEqual(
        events.map(({ _tag }) => _tag),
        ["SessionConflict"]
      )
    }).pipe(listenedAt(config({ adapter, session: { strategy: "database" } }), events))
  })

  it.effect("P221 are ended in the database by a sign-out, and by no request without a CSRF token", () => {
    const adapter = makeMemory()
    const count = Effect.map(
      Effect.forEach(["first", "second"], (token) => adapter.getSessionAndUser(token)),
      (rows) => rows.filter(Option.isSome).length
    )
    return Effect.gen(function* () {
      const rows = yield* rowsOf(adapter, ["ann@example.com", "bob@example.com"])
      const post = (fields: Readonly<Record<string, string>>, more = "", headers = {}) =>
        browser().send("POST", "/auth/signout", {
          headers: { cookie: `${rows}${more}`, "content-type": "application/x-www-form-urlencoded", ...headers },
          body: new URLSearchParams(fields).toString()
        })
      yield* post({})
      yield* post({}, "", { authorization: "Bearer first" })
      assert.strictEqual(yield* count, 2)
      const form = yield* ask("/auth/csrf", rows)
      const csrf = cookieOf(form.lines.find((line) => !cookieOf(line).gone) ?? "")
      const seen = yield* post({ csrfToken: JSON.parse(form.body).csrfToken }, `; ${csrf.name}=${csrf.value}`)
      assert.strictEqual(yield* count, 0)
      assert.include(variants(seen.lines), "host /")
    }).pipe(at(config({ adapter, session: { strategy: "database" } })))
  })

  it.effect("P221 are not judged while the store fails, and stay in the browser", () => {
    const adapter = makeMemory()
    const broken = {
      ...adapter,
      getSessionAndUser: (token: string) =>
        token === "second"
          ? Effect.fail(new AdapterError({ method: "getSessionAndUser", reason: "unavailable" }))
          : adapter.getSessionAndUser(token)
    }
    return Effect.gen(function* () {
      yield* rowsOf(adapter, ["ann@example.com"])
      const seen = yield* ask("/auth/session", `${name}=first; ${name}=second`)
      assert.deepStrictEqual([seen.body, seen.lines], ["null", []])
    }).pipe(at(config({ adapter: broken, session: { strategy: "database" } })))
  })

  it("P221 are no token for getToken, in any order", async () => {
    const tokens = Token.make({ now: () => now, random: (size) => new Uint8Array(size) })
    const read = (cookie: string, raw = false) => tokens.getToken({ req: { headers: { cookie } }, secret, raw })
    assert.isNull(await read(both))
    assert.isNull(await read(both, true))
    assert.isNull(await read(`${name}=${bob}; ${name}=${ann}`))
    const older = seal({ sub: "ann", name: "Old" }, 60)
    assert.deepInclude(await read(`${name}=${ann}; ${name}=${older}`), { name: "Ann" })
    assert.strictEqual(await read(`${name}=${ann}; ${name}=${older}`, true), ann)
    assert.strictEqual(await read(`${name}=junk; ${name}=${ann}`, true), ann)
  })
})

describe("two session cookies of one person", () => {
  it.gen("the first that opens counts", at(), function* () {
    const older = seal({ sub: "ann", name: "Old" }, 60)
    const seen = yield* ask("/auth/session", `${name}=junk; ${name}=${ann}; ${name}=${older}`)
    assert.strictEqual(JSON.parse(seen.body)?.user.name, "Ann")
  })

  it.gen("more values than are tried sign no user in", at(), function* () {
    const seen = yield* ask("/auth/session", [1, 2, 3].map((n) => `${name}=junk${n}`).join("; ") + `; ${both}`)
    assert.strictEqual(seen.body, "null")
  })

  it.gen("tokens without a user belong together only when they are the same", at(), function* () {
    const same = yield* ask("/auth/session", `${name}=${seal({ role: "a" }, 60)}; ${name}=${seal({ role: "a" })}`)
    assert.notStrictEqual(same.body, "null")
    const other = yield* ask("/auth/session", `${name}=${seal({ role: "a" })}; ${name}=${seal({ role: "b" })}`)
    assert.strictEqual(other.body, "null")
  })
})

describe("P221 a session cookie that another host of the domain can set", () => {
  const hostName = "__Host-authjs.session-token"
  const planted = (claims: object, salt = name) => {
    const random = (size: number) => new Uint8Array(size).fill(7)
    return `${salt}=${String(Jwe.seal(keyring([secret], salt), { ...claims }, { now, maxAge: 86_400, random }))}`
  }

  it.gen("P221 is no session, and says nothing against the one of the host", within(configure()), function* () {
    const eve = planted({ sub: "eve", name: "Eve" })
    assert.strictEqual((yield* ask("/auth/session", eve)).body, "null")
    const beside = yield* ask("/auth/session", `${eve}; ${planted({ sub: "ann", name: "Ann" }, hostName)}`)
    assert.strictEqual(JSON.parse(beside.body)?.user.name, "Ann")
  })

  it.gen("P221 is no session in the place of one that was signed out", within(configure()), function* () {
    const person = browser()
    person.cookies.set(hostName, planted({ sub: "ann" }, hostName).slice(hostName.length + 1))
    yield* person.submit("/auth/signout")
    assert.strictEqual((yield* ask("/auth/session", planted({ sub: "eve" }))).body, "null")
  })
})

describe("a sign-out", () => {
  it.gen("removes the session cookie with and without a domain", at(), function* () {
    const person = browser()
    person.cookies.set(name, ann)
    const seen = yield* person.submit("/auth/signout")
    assert.deepStrictEqual(variants(seen.lines), ["app.example /", "host /"])
  })

  it.effect("removes the one of the configured domain last, and the one of the host as well", () =>
    Effect.gen(function* () {
      const person = browser("https://www.app.example")
      person.cookies.set(name, ann)
      const seen = yield* person.submit("/auth/signout")
      assert.deepStrictEqual(variants(seen.lines), ["host /", "www.app.example /", "app.example /"])
    }).pipe(at(config({ cookies: { sessionToken: { options: { domain: "app.example" } } } })))
  )

  it.gen("removes a session under the other name that Auth and createAuth give it over https", at(), function* () {
    const person = browser()
    person.cookies.set(name, ann)
    const other = `__${name.startsWith("__Host-") ? "Secure" : "Host"}-authjs.session-token`
    person.cookies.set(other, bob)
    const seen = yield* person.submit("/auth/signout")
    assert.isTrue(seen.lines.map(cookieOf).some((cookie) => cookie.name === other && cookie.gone))
  })

  it.effect("ends every session of one person that the browser sent", () => {
    const adapter = makeMemory()
    return Effect.gen(function* () {
      const cookie = yield* rowsOf(adapter, ["ann@example.com", "ann@example.com"])
      const form = yield* ask("/auth/csrf", cookie)
      const csrf = cookieOf(form.lines[0] ?? "")
      yield* browser().send("POST", "/auth/signout", {
        headers: {
          cookie: `${cookie}; ${csrf.name}=${csrf.value}`,
          "content-type": "application/x-www-form-urlencoded"
        },
        body: new URLSearchParams({ csrfToken: JSON.parse(form.body).csrfToken }).toString()
      })
      for (const token of ["first", "second"])
        assert.isTrue(Option.isNone(yield* adapter.getSessionAndUser(token)), token)
    }).pipe(at(config({ adapter, session: { strategy: "database" } })))
  })
})

/** Stores a session for each address, named `first` and `second`; the cookies of a browser that has them all. */
const rowsOf = (adapter: ReturnType<typeof makeMemory>, emails: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(emails, (email, index) =>
      Effect.gen(function* () {
        const known = yield* adapter.getUserByEmail(email)
        const user = Option.isSome(known)
          ? known.value
          : yield* adapter.createUser({ id: asUserId(email), email, emailVerified: null })
        const sessionToken = index === 0 ? "first" : "second"
        yield* adapter.createSession({ sessionToken, userId: user.id, expires: on(start + 86_400_000 + index) })
        return `${name}=${sessionToken}`
      })
    ),
    (cookies) => cookies.join("; ")
  )

describe("settle", () => {
  const settledRequest = (cookie: string) =>
    Effect.gen(function* () {
      const request = yield* fromWeb(new Request(`${site}/auth/session`, { headers: { cookie } }), "/auth")
      const { request: answer, ...rest } = yield* settle(request)
      return { request, answer, ...rest }
    })

  const settled = (cookie: string) =>
    Effect.map(settledRequest(cookie), ({ answer, conflict, cookies }) => ({ request: answer, conflict, cookies }))

  it.gen("gives a request with one session cookie back as it is", at(), function* () {
    for (const cookie of ["other=1", `${name}=${ann}`, `${name}=junk`, `${name}.0=${ann.slice(0, 40)}; ${name}.1=x`]) {
      const { answer, cookies, request } = yield* settledRequest(cookie)
      assert.strictEqual(answer, request, cookie.slice(0, 60))
      assert.isFalse(isUnsettled(yield* Settings, request), "the store need not be asked")
      assert.deepStrictEqual(cookies, [])
    }
  })

  it.gen("leaves a request alone where none or one of several counts", at(), function* () {
    const none = yield* settledRequest(`${name}=junk; ${name}=more`)
    assert.strictEqual(none.answer, none.request)
    assert.deepStrictEqual(none.cookies, [])
    const one = yield* settledRequest(`${name}=junk; ${name}=${ann}; ${name}=more`)
    assert.strictEqual(one.answer, one.request)
    assert.deepStrictEqual(one.cookies, [])
  })

  it.gen("takes sessions of different people out of the request, and nothing else", at(), function* () {
    const { conflict, request } = yield* settled(`${both}; theme=a; theme=b; lang=en`)
    assert.deepStrictEqual([...request.cookies.values.keys()], ["theme", "lang"])
    assert.deepStrictEqual([...(request.cookies.conflicts?.keys() ?? [])], ["theme"])
    assert.strictEqual(conflict?.detail, "The browser sent session cookies of one name that open for different people")
    const chunked = yield* settled(`${name}=${ann}; ${name}.0=${bob.slice(0, 40)}; ${name}.1=${bob.slice(40)}`)
    assert.isUndefined(chunked.request.cookies.conflicts)
    assert.strictEqual(chunked.request.cookies.values.size, 0)
  })

  it.effect("sets no cookie while the store fails", () =>
    Effect.gen(function* () {
      const { cookies, request } = yield* settled(`${name}=first; ${name}=second; lang=en`)
      assert.deepStrictEqual(cookies, [])
      assert.deepStrictEqual([...request.cookies.values.keys()], ["lang"])
    }).pipe(
      at(
        config({
          adapter: {
            ...makeMemory(),
            getSessionAndUser: () =>
              Effect.fail(new AdapterError({ method: "getSessionAndUser", reason: "unavailable" }))
          },
          session: { strategy: "database" }
        })
      )
    )
  )
})
