/** The door on real servers of `node:http`, over sockets. */
import { assert, describe, it } from "@effect/vitest"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import type * as Scope from "effect/Scope"
import * as Http1 from "node:http"
import * as Http2 from "node:http2"
import * as Https from "node:https"
import * as Net from "node:net"
import { Doorman } from "../../src/Doorman.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { options, password, type Visitor, visitor } from "../Visitor.ts"
import { certificate } from "../webauthn/Certificates.ts"
import { forLayer, type PlainOptions } from "../ForLayer.ts"

type AnyServer = Http1.Server | Http2.Http2Server | Http2.Http2SecureServer

interface Setting {
  readonly more?: Partial<PlainOptions>
  readonly client?: Layer.Layer<HttpClient.HttpClient>
  readonly server?: () => AnyServer
  readonly middleware?: HttpMiddleware.HttpMiddleware
  /** What looks at every request first. */
  readonly first?: Effect.Effect<unknown, unknown, HttpServerRequest.HttpServerRequest>
}

/** Starts a server; gives its port. */
const serving = ({
  client = FetchHttpClient.layer,
  first = Effect.void,
  middleware = (app) => app,
  more = {},
  server = () => Http1.createServer()
}: Setting = {}): Effect.Effect<number, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const routes = Layer.merge(
      Http.layer(Access.Default),
      HttpRouter.middleware((handler) => Effect.andThen(Effect.ignore(first), handler), { global: true })
    ).pipe(Layer.provide(Doorman.layer(forLayer({ ...options(), ...more })).pipe(Layer.provide(client))))
    const context = yield* Layer.build(
      HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true, middleware }).pipe(
        Layer.provideMerge(
          NodeHttpServer.layer(server, { port: 0, host: "127.0.0.1", gracefulShutdownTimeout: "1 second" })
        )
      )
    )
    const { address } = Context.get(context, HttpServer.HttpServer)
    return "port" in address ? address.port : assert.fail()
  })

const overSockets = (request: Request): Promise<Response> => fetch(request, { redirect: "manual" })

const browserAt = (port: number): Visitor => visitor(overSockets, `http://127.0.0.1:${port}`)

interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends these very bytes and waits for the end of the connection. */
const raw = (port: number, ...parts: ReadonlyArray<string | Uint8Array>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const socket = Net.connect(port, "127.0.0.1")
    const chunks: Array<Buffer> = []
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", reject)
    socket.on("close", () => {
      const text = Buffer.concat(chunks).toString("latin1")
      const [head = "", ...rest] = text.split("\r\n\r\n")
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body: rest.join("\r\n\r\n") })
    })
    for (const part of parts) socket.write(part)
  })

