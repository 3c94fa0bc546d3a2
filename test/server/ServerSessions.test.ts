import { createServer } from "node:http"
import { once } from "node:events"
import { assert, describe, it } from "vitest"
import * as Adapter from "../../src/Adapter.ts"
import { forFunctions } from "../ForFunctions.ts"
import { createAuth, type ServerAuth, type ServerRequest, type ServerSession } from "../../src/index.ts"
import { ownSite, site, visitor } from "../Visitor.ts"

const make = (more: object = {}): ServerAuth =>
  createAuth(forFunctions({ ...ownSite(), origin: site, env: {}, ...more }))
const revocable = (): ServerAuth => make({ session: { revocation: true } })

const ann = { id: "1", name: "Ann", email: "ann@example.com" }
const facts = ["userId", "id", "expires", "authenticatedAt", "amr", "acr", "generation"]

const cookieOf = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")

/** The cookie of a browser that signed in with a password. */
const signedIn = async (auth: ServerAuth): Promise<string> => {
  const browser = visitor(auth.handler)
  assert.strictEqual((await browser.signIn()).status, 302)
  return cookieOf(browser.cookies)
}

/** The cookies of an answer as a browser sends them. */
const sentBy = (answer: Headers): string =>
  answer
    .getSetCookie()
    .map((line) => line.replace(/;.*/, ""))
    .join("; ")

const tagOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it did not reject"),
    (error: unknown) => Reflect.get(Object(error), "_tag")
  )

describe("A session on the server", () => {
  const rows: ReadonlyArray<readonly [string, () => ServerAuth]> = [
    ["a token", make],
    ["a token that can be revoked", revocable],
    [
      "a token of the application's own format",
      () =>
        make({
          jwt: {
            encode: ({ token }: { token: object }) => Buffer.from(JSON.stringify(token)).toString("base64url"),
            decode: ({ token = "" }: { token?: string }) => JSON.parse(Buffer.from(token, "base64url").toString())
          }
        })
    ]
  ]
  it.each(rows)("has what the library knows of it, for %s", async (_, make) => {
    const auth = make()
    const cookie = await signedIn(auth)
    const session = await auth.getSession(new Headers({ cookie }))
    assert.isNotNull(session)
    assert.match(session.userId, /./)
    assert.match(session.id, /^[\w-]{43}$/)
    assert.isAbove(Date.parse(session.expires), Date.now())
    assert.isTrue(session.authenticatedAt === null || session.authenticatedAt instanceof Date)
    assert.isArray(session.amr)
    assert.notInclude(Object.values(session), undefined)
    assert.strictEqual((await auth.requireSession(new Headers({ cookie }))).id, session.id)
  })

  it("has it for a row too", async () => {
    const adapter = Adapter.toPromises(Adapter.makeMemory())
    const auth = make({ adapter, session: { strategy: "database" } })
    const user = await adapter.createUser?.({ ...ann, emailVerified: null })
    assert.isDefined(user)
    const cookie = sentBy(await auth.signIn(new Headers(), { id: user.id }, { amr: ["pwd"] }))
    const session = await auth.requireSession(new Headers({ cookie }))
    const [listed] = await auth.sessions.list(user.id)
    assert.deepStrictEqual([session.userId, session.id, session.amr], [user.id, listed?.id, ["pwd"]])
    assert.instanceOf(session.authenticatedAt, Date)
  })

  it("says how and when the user was authenticated", async () => {
    const auth = make()
    const before = Math.floor(Date.now() / 1000) * 1000
    const headers = await auth.signIn(new Headers(), ann, { amr: ["pwd", "otp"], acr: "phr" })
    const session = await auth.requireSession(new Headers({ cookie: sentBy(headers) }))
    assert.deepStrictEqual([session.userId, session.amr, session.acr], ["1", ["pwd", "otp"], "phr"])
    assert.isAtLeast(session.authenticatedAt?.getTime() ?? 0, before)
  })

  it("shows browsers none of them", async () => {
    const auth = make()
    const headers = { cookie: await signedIn(auth) }
    const seen: object = await (await auth.handler(new Request(`${site}/auth/session`, { headers }))).json()
    assert.deepStrictEqual(Object.keys(seen), ["user", "expires"])
  })

  it("keeps its members where callbacks.session answers others of these names, or none", async () => {
    const session = ({ session }: { session: { user: object } }) => ({
      user: session.user,
      userId: 5,
      id: null,
      amr: "x",
      expires: "2999-01-01T00:00:00.000Z"
    })
    const auth = make({ callbacks: { session } })
    const found = await auth.requireSession(new Headers({ cookie: await signedIn(auth) }))
    assert.deepStrictEqual(
      facts.filter((name) => Reflect.get(found, name) === undefined),
      []
    )
    assert.deepStrictEqual([typeof found.userId, typeof found.id, found.amr], ["string", "string", found.amr])
    assert.isTrue(Array.isArray(found.amr) && Date.parse(found.expires) < Date.parse("2998-01-01"))
  })
})

