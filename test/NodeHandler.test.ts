/**
 * The handler of `node:http` and `node:http2` against what a socket can bring: requests are written to it as they are.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { once } from "node:events"
import express from "express"
import { createServer, type RequestListener } from "node:http"
import { type ClientHttp2Session, connect as connectHttp2, constants, createServer as createHttp2 } from "node:http2"
import { connect, type Socket } from "node:net"
import { buffer, text } from "node:stream/consumers"
import { setImmediate as turn } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { afterEach, assert, describe, it, vi } from "vitest"
import { createAuth, type ServerAuth } from "../src/index.ts"
import { type PlainEngine, plainEngine } from "../src/http/PlainExchange.ts"
import { toNodeHandler } from "../src/node.ts"
import { forFunctions } from "./ForFunctions.ts"
import { type Authorize, listener, ownSite, password, site } from "./Visitor.ts"

const running: Array<() => void> = []
afterEach(() => {
  vi.useRealTimers()
  running.splice(0).forEach((close) => close())
})

/** A site whose engine is loaded, and what its log was told. */
const make = async (more: object = {}): Promise<{ auth: ServerAuth; told: ReturnType<typeof listener>["told"] }> => {
  const { logger, told } = listener()
  const auth = createAuth(forFunctions({ ...ownSite(), origin: site, env: {}, logger, ...more }))
  await auth.handler(new Request(`${site}/auth/csrf`))
  return { auth, told }
}

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

interface Connection {
  readonly socket: Socket
  /** The bytes so far. */
  readonly read: () => string
  /** Waits until what came matches. */
  readonly until: (pattern: RegExp) => Promise<string>
  readonly closed: Promise<unknown>
}

const open = async (port: number): Promise<Connection> => {
  const socket = connect(port, "127.0.0.1")
  running.push(() => socket.destroy())
  let received = ""
  socket.setEncoding("latin1").on("data", (chunk) => (received += String(chunk)))
  // A server that refuses a body may end the connection while it is sent.
  socket.on("error", () => undefined)
  const closed = new Promise((resolve) => socket.once("close", resolve))
  await once(socket, "connect")
  const until = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(received)) {
      assert.isFalse(socket.destroyed, `closed after ${received}`)
      await Promise.race([once(socket, "data"), closed])
    }
    return received
  }
  return { socket, read: () => received, until, closed }
}

type Lines = ReadonlyArray<string>

const head = (method: string, path: string, ...lines: Lines): string =>
  [`${method} ${path} HTTP/1.1`, "Host: app.example", ...lines, "", ""].join("\r\n")

const formType = "Content-Type: application/x-www-form-urlencoded"

/** The token of a form and the cookie that goes with it. */
const token = async (auth: ServerAuth): Promise<{ csrfToken: string; cookie: string }> => {
  const answer = await auth.handler(new Request(`${site}/auth/csrf`))
  const { csrfToken } = (await answer.json()) as { csrfToken: string }
  return {
    csrfToken,
    cookie: answer.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ")
  }
}

/** The form of a sign-in, and the headers that go with it. */
const signIn = async (auth: ServerAuth) => {
  const { cookie, csrfToken } = await token(auth)
  const body = new URLSearchParams({ csrfToken, username: "ann", password: "pw" }).toString()
  return { path: "/auth/callback/credentials", body, lines: [formType, `Cookie: ${cookie}`] }
}

/** The status of each answer in what came. */
const statuses = (received: string): ReadonlyArray<number> =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