const lines = (target: string, headers: ReadonlyArray<string>, method = "GET"): string =>
  [`${method} ${target} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n")

describe("a server of node:http", () => {
  it.live("signs in and out with a password, several cookies in one answer", () =>
    Effect.gen(function* () {
      const ann = browserAt(yield* serving())
      yield* Effect.promise(async () => {
        const signed = await ann.signIn()
        assert.strictEqual(signed.status, 302)
        assert.include(signed.headers.getSetCookie().join("\n"), "authjs.session-token=")
        assert.strictEqual((await ann.session())?.user?.["name"], "ann")
        const started = await ann.submit("/auth/signin/acme", { callbackUrl: "/in" })
        assert.isAtLeast(started.headers.getSetCookie().length, 2)
        for (const line of started.headers.getSetCookie()) assert.match(line, /^[^=]+=[^;]*; .*Path=\//)
        assert.strictEqual((await ann.submit("/auth/signout")).status, 302)
        assert.isNull(await ann.session())
      })
    })
  )

  it.live("signs in with a provider", () =>
    Effect.gen(function* () {
      const provider = memoryProvider()
      const port = yield* serving({ client: provider.layer, more: { providers: [idp()] } })
      const ada = browserAt(port)
      yield* Effect.promise(async () => {
        const started = await ada.submit("/auth/signin/idp", { callbackUrl: "/in?x=1" })
        const back = provider.agree(started.headers.get("location") ?? "")
        assert.strictEqual(back.host, `127.0.0.1:${port}`)
        const landed = await ada.get(`${back.pathname}${back.search}`)
        assert.strictEqual(landed.headers.get("location"), `http://127.0.0.1:${port}/in?x=1`)
        assert.strictEqual((await ada.session())?.user?.["name"], "Ada")
        // The way back is used once.
        await ada.get(`${back.pathname}${back.search}`)
        assert.strictEqual(provider.count("/token"), 1)
      })
    })
  )

  it.live("sets and reads a session that needs several cookies", () =>
    Effect.gen(function* () {
      const port = yield* serving({
        more: { callbacks: { jwt: ({ token }) => ({ ...token, notes: "n".repeat(3500) }) } }
      })
      const ann = browserAt(port)
      yield* Effect.promise(async () => {
        const signed = await ann.signIn()
        const set = signed.headers.getSetCookie().filter((line) => line.includes("session-token."))
        assert.isAtLeast(set.length, 2)
        assert.strictEqual((await ann.session())?.user?.["name"], "ann")
        const out = await ann.submit("/auth/signout")
        assert.isAtLeast(out.headers.getSetCookie().filter((line) => line.includes("Max-Age=0")).length, 2)
        assert.isNull(await ann.session())
      })
    })
  )

  it.live("H031, H032 answers HEAD, OPTIONS and methods of others", () =>
    Effect.gen(function* () {
      const port = yield* serving()
      yield* Effect.promise(async () => {
        for (const method of ["HEAD", "OPTIONS", "PUT", "DELETE", "PROPFIND", "TRACE"]) {
          const { body, head, status } = await raw(port, lines("/auth/session", ["Host: app.example"], method))
          assert.strictEqual(status, 405, method)
          assert.match(head, /^allow: GET, POST$/im)
          assert.notMatch(head, /access-control/i)
          if (method === "HEAD") assert.strictEqual(body, "")
        }
      })
    })
  )
})

const hostileHosts = [
  "Host: a b",
  "Host:",
  "Host: user@app.example",
  "Host: user:pw@app.example",
  "Host: app.example/auth/csrf?",
  "Host: app.example?x",
  "Host: app.example#x",
  "Host: [::1",
  "Host: [::1]x",
  "Host: [:::::]",
  "Host: app.example:99999",
  "Host: app.example, evil.example",
  "Host: \u00e4pp.example",
  "Host: %61pp.example",
  "Host: app.example\\evil",
  "X-No-Host: at all"
]

const hostileTargets = [
  "http://[/auth/session",
  "http://user@app.example/auth/session",
  "http:///auth/session",
  "http://a_b:99999/auth/session",
  "/auth/%zz",
  "/auth/session%",
  "/auth/signin/%ff",
  "//auth/session",
  "/auth//session",
  "/auth\\session",
  `/auth/${"x".repeat(8000)}`,
  "*"
]