describe("A request", () => {
  /** Headers of another implementation, as frameworks have them. */
  const ownHeaders = (headers: Headers) => ({
    get: (name: string) => headers.get(name),
    forEach: (each: (value: string, name: string) => void) => headers.forEach(each)
  })
  const forms: ReadonlyArray<readonly [string, (headers: Headers) => ServerRequest]> = [
    ["of the web", (headers) => new Request(`${site}/page`, { headers })],
    ["as its Headers", (headers) => headers],
    ["as an object with Headers", (headers) => ({ headers })],
    ["as Headers of another implementation", ownHeaders],
    ["as an object with such headers and a path", (headers) => ({ headers: ownHeaders(headers), url: "/page" })],
    ["as an object with such headers and a URL", (headers) => ({ headers: ownHeaders(headers), url: `${site}/page` })],
    ["of node:http", (headers) => ({ headers: Object.fromEntries(headers), url: "/page", method: "GET" })],
    ["as an object with plain headers", (headers) => ({ headers: Object.fromEntries(headers) })]
  ]
  it.each(forms)("%s proves its session where an origin is configured", async (_, form) => {
    const auth = make()
    const cookie = await signedIn(auth)
    const request = form(new Headers({ cookie }))
    assert.strictEqual((await auth.getSession(request))?.user?.name, "ann")
    assert.strictEqual((await auth.requireSession(request)).user?.name, "ann")
    assert.strictEqual((await auth.requireAssurance(request, { maxAge: 60 })).user?.name, "ann")
    assert.isNull(await auth.getSession(form(new Headers({ cookie: "" }))))
  })

  it.each(["http://localhost:3000", site])(
    "of headers alone proves it without an origin too, at %s",
    async (origin) => {
      const auth = createAuth(forFunctions({ ...ownSite(), trustHost: true, env: {} }))
      const browser = visitor(auth.handler, origin)
      await browser.signIn()
      const headers = new Headers({ cookie: cookieOf(browser.cookies), host: new URL(origin).host })
      assert.strictEqual((await auth.getSession(headers))?.user?.name, "ann")
    }
  )

  it("of headers alone is a GET, unless they open a socket", async () => {
    const auth = make()
    const cookie = await signedIn(auth)
    const foreign = { cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" }
    assert.isNotNull(await auth.getSession(new Headers(foreign)))
    assert.isNull(await auth.getSession({ headers: new Headers(foreign), method: "POST" }))
    assert.isNull(await auth.getSession(new Headers({ ...foreign, upgrade: "websocket" })))
  })

  it("of a socket is that of node:http", async () => {
    const auth = make()
    const server = createServer()
    const seen: Array<ServerSession | null> = []
    server.on("upgrade", (request, socket) => {
      void auth.getSession(request).then((session) => {
        seen.push(session)
        socket.end()
      })
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const { port } = server.address() as { port: number }
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
    await once(socket, "close")
    server.close()
    assert.deepStrictEqual(seen, [null])
  })

  it("that is a promise of headers is named as the mistake", async () => {
    const given: ServerRequest = JSON.parse("{}")
    const error: unknown = await make()
      .getSession(Object.assign(Promise.resolve(new Headers()), given))
      .catch((error: unknown) => error)
    assert.include(String(error), "it got an object of class Promise")
  })
})

describe("A session without a browser", () => {
  it.each([["a token", make] as const, ["a token that can be revoked", revocable] as const])(
    "is issued and proven by its token: %s",
    async (_, make) => {
      const auth = make()
      const authenticatedAt = new Date("2026-01-01T00:00:00.000Z")
      const { token, ...issued } = await auth.sessions.issue(ann, { amr: ["pwd"], authenticatedAt })
      assert.deepStrictEqual([issued.userId, issued.amr, issued.authenticatedAt], ["1", ["pwd"], authenticatedAt])
      assert.deepStrictEqual(await auth.sessions.get(token), issued)
      assert.deepStrictEqual(await auth.sessions.verify(token), issued)
      assert.strictEqual((await auth.requireSession(new Headers({ authorization: `Bearer ${token}` }))).id, issued.id)
    }
  )

  it("is none for a token that proves none", async () => {
    const auth = make()
    assert.isNull(await auth.sessions.get("nothing"))
    assert.strictEqual(await tagOf(auth.sessions.verify("nothing")), "NotSignedIn")
  })

  it("is followed until it is revoked", async () => {
    const auth = revocable()
    const session = await auth.sessions.issue(ann)
    const ended = new Promise((resolve) => void auth.sessions.changes(session, resolve, { every: 0.001 }))
    await auth.sessions.revokeAll(session.userId)
    assert.isUndefined(await ended)
    const later = await auth.sessions.issue(ann)
    assert.isAbove(later.generation, session.generation)
    const stop = auth.sessions.changes(later, () => assert.fail("a session that began later has not ended"), {
      every: 0.001
    })
    await new Promise((resolve) => void auth.sessions.changes(session, resolve))
    stop()
  })

  it("ends with the failure where it cannot be followed", async () => {
    const auth = make({ adapter: Adapter.toPromises(Adapter.makeMemory()), session: { strategy: "database" } })
    const { listSessions: _, ...lacking } = Adapter.toPromises(Adapter.makeMemory())
    const other = make({ adapter: lacking, session: { strategy: "database" } })
    const session = { id: "a".repeat(43), userId: "1", expires: "2030-01-01T00:00:00.000Z" }
    assert.isUndefined(await new Promise((resolve) => void auth.sessions.changes(session, resolve)))
    const failure = await new Promise((resolve) => void other.sessions.changes(session, resolve))
    assert.strictEqual(Reflect.get(Object(failure), "_tag"), "MissingAdapterMethods")
    const misuse = await new Promise((resolve) => void auth.sessions.changes(JSON.parse("{}"), resolve))
    assert.include(String(misuse), "sessions.changes(session, ended) expects a session of getSession")
    for (const every of [0, -1, Number.NaN, JSON.parse('"1"')]) {
      const refusal = await new Promise((resolve) => void auth.sessions.changes(session, resolve, { every }))
      assert.include(String(refusal), "expects a number of seconds above 0 as options.every")
    }
  })
})

describe("dispose", () => {
  it("stops what follows sessions, and a later call begins anew", async () => {
    const auth = make()
    const session = await auth.sessions.issue(ann)
    let calls = 0
    auth.sessions.changes(session, () => calls++, { every: 0.001 })
    await auth.dispose()
    assert.strictEqual((await auth.sessions.verify(session.token)).userId, "1")
    assert.strictEqual(calls, 0)
  })
})