describe("a connection", () => {
  it("stays open from answer to answer, and has them in the order of pipelined requests", async () => {
    const { auth } = await make()
    const { body, lines, path } = await signIn(auth)
    const { closed, read, socket, until } = await open(await listen(toNodeHandler(auth)))
    socket.write(
      head("GET", "/auth/session") +
        head("POST", path, ...lines, `Content-Length: ${body.length}`) +
        body +
        head("GET", "/auth/providers")
    )
    await until(/"acme"/)
    assert.deepStrictEqual(statuses(read()), [200, 302, 200])
    assert.notMatch(read(), /^connection: close/im)
    socket.write(head("GET", "/auth/session", "Connection: close"))
    await closed
    assert.deepStrictEqual(statuses(read()), [200, 302, 200, 200])
    assert.match(read(), /Set-Cookie: __Host-authjs\.session-token=[^\n]*\r\n/i)
  })

  it("has a length before every body, and none of a HEAD request, which stays in step", async () => {
    const { auth } = await make()
    const { closed, read, socket } = await open(await listen(toNodeHandler(auth)))
    socket.write(head("HEAD", "/auth/session") + head("GET", "/auth/session", "Connection: close"))
    await closed
    const [first = "", second = ""] = read().split(/(?<=\r\n\r\n)(?=HTTP)/)
    assert.match(first, /^HTTP\/1\.1 405 [^]*\r\nallow: GET, POST\r\n/i)
    assert.match(first, /\r\n\r\n$/)
    assert.match(second, /^HTTP\/1\.1 200 [^]*\r\ncontent-length: 4\r\n[^]*\r\n\r\nnull$/i)
  })

  it("sends each cookie in a header of its own", async () => {
    const { auth } = await make()
    const { body, lines, path } = await signIn(auth)
    const { closed, read, socket } = await open(await listen(toNodeHandler(auth)))
    socket.write(head("POST", path, ...lines, `Content-Length: ${body.length}`, "Connection: close") + body)
    await closed
    const cookies = [...read().matchAll(/^set-cookie: ([^=]+)=[^,\n]*(?:Expires=\w+, )?[^,\n]*\r$/gim)]
    assert.isAbove(cookies.length, 1)
  })

  it("has the requests of one turn answered before an answer is sent, each in its own asynchronous context", async () => {
    const { auth } = await make()
    const context = new AsyncLocalStorage<string>()
    const order: Array<string> = []
    const take = (what: string): void => void order.push(`${what} ${String(context.getStore())}`)
    const handler = Object.assign(auth.handler.bind(undefined), {
      [plainEngine]: (): PlainEngine => ({
        fail: () => undefined,
        answer: (_request, _url, done) => {
          take("answered")
          done({ status: 200, headers: {}, cookies: [], body: null })
          return undefined
        }
      })
    })
    const served = toNodeHandler({ ...auth, handler })
    const port = await listen((incoming, outgoing) => {
      const writeHead = outgoing.writeHead.bind(outgoing)
      outgoing.writeHead = (status: number) => {
        take("sent")
        return writeHead(status)
      }
      context.run(incoming.url ?? "", () => served(incoming, outgoing))
    })
    const { closed, socket } = await open(port)
    socket.write(head("GET", "/auth/csrf?1") + head("GET", "/auth/csrf?2", "Connection: close"))
    await closed
    assert.deepStrictEqual(order, [
      "answered /auth/csrf?1",
      "answered /auth/csrf?2",
      "sent /auth/csrf?1",
      "sent /auth/csrf?2"
    ])
  })

  it("keeps what a client is slow to read, and closes nothing early", async () => {
    const { auth } = await make()
    const { closed, read, socket } = await open(await listen(toNodeHandler(auth)))
    socket.pause()
    socket.write(head("GET", "/auth/signin", "Connection: close"))
    await turn()
    socket.resume()
    await closed
    const [headers = "", page = ""] = read().split("\r\n\r\n")
    assert.strictEqual(Number(/content-length: (\d+)/i.exec(headers)?.[1]), page.length)
    assert.match(page, /<\/html>\s*$/)
  })
})

