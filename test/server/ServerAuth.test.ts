import express from "express"
import { createServer, request as nodeRequest, type RequestListener } from "node:http"
import { connect, createServer as createHttp2 } from "node:http2"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { format, inspect } from "node:util"
import { afterEach, assert, describe, it, vi } from "vitest"
import * as Adapter from "../../src/Adapter.ts"
import type { AuditEvent } from "../../src/Audit.ts"
import { createAuth, type ServerAuth } from "../../src/index.ts"
import { toNodeHandler } from "../../src/node.ts"
import { forFunctions } from "../ForFunctions.ts"
import { listener, ownSite, password, site, visitor } from "../Visitor.ts"

const make = (more: object = {}): ServerAuth =>
  createAuth(forFunctions({ ...ownSite(), origin: site, env: {}, ...more }))

const stored = (more: object = {}) => {
  const adapter = Adapter.makeMemory()
  return { adapter, auth: make({ adapter: Adapter.toPromises(adapter), session: { strategy: "database" }, ...more }) }
}

/** A request with cookies, as a browser sends it. */
const asking = (cookies: ReadonlyMap<string, string>, init: RequestInit = {}): Request => {
  const headers = new Headers(init.headers)
  headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "))
  return new Request(`${site}/page`, { ...init, headers })
}

/** The cookies that headers set. */
const setBy = (headers: Headers): Map<string, string> =>
  new Map(
    headers.getSetCookie().map((line) => {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      return [name, value]
    })
  )

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it did not reject"),
    (error: unknown) => error
  )

const tagOf = async (promise: Promise<unknown>): Promise<unknown> => {
  const error = await rejection(promise)
  return typeof error === "object" && error !== null ? Reflect.get(error, "_tag") : error
}

const ann = { id: "1", name: "Ann", email: "ann@example.com" }