describe("hostile requests over a socket", () => {
  it.live("H039, H044 with a host that is none are the client's fault, and change nothing for the next", () =>
    Effect.gen(function* () {
      const port = yield* serving()
      yield* Effect.promise(async () => {
        for (const header of hostileHosts) {
          for (const target of ["/auth/session", "/auth/signin", "/auth/callback/acme?code=x", "/auth/%zz"]) {
            const { status } = await raw(port, lines(target, [header]))
            assert.isTrue(status >= 400 && status < 500, `${header} ${target}: ${status}`)
          }
        }
        const fine = await raw(port, lines("/auth/providers", ["Host: app.example"]))
        assert.strictEqual(fine.status, 200)
        assert.include(fine.body, "http://app.example/auth/signin/acme")
      })
    })
  )

  it.live("H039 of odd targets are the client's fault", () =>
    Effect.gen(function* () {
      const port = yield* serving()
      yield* Effect.promise(async () => {
        for (const target of hostileTargets) {
          for (const method of ["GET", "POST", "OPTIONS", "BREW"]) {
            const { status } = await raw(port, lines(target, ["Host: app.example"], method))
            const leadsToErrorPage = status === 302 && target === "/auth/signin/%ff"
            assert.isTrue(leadsToErrorPage || (status >= 400 && status < 500), `${method} ${target}: ${status}`)
          }
        }
      })
    })
  )

  it.live("H039 of absolute form are answered for the host that they name, by the scheme of the connection", () =>
    Effect.gen(function* () {
      const port = yield* serving()
      const fixed = yield* serving({ more: { origin: "https://app.example" } })
      yield* Effect.promise(async () => {
        for (const target of ["http://app.example/auth/providers", "https://app.example/auth/providers"]) {
          const { body, status } = await raw(port, lines(target, ["Host: other.example"]))
          assert.strictEqual(status, 200)
          assert.include(body, `"http://app.example/auth/signin/acme"`)
        }
        const { body } = await raw(fixed, lines("http://evil.example/auth/providers", ["Host: evil.example"]))
        assert.include(body, `"https://app.example/auth/signin/acme"`)
        assert.notInclude(body, "evil")
      })
    })
  )

  it.live("H040, H044 hosts take no part where the origin is known", () =>
    Effect.gen(function* () {
      const port = yield* serving({ more: { origin: "https://app.example" } })
      yield* Effect.promise(async () => {
        for (const header of hostileHosts.filter((header) => header.startsWith("Host: "))) {
          const { body, status } = await raw(port, lines("/auth/providers", [header]))
          assert.strictEqual(status, 200, header)
          assert.include(body, `"https://app.example/auth/signin/acme"`)
        }
      })
    })
  )

  it.live("H041 hear of forwarded hosts only from the proxies that the application names", () =>
    Effect.gen(function* () {
      const isNamed = (address: NetAddress.IpAddress) => NetAddress.formatIp(address) === "127.0.0.1"
      const behind = yield* serving({ middleware: HttpMiddleware.xForwardedHeaders({ trustedProxies: isNamed }) })
      const stranger = yield* serving({ middleware: HttpMiddleware.xForwardedHeaders({ trustedProxies: [] }) })
      const plain = yield* serving()
      const option = yield* serving({ more: { trustedProxies: ["127.0.0.0/8", "::1"] } })
      const signinAt = async (port: number, headers: ReadonlyArray<string>): Promise<string> => {
        const { body } = await raw(port, lines("/auth/providers", ["Host: inner.example", ...headers]))
        return JSON.parse(body).acme.signinUrl
      }
      const one = ["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Host: app.example", "X-Forwarded-Proto: https"]
      const list = [
        "X-Forwarded-For: 198.51.100.1, 203.0.113.9",
        "X-Forwarded-Host: evil.example, app.example",
        "X-Forwarded-Proto: http, https"
      ]
      const crooked = ["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Host: evil.example, app.example"]
      const others = ["Forwarded: host=evil.example;proto=https", "X-Original-URL: /auth/csrf"]
      yield* Effect.promise(async () => {
        for (const port of [behind, option]) {
          assert.strictEqual(await signinAt(port, one), "https://app.example/auth/signin/acme")
          assert.strictEqual(await signinAt(port, list), "https://app.example/auth/signin/acme")
        }
        assert.strictEqual(await signinAt(behind, crooked), "http://inner.example/auth/signin/acme")
        assert.strictEqual(await signinAt(behind, others), "http://inner.example/auth/signin/acme")
        for (const port of [stranger, plain]) {
          for (const headers of [one, list, crooked, others]) {
            assert.strictEqual(await signinAt(port, headers), "http://inner.example/auth/signin/acme")
          }
        }
        // The scheme decides what the cookies are called.
        const { head } = await raw(behind, lines("/auth/csrf", ["Host: inner.example", ...one]))
        assert.match(head, /set-cookie: __Host-authjs\.csrf-token=.*; Secure/i)
      })
    })
  )
})