describe("a body", () => {
  it("is read in pieces of any size, and after 100-continue", async () => {
    const { auth } = await make()
    const port = await listen(toNodeHandler(auth))
    const { body, lines, path } = await signIn(auth)
    const pieces = await open(port)
    pieces.socket.write(head("POST", path, ...lines, "Transfer-Encoding: chunked", "Connection: close"))
    for (const character of body) pieces.socket.write(`1\r\n${character}\r\n`)
    pieces.socket.write("0\r\nX-Trailer: 1\r\n\r\n")
    await pieces.closed
    assert.deepStrictEqual(statuses(pieces.read()), [302])
    assert.match(pieces.read(), /session-token=/)
    const again = await signIn(auth)
    const expecting = await open(port)
    const length = `Content-Length: ${again.body.length}`
    expecting.socket.write(head("POST", path, ...again.lines, length, "Expect: 100-continue", "Connection: close"))
    await expecting.until(/^HTTP\/1\.1 100 Continue\r\n\r\n/)
    expecting.socket.write(again.body)
    await expecting.closed
    assert.deepStrictEqual(statuses(expecting.read()), [100, 302])
  })

  it("H181 of more than 64 kB is refused before it has arrived, by its length or by what came", async () => {
    const { auth } = await make()
    const port = await listen(toNodeHandler(auth))
    const announced = await open(port)
    announced.socket.write(head("POST", "/auth/signout", formType, "Content-Length: 1000000"))
    await announced.closed
    assert.deepStrictEqual(statuses(announced.read()), [413])
    assert.match(announced.read(), /^connection: close/im)
    const chunked = await open(port)
    chunked.socket.write(head("POST", "/auth/signout", formType, "Transfer-Encoding: chunked"))
    // 80 kB, and no end.
    chunked.socket.write(`1000\r\n${"a".repeat(0x1000)}\r\n`.repeat(20))
    await chunked.closed
    assert.deepStrictEqual(statuses(chunked.read()), [413])
  })

  it("H181 that does not arrive within ten seconds is given up", async () => {
    const { auth } = await make()
    const port = await listen(toNodeHandler(auth))
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const { closed, read, socket } = await open(port)
    socket.write(`${head("POST", "/auth/signout", formType, "Content-Length: 10")}a`)
    let waited = 0
    while (read() === "") {
      // The timer is set once the first byte was read; every step gives the server a turn.
      await vi.advanceTimersByTimeAsync(100)
      await turn()
      assert.isBelow((waited += 100), 1_000_000)
    }
    await closed
    assert.deepStrictEqual(statuses(read()), [408])
    assert.match(read(), /^connection: close/im)
    assert.isAtLeast(waited, 10_000)
  })

  it("with a coding that is not undone is refused, and ends the connection where it is not read", async () => {
    const { auth } = await make()
    const { closed, read, socket } = await open(await listen(toNodeHandler(auth)))
    const body = gzipSync("csrfToken=1")
    socket.write(
      head(
        "POST",
        "/auth/signout",
        formType,
        "Content-Encoding: gzip",
        `Content-Length: ${body.length}`,
        "Connection: close"
      )
    )
    socket.write(body)
    await closed
    assert.deepStrictEqual(statuses(read()), [415])
    assert.match(read(), /^accept-encoding: identity/im)
  })

  it("of a GET request is left unread", async () => {
    const { auth } = await make()
    const { closed, read, socket } = await open(await listen(toNodeHandler(auth)))
    socket.write(head("GET", "/auth/session", "Content-Length: 100000"))
    await closed
    assert.deepStrictEqual(statuses(read()), [200])
    assert.match(read(), /^connection: close/im)
  })
})

describe("a client that goes away", () => {
  /** Resolves when the response of a request has been closed. */
  const closing = async (auth: ServerAuth): Promise<{ port: number; gone: Promise<void> }> => {
    let close = (): void => undefined
    const gone = new Promise<void>((resolve) => (close = resolve))
    const handler = toNodeHandler(auth)
    const port = await listen((incoming, outgoing) => {
      handler(incoming, outgoing)
      outgoing.once("close", close)
    })
    return { port, gone }
  }

  it("while it sends a body ends the reading, and is nothing to log", async () => {
    const asked: Array<unknown> = []
    const { auth, told } = await make({ providers: [password((given) => void asked.push(given))] })
    const events: Array<string> = []
    auth.onEvent(({ _tag }) => void events.push(_tag))
    const { gone, port } = await closing(auth)
    const { body, lines, path } = await signIn(auth)
    const { socket } = await open(port)
    socket.write(head("POST", path, ...lines, "Content-Length: 1000") + body)
    await turn()
    socket.destroy()
    await gone
    for (let count = 0; count < 10; count++) await turn()
    assert.deepStrictEqual([asked, events, told.errors, told.warnings], [[], [], [], []])
    const next = await open(port)
    next.socket.write(head("GET", "/auth/session", "Connection: close"))
    await next.closed
    assert.deepStrictEqual(statuses(next.read()), [200])
  })

  it("after its request takes nothing back", async () => {
    let decide = (_user: object): void => undefined
    let began = (): void => undefined
    const begun = new Promise<void>((resolve) => (began = resolve))
    const authorize: Authorize = () => {
      began()
      return new Promise<object>((resolve) => (decide = resolve))
    }
    const { auth } = await make({ providers: [password(authorize)] })
    const signedIn = new Promise<string>((resolve) => auth.onEvent(({ _tag }) => resolve(_tag)))
    const { gone, port } = await closing(auth)
    const { body, lines, path } = await signIn(auth)
    const { socket } = await open(port)
    socket.write(head("POST", path, ...lines, `Content-Length: ${body.length}`) + body)
    await begun
    socket.destroy()
    await gone
    decide({ id: "1", name: "Ann" })
    assert.strictEqual(await signedIn, "SignedIn")
  })
})