describe("createAuth", () => {
  it("asks again for its engine after a file could not be loaded", async () => {
    vi.resetModules()
    vi.doMock("../../src/server/ServerEngine.ts", () => {
      throw new Error("the file is gone")
    })
    const { createAuth } = await import("../../src/server/CreateAuth.ts")
    const auth = createAuth(forFunctions({ ...ownSite(), origin: site, env: {} }))
    await rejection(auth.getSession(new Request(site)))
    vi.doUnmock("../../src/server/ServerEngine.ts")
    assert.isNull(await auth.getSession(new Request(site)))
  })

  it("answers the endpoints and reads the session that they made", async () => {
    const auth = make()
    const browser = visitor(auth.handler)
    assert.isNull(await auth.getSession(asking(new Map())))
    assert.strictEqual((await browser.signIn()).status, 302)
    const session = await auth.getSession(asking(browser.cookies))
    assert.deepInclude(session?.user, { name: "ann", email: "ann@example.com" })
    assert.deepStrictEqual((await auth.requireSession(asking(browser.cookies))).user, session?.user)
  })

  it("completes its options from the variables that it is given", async () => {
    const env = { AUTH_SECRET: "kT7v-Qm2x_9LrW4bZp1sHd8yNf3cGj6a", AUTH_URL: "https://site.example/api/auth" }
    const auth = createAuth(forFunctions({ providers: [password()], env }))
    assert.strictEqual(auth.basePath, "/api/auth")
    const answer = await auth.handler(new Request("http://10.0.0.1/api/auth/providers"))
    assert.include(await answer.text(), "https://site.example/api/auth/callback/credentials")
  })

  it("distinguishes a signed-out visitor from a store that is down", async () => {
    const { adapter, auth } = stored({ logger: listener().logger })
    const broken = { ...Adapter.toPromises(adapter), getSessionAndUser: () => Promise.reject(new Error("down")) }
    const down = make({ adapter: broken, session: { strategy: "database" } })
    const cookies = new Map([["__Host-authjs.session-token", "a-session-token-of-somebody"]])
    assert.isNull(await auth.getSession(asking(cookies)))
    assert.strictEqual(await tagOf(down.getSession(asking(cookies))), "SessionUnavailable")
    assert.strictEqual(await tagOf(auth.requireSession(asking(cookies))), "NotSignedIn")
  })

  it("shows no session to a change that a page of another site asks for", async () => {
    const auth = make()
    const browser = visitor(auth.handler)
    await browser.signIn()
    const foreign = { method: "POST", headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } }
    assert.isNull(await auth.getSession(asking(browser.cookies, foreign)))
    assert.strictEqual(await tagOf(auth.requireSession(asking(browser.cookies, foreign))), "NotAllowed")
    assert.strictEqual(await tagOf(auth.signIn(asking(browser.cookies, foreign), ann)), "NotAllowed")
    assert.strictEqual(await tagOf(auth.updateSession(asking(browser.cookies, foreign), {})), "NotAllowed")
  })

  it("signs a user in and out by order of the application", async () => {
    const auth = make()
    const cookies = setBy(await auth.signIn(asking(new Map()), ann))
    assert.strictEqual((await auth.getSession(asking(cookies)))?.user?.name, "Ann")
    const cleared = setBy(await auth.signOut(asking(cookies)))
    assert.includeMembers([...cleared.keys()], [...cookies.keys()])
    assert.deepStrictEqual([...new Set(cleared.values())], [""])
  })

  it("changes a session as the callbacks say", async () => {
    const auth = make({
      callbacks: {
        jwt: ({ session, token, trigger }: { session: { name: string }; token: object; trigger?: string }) =>
          trigger === "update" ? { ...token, name: session.name } : token
      }
    })
    const cookies = setBy(await auth.signIn(asking(new Map()), ann))
    const { headers, session } = await auth.updateSession(asking(cookies), { name: "Anna" })
    assert.strictEqual(session.user?.name, "Anna")
    assert.strictEqual((await auth.getSession(asking(setBy(headers))))?.user?.name, "Anna")
    assert.strictEqual(await tagOf(auth.updateSession(asking(new Map()), {})), "NotSignedIn")
  })

  it("sets a renewed cookie where it is given headers to set", async () => {
    const auth = make({
      session: { updateAge: 0, maxAge: 3600 },
      callbacks: { jwt: ({ token }: Record<string, object>) => ({ ...token, seen: true }) }
    })
    const visitor = new Headers()
    await auth.getSession(asking(new Map()), visitor)
    assert.strictEqual(visitor.get("vary"), "Cookie, Authorization", "a cache keeps the page of nobody for nobody")
    const cookies = setBy(await auth.signIn(asking(new Map()), ann))
    const headers = new Headers({ "x-own": "kept" })
    await auth.getSession(asking(cookies), headers)
    assert.isNotEmpty(headers.getSetCookie())
    assert.strictEqual(headers.get("x-own"), "kept")
    assert.include(headers.get("cache-control") ?? "", "no-store")
  })

  it("rejects for no request that a stranger can send to a server", async () => {
    const auth = make({ origin: undefined, trustHost: true })
    const socket = {}
    assert.isNull(await auth.getSession({ url: "/page", method: "TRACE", headers: { host: "site.example" }, socket }))
    assert.isNull(await auth.getSession({ url: "/page", method: "GET", headers: {}, socket }))
    assert.isNull(await auth.getSession({ url: "*", method: "OPTIONS", headers: { host: "site.example" }, socket }))
    assert.strictEqual(await tagOf(auth.requireSession({ url: "/page", headers: {}, socket })), "MalformedRequest")
  })

  it("leaves the lifetime in caches to an application that named one", async () => {
    const auth = make()
    const browser = visitor(auth.handler)
    await browser.signIn()
    const [silent, chosen] = [new Headers(), new Headers({ "cache-control": "private, max-age=5" })]
    await auth.getSession(asking(browser.cookies), silent)
    await auth.getSession(asking(browser.cookies), chosen)
    assert.strictEqual(silent.get("cache-control"), "private, no-store")
    assert.strictEqual(chosen.get("cache-control"), "private, max-age=5")
  })

  it("lists and ends sessions, and lists and takes away accounts", async () => {
    const { adapter: store, auth: own } = stored()
    await rejection(own.signIn(asking(new Map()), ann))
    const promises = Adapter.toPromises(store)
    const known = await promises.createUser?.({ ...ann, emailVerified: null })
    const id = known?.id ?? ""
    await promises.linkAccount?.({ userId: id, type: "oauth", provider: "acme", providerAccountId: "a1" })
    await promises.linkAccount?.({ userId: id, type: "oauth", provider: "other", providerAccountId: "o1" })
    const first = setBy(await own.signIn(asking(new Map()), { ...ann, id }))
    const second = setBy(await own.signIn(asking(new Map()), { ...ann, id }))
    const [one] = await own.sessions.list(id)
    assert.lengthOf(await own.sessions.list(id), 2)
    assert.isTrue(await own.sessions.revoke(id, one?.id ?? ""))
    assert.isFalse(await own.sessions.revoke(id, one?.id ?? ""))
    const left = await Promise.all([first, second].map((cookies) => own.getSession(asking(cookies))))
    assert.lengthOf(
      left.filter((session) => session !== null),
      1
    )
    await own.sessions.revokeAll(id)
    assert.isEmpty(await own.sessions.list(id))
    assert.lengthOf((await own.accounts.list(id)).accounts, 2)
    await own.accounts.unlink(id, { provider: "acme", providerAccountId: "a1" })
    assert.strictEqual(
      await tagOf(own.accounts.unlink(id, { provider: "other", providerAccountId: "o1" })),
      "LastWayToSignIn"
    )
    assert.strictEqual(await tagOf(make().accounts.list(id)), "MissingAdapter")
    assert.strictEqual(await tagOf(make().sessions.list(id)), "UnsupportedStrategy")
  })

  it("ends no session by a text that is no id of one, and keeps no mark of it", async () => {
    const keys: Array<string> = []
    const sharedState = { get: () => undefined, swap: ({ key }: { key: string }) => keys.push(key) > 0 }
    const auth = make({ session: { revocation: true }, sharedState })
    for (const id of ["", "x", "x".repeat(100_000), `${"a".repeat(43)}\n`])
      assert.isFalse(await auth.sessions.revoke("ann", id))
    assert.isEmpty(keys)
    assert.isTrue(await auth.sessions.revoke("ann", "a".repeat(43)))
    assert.lengthOf(keys, 1)
  })

  it("rejects calls without their arguments, and says which one is missing", async () => {
    const { auth } = stored()
    const nothing = (): never => JSON.parse("{}").missing as never
    const calls: ReadonlyArray<readonly [field: string, call: () => Promise<unknown>]> = [
      ["request", () => auth.getSession(nothing())],
      ["request", () => auth.requireSession(nothing())],
      ["request", () => auth.requireAssurance(nothing(), { maxAge: 5 })],
      ["requirement", () => auth.requireAssurance(asking(new Map()), nothing())],
      ["requirement", () => auth.requireAssurance(asking(new Map()), JSON.parse(`{"max_age":5}`) as object)],
      ["requirement.acr", () => auth.requireAssurance(asking(new Map()), JSON.parse(`{"acr":"phrh"}`) as object)],
      ["request", () => auth.signIn(nothing(), ann)],
      ["user", () => auth.signIn(asking(new Map()), nothing())],
      ["user.id", () => auth.signIn(asking(new Map()), { name: "Ann", id: nothing() })],
      ["user.id", () => auth.signIn(asking(new Map()), { name: "Ann", id: "" })],
      ["request", () => auth.signOut(nothing())],
      ["data", () => auth.updateSession(asking(new Map()), nothing())],
      ["userId", () => auth.sessions.list(nothing())],
      ["userId", () => auth.sessions.revoke(nothing(), "a".repeat(43))],
      ["sessionId", () => auth.sessions.revoke("ann", nothing())],
      ["userId", () => auth.sessions.revokeAll(nothing())],
      ["userId", () => auth.sessions.revokeAll("")],
      ["userId", () => auth.accounts.list(nothing())],
      ["userId", () => auth.accounts.export(nothing())],
      ["userId", () => auth.accounts.remove(nothing())],
      ["userId", () => auth.accounts.renamePasskey(nothing(), "key", "name")],
      ["credentialID", () => auth.accounts.renamePasskey("ann", nothing(), "name")],
      ["label", () => auth.accounts.renamePasskey("ann", "key", nothing())],
      ["userId", () => auth.accounts.unlink(nothing(), { provider: "acme", providerAccountId: "a1" })],
      ["account", () => auth.accounts.unlink("ann", nothing())],
      [
        "account.providerAccountId",
        () => auth.accounts.unlink("ann", { provider: "acme", providerAccountId: nothing() })
      ],
      ["the first argument", () => auth.providerTokens.get(nothing())],
      ["provider", () => auth.providerTokens.get({ userId: "ann", provider: nothing() })],
      ["userId", () => auth.providerTokens.revoke({ userId: nothing(), provider: "acme" })]
    ]
    for (const [field, call] of calls) {
      const error = await rejection(call())
      assert.deepInclude(error, { _tag: "InvalidConfiguration", field })
      assert.match(String(error), /expects .+; it got (?:undefined|an empty text|a string|an object)/)
    }
  })

  it("tells listeners of what happened, until they or the server end", async () => {
    const told: Array<string> = []
    const { logger, told: logged } = listener()
    const auth = make({ logger })
    auth.onEvent(() => Promise.reject(new Error("a listener that fails")))
    const end = auth.onEvent((event: AuditEvent) => void told.push(event._tag))
    const browser = visitor(auth.handler)
    await browser.signIn()
    await auth.signOut(asking(browser.cookies))
    assert.deepStrictEqual(told, ["SignedIn", "SignedOut"])
    assert.include(
      logged.errors.map(({ name }) => name),
      "EventError"
    )
    end()
    await browser.signIn()
    assert.lengthOf(told, 2)
    auth.onEvent((event) => void told.push(event._tag))
    await auth.dispose()
    await browser.signIn()
    assert.lengthOf(told, 2)
  })

  it("refuses everything with options that cannot be used", async () => {
    const auth = createAuth(
      forFunctions({ providers: [password()], env: { NODE_ENV: "production" }, logger: listener().logger })
    )
    assert.strictEqual((await auth.handler(new Request(`${site}/auth/session`))).status, 500)
    assert.strictEqual(await tagOf(auth.getSession(asking(new Map()))), "MissingSecret")
  })
})