/** A form that signs in, with the token that belongs to the cookie. */
const signInForm = async (
  ann: Visitor,
  more = ""
): Promise<{ readonly body: string; readonly headers: Array<string> }> => {
  const token = await ann.csrfToken()
  const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  return {
    body: `csrfToken=${token}&username=ann&password=pw${more}`,
    headers: ["Content-Type: application/x-www-form-urlencoded", `Cookie: ${cookie}`]
  }
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

describe("bodies over a socket", () => {
  it.live("come in chunks, without a length", () =>
    Effect.gen(function* () {
      const port = yield* serving()
      yield* Effect.promise(async () => {
        const { body, headers } = await signInForm(browserAt(port))
        const head = lines(
          "/auth/callback/credentials",
          [`Host: 127.0.0.1:${port}`, ...headers, "Transfer-Encoding: chunked"],
          "POST"
        )
        const { head: answered, status } = await raw(port, head, ...[...body].map(chunk), "0\r\n\r\n")
        assert.strictEqual(status, 302)
        assert.match(answered, /set-cookie: authjs\.session-token=/i)
      })
    })
  )

  it.live("H181 of 64 kB and a byte are refused, however they come", () =>
    Effect.gen(function* () {
      const port = yield* serving()
      yield* Effect.promise(async () => {
        const ann = browserAt(port)
        for (const [size, accepted] of [
          [65_536, 302],
          [65_537, 413],
          [300_000, 413]
        ] as const) {
          const { body: start, headers } = await signInForm(ann, "&filler=")
          const body = `${start}${"x".repeat(size - start.length)}`
          const host = `Host: 127.0.0.1:${port}`
          const announced = lines("/auth/callback/credentials", [host, ...headers, `Content-Length: ${size}`], "POST")
          assert.strictEqual((await raw(port, announced, body)).status, accepted, `${size} announced`)
          const chunked = lines(
            "/auth/callback/credentials",
            [host, ...(await signInForm(ann)).headers, "Transfer-Encoding: chunked"],
            "POST"
          )
          assert.strictEqual((await raw(port, chunked, chunk(body), "0\r\n\r\n")).status, accepted, `${size} chunked`)
        }
        assert.strictEqual((await ann.signIn()).status, 302)
      })
    })
  )

  it.live("that a middleware read by way of Effect are there for the action", () =>
    Effect.gen(function* () {
      const port = yield* serving({
        first: Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => request.urlParamsBody)
      })
      const ann = browserAt(port)
      yield* Effect.promise(async () => {
        assert.strictEqual((await ann.signIn()).status, 302)
        assert.strictEqual((await ann.session())?.user?.["name"], "ann")
      })
    })
  )

  it.live("that a middleware took from the socket are refused", () =>
    Effect.gen(function* () {
      const port = yield* serving({
        first: Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ source }) =>
          Effect.promise(async () => {
            if (source instanceof Http1.IncomingMessage && source.method === "POST") await source.toArray()
          })
        )
      })
      yield* Effect.promise(async () => assert.strictEqual((await browserAt(port).signIn()).status, 400))
    })
  )

  it.live("of clients that go away half way leave the server as it was", () =>
    Effect.gen(function* () {
      const port = yield* serving()
      yield* Effect.promise(async () => {
        const ann = browserAt(port)
        const { body, headers } = await signInForm(ann)
        for (const framing of [`Content-Length: ${body.length}`, "Transfer-Encoding: chunked"]) {
          const socket = Net.connect(port, "127.0.0.1")
          await new Promise<void>((resolve) =>
            socket.write(
              `${lines("/auth/callback/credentials", [`Host: 127.0.0.1:${port}`, ...headers, framing], "POST")}${
                framing.startsWith("Content") ? body.slice(0, 10) : chunk("csrf")
              }`,
              () => resolve()
            )
          )
          socket.destroy()
        }
        assert.strictEqual((await ann.signIn()).status, 302)
      })
    })
  )

  it.live("of clients that go away after they sent everything are worked off to the end", () =>
    Effect.gen(function* () {
      const told = yield* Deferred.make<string>()
      const asked = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const gone = yield* Deferred.make<void>()
      const socket = new Net.Socket()
      const run = Effect.runPromiseWith(yield* Effect.context<never>())
      const port = yield* serving({
        server: () =>
          Http1.createServer().on("connection", (connection: Net.Socket) =>
            connection.once("close", () => {
              if (socket.destroyed) Deferred.doneUnsafe(gone, Effect.void)
            })
          ),
        more: {
          providers: [
            password(() =>
              run(
                Deferred.succeed(asked, undefined).pipe(
                  Effect.andThen(Deferred.await(go)),
                  Effect.as({ id: "ann", name: "ann" })
                )
              )
            )
          ],
          events: { signIn: ({ user }) => Effect.asVoid(Deferred.succeed(told, String(user.name))) }
        }
      })
      const { body, headers } = yield* Effect.promise(() => signInForm(browserAt(port)))
      const host = [`Host: 127.0.0.1:${port}`, ...headers, `Content-Length: ${body.length}`]
      socket.connect(port, "127.0.0.1")
      socket.write(`${lines("/auth/callback/credentials", host, "POST")}${body}`)
      yield* Deferred.await(asked)
      socket.destroy()
      yield* Deferred.await(gone)
      yield* Deferred.succeed(go, undefined)
      assert.strictEqual(yield* Deferred.await(told), "ann")
    })
  )
})