describe("a middleware in front", () => {
  const defect = new Error("a defect")

  const post = async (port: number, auth: ServerAuth, type: string, body: string): Promise<number> => {
    const { cookie } = await token(auth)
    const answer = await fetch(`http://127.0.0.1:${port}/auth/callback/credentials`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": type, cookie, accept: "application/json" },
      body
    })
    return answer.status
  }

  it("that took the body and left nothing makes the request one without a body: 400", async () => {
    const { auth } = await make()
    const taking = express().use(
      (request, _response, next) => void request.resume().once("end", next),
      toNodeHandler(auth)
    )
    assert.strictEqual(await post(await listen(taking), auth, "application/json", "{}"), 400)
    const beginning = express().use(
      (request, _response, next) => void request.once("data", () => next()),
      toNodeHandler(auth)
    )
    assert.strictEqual(await post(await listen(beginning), auth, "application/json", "{}"), 400)
  })

  it("that counts the bytes of a body, before or after, takes nothing away from it", async () => {
    const { auth } = await make()
    const { body, lines, path } = await signIn(auth)
    // The engine of this handler is loaded by the first request.
    const handler = toNodeHandler(auth)
    const counting: Record<string, RequestListener> = {
      "before, in Express": express().use(
        (request, _response, next) => next(void request.on("data", () => {})),
        handler
      ),
      before: (request, response) => {
        request.on("data", () => {})
        handler(request, response)
      },
      after: (request, response) => {
        handler(request, response)
        request.on("data", () => {})
      },
      "in a microtask": (request, response) => {
        handler(request, response)
        queueMicrotask(() => void request.resume())
      }
    }
    for (const [name, listener] of Object.entries(counting)) {
      const { closed, read, socket } = await open(await listen(listener))
      socket.write(head("POST", path, ...lines, `Content-Length: ${body.length}`, "Connection: close") + body)
      await closed
      assert.match(read(), /^HTTP\/1\.1 302 [^]+authjs\.session-token=/, name)
    }
  })

  it("H087 that took the parts of a form, or none at all, and the web handler: the fields sign in", async () => {
    const { auth } = await make()
    const formOf = async () => {
      const { cookie, csrfToken } = await token(auth)
      const form = new FormData()
      for (const [name, value] of Object.entries({ csrfToken, username: "ann", password: "pw" })) form.set(name, value)
      form.set("picture", new File(["a"], "a.png"))
      return { method: "POST", body: form, headers: { cookie }, redirect: "manual" as const }
    }
    const path = "/auth/callback/credentials"
    const parsing = express().use((request, _response, next) => {
      const type = request.headers["content-type"] ?? ""
      const read = async () => {
        const data = await new Response(await buffer(request), { headers: { "content-type": type } }).formData()
        request.body = Object.fromEntries([...data].filter(([, value]) => typeof value === "string"))
      }
      read().then(() => next(), next)
    }, toNodeHandler(auth))
    const answers = [
      await auth.handler(new Request(`${site}${path}`, await formOf())),
      await fetch(`http://127.0.0.1:${await listen(toNodeHandler(auth))}${path}`, await formOf()),
      await fetch(`http://127.0.0.1:${await listen(parsing)}${path}`, await formOf())
    ]
    for (const answer of answers) {
      assert.strictEqual(answer.status, 302)
      assert.include(answer.headers.getSetCookie().join(), "session-token=")
    }
  })

  it("that made objects of the fields of a form, or what cannot be written as JSON, changes nothing: 400", async () => {
    const { auth } = await make()
    const form = "application/x-www-form-urlencoded"
    const parsing = await listen(express().use(express.urlencoded({ extended: true }), toNodeHandler(auth)))
    assert.strictEqual(await post(parsing, auth, form, "csrfToken[toString]=1&csrfToken[a][b]=2"), 400)
    const app = express().use(
      express.json({ reviver: (_, value: unknown) => (typeof value === "number" ? 1n : value) })
    )
    assert.strictEqual(await post(await listen(app.use(toNodeHandler(auth))), auth, "application/json", '{"a":1}'), 400)
  })

  it("that answered already is not answered again", async () => {
    const { auth } = await make()
    const handler = toNodeHandler(auth)
    const { read, socket, until } = await open(
      await listen((incoming, outgoing) => {
        outgoing.writeHead(503).end("late")
        handler(incoming, outgoing)
      })
    )
    socket.write(head("GET", "/auth/session"))
    await until(/late/)
    assert.deepStrictEqual(statuses(read()), [503])
  })

  it.each<[string, PlainEngine["answer"]]>([
    ["that is its outcome", (_request, _url, done) => (done({ defect }), undefined)],
    [
      "that is thrown",
      () => {
        throw defect
      }
    ]
  ])("hears of a defect %s, which the engine answers without one", async (_, answer) => {
    const { auth } = await make()
    const fail: PlainEngine["fail"] = (thrown, _request, _url, done) =>
      done({ status: thrown === defect ? 503 : 500, headers: {}, cookies: [], body: null })
    const handler = Object.assign(auth.handler.bind(undefined), { [plainEngine]: () => ({ answer, fail }) })
    const broken = toNodeHandler({ ...auth, handler })
    const app = express().use(broken, ((error, _request, response, _next) => {
      response.status(error === defect ? 418 : 500).end()
    }) satisfies express.ErrorRequestHandler)
    const ask = (port: number) => fetch(`http://127.0.0.1:${port}/auth/session`)
    assert.strictEqual((await ask(await listen(app))).status, 418)
    assert.strictEqual((await ask(await listen(broken))).status, 503)
  })
})