describe("createAuth without an object of options", () => {
  const values: ReadonlyArray<readonly [unknown, string]> = [
    [undefined, "undefined"],
    [null, "null"],
    [5, "a number"],
    ["x", "a string"],
    [["x"], "an object of class Array"],
    [() => ({}), "a function"],
    [Promise.resolve({}), "an object of class Promise"]
  ]
  it.each(values)("answers with the problem, and the application can go on: %s", async (value, kind) => {
    const lines: Array<string> = []
    const written = vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)))
    const auth: ServerAuth = Reflect.apply(createAuth, undefined, [value])
    assert.strictEqual(auth.basePath, "/auth")
    assert.strictEqual((await auth.handler(new Request(`${site}/auth/session`))).status, 500)
    written.mockRestore()
    const detail = `createAuth(config) expects an object of options as config; it got ${kind}`
    assert.include(lines.join("\n"), `${detail}\n  option: config\n  fix: Pass an object of options as config.`)
    const error = await rejection(auth.getSession(new Request(`${site}/page`)))
    assert.deepInclude(error, { _tag: "InvalidConfiguration", status: 500 })
    assert.include(String(error), detail)
  })
})

describe("toNodeHandler", () => {
  const running: Array<() => void> = []
  afterEach(() => running.splice(0).forEach((close) => close()))

  const listen = async (handler: RequestListener): Promise<number> => {
    const server = createServer(handler).listen(0, "127.0.0.1")
    running.push(() => {
      server.close()
      server.closeAllConnections()
    })
    await once(server, "listening")
    const address = server.address()
    return typeof address === "object" ? (address?.port ?? 0) : 0
  }

  const at = (port: number) => (request: Request) => {
    const { pathname, search } = new URL(request.url)
    return request.text().then((body) =>
      fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        redirect: "manual",
        ...(body === "" ? {} : { body })
      })
    )
  }

  it("signs in over a socket, and hands other requests on", async () => {
    const auth = make()
    const port = await listen(toNodeHandler(auth, (_, response) => void response.end("other")))
    const browser = visitor(at(port))
    assert.strictEqual((await browser.signIn()).status, 302)
    assert.strictEqual((await browser.session())?.user?.["name"], "ann")
    assert.strictEqual(await (await browser.get("/elsewhere")).text(), "other")
    assert.strictEqual(await (await browser.get("/authentic")).text(), "other")
  })

  it("signs in behind a parser of Express, and below the path that it is mounted at", async () => {
    for (const mount of [undefined, "/auth"]) {
      const auth = make()
      const app = express().use(express.urlencoded(), express.json())
      if (mount === undefined) app.use(toNodeHandler(auth))
      else app.use(mount, toNodeHandler(auth))
      app.use((_request, response) => void response.status(418).end())
      const browser = visitor(at(await listen(app)))
      assert.strictEqual((await browser.signIn()).status, 302)
      assert.strictEqual((await browser.session())?.user?.["name"], "ann")
      assert.strictEqual((await browser.get("/elsewhere")).status, 418)
    }
  })

  it("reads the session of a request of Express", async () => {
    const auth = make()
    const app = express().use(toNodeHandler(auth))
    app.get("/name", async (request, response) => {
      const session = await auth.getSession(request)
      response.send(session?.user?.name ?? "stranger")
    })
    const browser = visitor(at(await listen(app)))
    assert.strictEqual(await (await browser.get("/name")).text(), "stranger")
    await browser.signIn()
    assert.strictEqual(await (await browser.get("/name")).text(), "ann")
  })

  it("contradicts no header that a middleware has set", async () => {
    const app = express().use((_request, response, next) => {
      response.set({ "cache-control": "public, max-age=600", "content-type": "text/plain", vary: "Accept" })
      response.cookie("theirs", "1")
      next()
    }, toNodeHandler(make()))
    const { headers } = await at(await listen(app))(new Request(`${site}/auth/csrf`))
    assert.strictEqual(headers.get("cache-control"), "private, no-cache, no-store")
    assert.strictEqual(headers.get("content-type"), "application/json")
    assert.strictEqual(headers.get("vary"), "Accept, Cookie")
    assert.include([...setBy(headers).keys()], "theirs")
    assert.include([...setBy(headers).keys()], "__Host-authjs.csrf-token")
  })

  it("signs in behind a parser that leaves the bytes as they are", async () => {
    const app = express().use(express.raw({ type: "*/*" }), toNodeHandler(make()))
    assert.strictEqual((await visitor(at(await listen(app))).signIn()).headers.get("location"), site)
  })

  const fails = (): never => {
    throw new Error("not to be read")
  }

  const asker = (port: number) => (method: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      nodeRequest({ port, method, path }, ({ statusCode }) => resolve(statusCode))
        .on("error", reject)
        .end()
    })

  it("answers the status of an application that fails, logs what is its own, and goes on", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined)
    running.push(() => printed.mockRestore())
    const auth = make({ logger: undefined })
    const ask = asker(
      await listen(
        toNodeHandler(auth, async (request, response) => {
          if (request.url === "/bug") throw new TypeError("a bug")
          await (request.url === "/open" ? auth.getSession(request) : auth.requireSession(request))
          response.end()
        })
      )
    )
    assert.strictEqual(await ask("GET", "/"), 401)
    assert.strictEqual(await ask("TRACE", "/"), 400)
    assert.lengthOf(printed.mock.calls, 0)
    assert.strictEqual(await ask("GET", "/bug"), 500)
    assert.lengthOf(printed.mock.calls, 1)
    assert.match(String(printed.mock.calls[0]?.[0]), /^\[auth\]\[error\] .*\n {2}request: /)
    // As the platform prints it: the error itself, with its stack.
    assert.instanceOf(printed.mock.calls[0]?.[1], TypeError)
    assert.strictEqual(await ask("GET", "/open"), 200)
  })

  it.each<readonly [what: string, thrown: object]>([
    ["its status is read", Object.defineProperty({}, "status", { get: fails })],
    ["it is printed", { [inspect.custom]: fails }]
  ])("answers what an application throws and what throws when %s", async (_, thrown) => {
    const printed: Array<string> = []
    const print = vi.spyOn(console, "error").mockImplementation((...parts) => void printed.push(format(...parts)))
    running.push(() => print.mockRestore())
    const auth = make({ logger: undefined })
    const ask = asker(await listen(toNodeHandler(auth, () => Promise.reject<undefined>(thrown))))
    assert.strictEqual(await ask("GET", "/"), 500)
    assert.lengthOf(printed, 1)
    assert.match(printed[0] ?? "", /^\[auth\]\[error\] .*\n {2}request: /)
  })

  it("hands the error of an application to the next middleware", async () => {
    const auth = make()
    const error = new Error("a bug")
    const app = express().use(toNodeHandler(auth, () => Promise.reject(error)))
    app.use(((caught, _request, response, _next) => {
      response.status(caught === error ? 418 : 500).end()
    }) satisfies express.ErrorRequestHandler)
    assert.strictEqual(await asker(await listen(app))("GET", "/"), 418)
  })

  it("answers over HTTP/2, which names the host in another place", async () => {
    const auth = make({ origin: undefined, trustedHosts: ["site.example"] })
    const server = createHttp2(
      toNodeHandler(auth, async (request, response) => {
        const session = await auth.getSession(request)
        response.end(session === null ? "nobody" : (session.user?.name ?? ""))
      })
    ).listen(0, "127.0.0.1")
    running.push(() => void server.close())
    await once(server, "listening")
    const address = server.address()
    const client = connect(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`)
    running.push(() => client.close())
    const ask = async (path: string, authority: string): Promise<readonly [unknown, string]> => {
      const stream = client.request({ ":path": path, ":authority": authority })
      let status: unknown
      stream.on("response", (headers) => (status = headers[":status"]))
      const body = await text(stream)
      return [status, body]
    }
    assert.deepStrictEqual(await ask("/auth/session", "site.example"), [200, "null"])
    assert.deepStrictEqual(await ask("/auth/session", "evil.example"), [400, ""])
    assert.deepStrictEqual(await ask("/page", "site.example"), [200, "nobody"])
  })

  it("refuses what cannot be a request, and goes on", async () => {
    const ask = asker(await listen(toNodeHandler(make())))
    assert.strictEqual(await ask("TRACE", "/auth/session"), 400)
    assert.strictEqual(await ask("OPTIONS", "*"), 400)
    assert.strictEqual(await ask("GET", "/elsewhere"), 404)
    assert.strictEqual(await ask("GET", "/auth/session"), 200)
  })
})