const tls = () => {
  const { pem, privateKey } = certificate("localhost")
  return { cert: pem, key: privateKey.export({ type: "pkcs8", format: "pem" }) }
}

/** One request of HTTP/2; a body goes out without a length. */
const stream = (
  session: Http2.ClientHttp2Session,
  headers: Http2.OutgoingHttpHeaders,
  body?: string
): Promise<{ readonly headers: Http2.IncomingHttpHeaders; readonly body: string }> =>
  new Promise((resolve, reject) => {
    const request = session.request(headers, { endStream: body === undefined })
    let answered: Http2.IncomingHttpHeaders = {}
    const chunks: Array<Buffer> = []
    request.on("response", (given) => (answered = given))
    request.on("data", (part: Buffer) => chunks.push(part))
    request.on("error", reject)
    request.on("end", () => resolve({ headers: answered, body: Buffer.concat(chunks).toString() }))
    if (body !== undefined) request.end(body)
  })

describe("TLS in the process itself", () => {
  it.live("makes the cookies secure", () =>
    Effect.gen(function* () {
      const port = yield* serving({ server: () => Https.createServer(tls()) })
      const ask = (path: string) =>
        Effect.promise(
          () =>
            new Promise<[string, ReadonlyArray<string>]>((resolve, reject) => {
              Https.get({ host: "127.0.0.1", port, path, rejectUnauthorized: false }, (response) => {
                const chunks: Array<Buffer> = []
                response.on("data", (part: Buffer) => chunks.push(part))
                response.on("end", () =>
                  resolve([Buffer.concat(chunks).toString(), response.headers["set-cookie"] ?? []])
                )
              }).on("error", reject)
            })
        )
      const [body] = yield* ask("/auth/providers")
      const [, cookies] = yield* ask("/auth/csrf")
      assert.isNotEmpty(cookies)
      assert.include(body, `"https://127.0.0.1:${port}/auth/signin/acme"`)
      for (const cookie of cookies) {
        assert.match(cookie, /^__(?:Host|Secure)-/)
        assert.include(cookie, "; Secure")
      }
    })
  )

  it.live("H039 answers HTTP/2: the authority is the host, the scheme that of the connection", () =>
    Effect.gen(function* () {
      const port = yield* serving({ server: () => Http2.createSecureServer({ ...tls(), allowHTTP1: true }) })
      const session = yield* Effect.acquireRelease(
        Effect.sync(() => Http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })),
        (session) => Effect.callback<void>((resume) => session.close(() => resume(Effect.void)))
      )
      yield* Effect.promise(async () => {
        const providers = await stream(session, {
          ":path": "/auth/providers",
          ":authority": "app.example",
          ":scheme": "https"
        })
        assert.strictEqual(JSON.parse(providers.body).acme.signinUrl, "https://app.example/auth/signin/acme")
        for (const authority of ["a_b:99999", "[::1", "app.example,evil.example"]) {
          const hostile = await stream(session, { ":path": "/auth/providers", ":authority": authority })
          assert.strictEqual(Number(hostile.headers[":status"]), 400, authority)
        }
        const csrf = await stream(session, { ":path": "/auth/csrf", ":authority": "app.example" })
        const cookie = (csrf.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ")
        const signed = await stream(
          session,
          {
            ":method": "POST",
            ":path": "/auth/callback/credentials",
            ":authority": "app.example",
            "content-type": "application/x-www-form-urlencoded",
            cookie
          },
          `csrfToken=${JSON.parse(csrf.body).csrfToken}&username=ann&password=pw`
        )
        assert.strictEqual(Number(signed.headers[":status"]), 302)
        assert.match((signed.headers["set-cookie"] ?? []).join("\n"), /__Host-authjs\.session-token=[^;]+;.*Secure/)
      })
    })
  )
})