it("takes no object with another handler, which it would not ask", async () => {
  const { auth } = await make()
  assert.throws(() => toNodeHandler({ ...auth, handler: (request) => auth.handler(request) }), /createAuth/)
})

describe("HTTP/2", () => {
  const session = async (auth: ServerAuth): Promise<ClientHttp2Session> => {
    const server = createHttp2(toNodeHandler(auth)).listen(0, "127.0.0.1")
    running.push(() => void server.close())
    await once(server, "listening")
    const address = server.address()
    const client = connectHttp2(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`)
    running.push(() => client.destroy())
    return client
  }

  const ask = async (
    client: ClientHttp2Session,
    headers: Record<string, string | Array<string>>,
    body: ReadonlyArray<string> = []
  ): Promise<{ status: unknown; cookies: ReadonlyArray<string>; body: string }> => {
    const stream = client.request({ ":authority": "app.example", ...headers }, { endStream: body.length === 0 })
    // A server that has answered lets the rest of a body go.
    stream.on("error", () => undefined)
    for (const part of body) stream.write(part)
    if (body.length > 0) stream.end()
    const [answer] = await once(stream, "response")
    return { status: answer[":status"], cookies: answer["set-cookie"] ?? [], body: await text(stream) }
  }

  it("signs in, with cookies in fields of their own in both directions", async () => {
    const { auth } = await make()
    const { body, lines, path } = await signIn(auth)
    const cookie = (lines[1] ?? "").slice("Cookie: ".length).split("; ")
    const type = { "content-type": "application/x-www-form-urlencoded" }
    const client = await session(auth)
    const signedIn = await ask(client, { ":method": "POST", ":path": path, ...type, cookie }, [...body])
    assert.strictEqual(signedIn.status, 302)
    assert.isAbove(signedIn.cookies.length, 1)
    const cookies = signedIn.cookies.map((line) => line.split(";")[0] ?? "")
    const { body: shown } = await ask(client, { ":path": "/auth/session", cookie: cookies })
    assert.strictEqual((JSON.parse(shown) as { user: { name: string } }).user.name, "ann")
    const headed = await ask(client, { ":method": "HEAD", ":path": "/auth/session" })
    assert.deepStrictEqual([headed.status, headed.body], [405, ""])
  })

  it("reads a method as the Fetch standard does, and refuses what no web request has", async () => {
    const { auth } = await make()
    const client = await session(auth)
    assert.strictEqual((await ask(client, { ":method": "get", ":path": "/auth/session" })).status, 200)
    assert.strictEqual((await ask(client, { ":method": "TRACE", ":path": "/auth/session" })).status, 400)
    assert.strictEqual((await ask(client, { ":method": "BREW", ":path": "/auth/session" })).status, 405)
    assert.strictEqual((await ask(client, { ":method": "OPTIONS", ":path": "*" })).status, 400)
  })

  it("H181 refuses a body of more than 64 kB, and goes on", async () => {
    const { auth } = await make()
    const client = await session(auth)
    const type = { "content-type": "application/x-www-form-urlencoded" }
    const parts = Array.from({ length: 100 }, () => "a".repeat(1000))
    const refused = await ask(client, { ":method": "POST", ":path": "/auth/signout", ...type }, parts)
    assert.strictEqual(refused.status, 413)
    assert.strictEqual((await ask(client, { ":path": "/auth/session" })).status, 200)
  })

  it("ends the reading of a body whose stream is reset", async () => {
    const { auth, told } = await make()
    const client = await session(auth)
    const stream = client.request(
      { ":method": "POST", ":path": "/auth/signout", "content-type": "application/x-www-form-urlencoded" },
      { endStream: false }
    )
    stream.on("error", () => undefined)
    stream.write("a")
    await turn()
    stream.close(constants.NGHTTP2_CANCEL)
    await once(stream, "close")
    assert.strictEqual((await ask(client, { ":path": "/auth/session" })).status, 200)
    assert.deepStrictEqual([told.errors, told.warnings], [[], []])
  })
})
