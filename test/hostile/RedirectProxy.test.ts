/**
 * A redirect proxy, a deployment and a stranger's site, as servers on sockets: whatever host a request to the deployment
 * names, no code of a provider reaches the stranger.
 *
 * The attack: the stranger begins a sign-in at the deployment under the host of their own site, and hands the address of the
 * provider to another user. That user agrees at the provider, and the proxy forwards the code to where the state says.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ExpressAuth, type ExpressAuthConfig } from "@auth/express"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import express, { type ErrorRequestHandler } from "express"
import { once } from "node:events"
import * as Http from "node:http"
import { connect } from "node:net"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { Doorman } from "../../src/Doorman.ts"
import { compile } from "../../src/config/Settings.ts"
import * as Access from "../../src/Access.ts"
import * as AuthHttp from "../../src/Http.ts"
import { createAuth } from "../../src/index.ts"
import { toNodeHandler } from "../../src/node.ts"
import { acme, listener as listening, type options, ownSite } from "../Visitor.ts"
import { forFunctions } from "../ForFunctions.ts"
import { forLayer } from "../ForLayer.ts"

const proxy = "http://proxy.example"
const preview = "http://preview.example"
const evil = "evil.example"

type More = Partial<ReturnType<typeof options>>

/** Resources that end with the test. */
const running: Array<() => Promise<unknown>> = []
beforeEach(() => void vi.stubEnv("NODE_ENV", "production"))
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(running.splice(0).map((close) => close()))
})

const listen = async (handler: Http.RequestListener): Promise<number> => {
  const server = Http.createServer(handler).listen(0, "127.0.0.1")
  await once(server, "listening")
  running.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, "close")
  })
  const address = server.address()
  return address !== null && typeof address === "object" ? address.port : assert.fail()
}

/** The ways in which applications serve a configuration. */
const servers: Readonly<Record<string, (config: ReturnType<typeof options>) => Promise<number>>> = {
  "node:http": (config) => listen(toNodeHandler(createAuth(forFunctions({ ...config, env: {} })))),
  "@auth/express behind a proxy": (config) => {
    const application = express().set("trust proxy", true)
    application.use("/auth", ExpressAuth(config as unknown as ExpressAuthConfig))
    const failed: ErrorRequestHandler = (_error, _request, response, _next) => void response.sendStatus(400)
    application.use(failed)
    return listen(application)
  },
  "the router of Effect": async (config) => {
    const scope = Scope.makeUnsafe()
    running.push(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    const routes = AuthHttp.layer(Access.Default).pipe(
      Layer.provide(Doorman.layer(forLayer(config)).pipe(Layer.provide(FetchHttpClient.layer)))
    )
    const served = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provideMerge(NodeHttpServer.layer(() => Http.createServer(), { port: 0, host: "127.0.0.1" }))
    )
    const context = await Effect.runPromise(Layer.buildWithScope(served, scope))
    const { address } = Context.get(context, HttpServer.HttpServer)
    return "port" in address ? address.port : assert.fail()
  }
}

let codes = 0

/** A provider that lets everybody in at once. */
const provider = () =>
  listen((incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "", "http://provider.example")
    const json = (body: object) => outgoing.setHeader("content-type", "application/json").end(JSON.stringify(body))
    if (pathname === "/token") return void json({ access_token: "at", token_type: "Bearer" })
    if (pathname === "/userinfo") return void json({ id: "1", name: "Ann", email: "ann@example.com" })
    const back = new URL(searchParams.get("redirect_uri") ?? "")
    back.searchParams.set("code", `code-${++codes}`)
    back.searchParams.set("state", searchParams.get("state") ?? "")
    outgoing.writeHead(302, { location: back.href }).end()
  })

/** A proxy and a deployment that share a secret, and the stranger's site; the ports by host. */
const world = async (serve: (typeof servers)[string] | undefined, deployment: More, onProxy: More = {}) => {
  const address = `http://127.0.0.1:${await provider()}`
  const { logger, told } = listening()
  const shared = ownSite({
    trustHost: undefined,
    redirectProxyUrl: `${proxy}/auth`,
    logger,
    providers: [
      acme({ authorization: `${address}/authorize`, token: `${address}/token`, userinfo: `${address}/userinfo` })
    ]
  })
  const config = { ...shared, ...deployment }
  const stolen: Array<string> = []
  const ports = new Map([
    ["proxy.example", await (servers["node:http"] ?? assert.fail())({ ...shared, origin: proxy, ...onProxy })],
    ["preview.example", await (serve ?? assert.fail())(config)],
    [
      evil,
      await listen((incoming, outgoing) => {
        stolen.push(incoming.url ?? "")
        outgoing.end()
      })
    ]
  ])
  return { config, ports, stolen, told }
}

type World = Awaited<ReturnType<typeof world>>

interface Answer {
  readonly status: number
  readonly location: string | undefined
  readonly cookies: ReadonlyArray<string>
  readonly body: string
}

/** Writes a request to the deployment as it is, and reads the answer. */
const send = async ({ ports }: World, method: string, target: string, lines: ReadonlyArray<string>, body = "") => {
  const socket = connect(ports.get("preview.example") ?? 0, "127.0.0.1").setEncoding("utf8")
  let text = ""
  socket.on("data", (chunk) => (text += String(chunk)))
  socket.on("error", () => undefined)
  socket.write([`${method} ${target} HTTP/1.1`, ...lines, "Connection: close", "", body].join("\r\n"))
  await once(socket, "close")
  const [head = "", ...rest] = text.split("\r\n\r\n")
  const values = (name: string) =>
    head
      .split("\r\n")
      .flatMap((line) => (line.toLowerCase().startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []))
  const answer: Answer = {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0),
    location: values("location")[0],
    cookies: values("set-cookie").map((line) => line.split(";")[0] ?? ""),
    body: rest.join("\r\n\r\n")
  }
  return answer
}

/** Begins a sign-in at the deployment; the address at the provider, and the cookies of who began. */
const begin = async (at: World, lines: ReadonlyArray<string>, prefix = "") => {
  const page = await send(at, "GET", `${prefix}/auth/csrf`, lines)
  const csrfToken = /"csrfToken":"(\w+)"/.exec(page.body)?.[1] ?? "none"
  const form = `csrfToken=${csrfToken}`
  const headers = [
    ...lines,
    `Cookie: ${page.cookies.join("; ")}`,
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${form.length}`
  ]
  const answer = await send(at, "POST", `${prefix}/auth/signin/acme`, headers, form)
  return { location: answer.location ?? "", cookies: answer.cookies }
}

/** Follows redirects as a browser does whose DNS knows these hosts; the addresses it came by. */
const follow = async ({ ports }: World, from: string, cookies: ReadonlyArray<string> = []): Promise<Array<URL>> => {
  const trail: Array<URL> = []
  let next: URL | undefined = URL.canParse(from) ? new URL(from) : undefined
  while (next !== undefined && trail.length < 9) {
    const url: URL = next
    trail.push(url)
    const headers = { host: url.host, ...(url.host === "preview.example" ? { cookie: cookies.join("; ") } : {}) }
    const port = ports.get(url.hostname.includes(evil) ? evil : url.hostname) ?? Number(url.port)
    const request = Http.request({
      host: "127.0.0.1",
      port,
      path: `${url.pathname}${url.search}`,
      headers,
      agent: false
    })
    const arrived = once(request, "response")
    request.end()
    const [response] = (await arrived) as [Http.IncomingMessage]
    response.resume()
    await once(response, "end")
    const { location } = response.headers
    next = location === undefined ? undefined : new URL(location, url)
    // The flow ends at a page of the deployment: its home is nobody's here.
    if (next?.host === "preview.example" && next.pathname === "/") next = undefined
  }
  return trail
}

const host = "Host: preview.example"

/** Requests that name the stranger's host; a prefix makes the target a whole address. */
const disguises: ReadonlyArray<readonly [lines: ReadonlyArray<string>, prefix?: string]> = [
  [[`Host: ${evil}`]],
  [[`Host: ${evil}:80`]],
  [[`Host: EVIL.example`]],
  [[`Host: preview.example.${evil}`]],
  [[`Host: preview.example@${evil}`]],
  [[`Host: preview.example, ${evil}`]],
  [[`Host: ${evil}/preview.example`]],
  [[host, `Host: ${evil}`]],
  [[`Host: ${evil}`, host]],
  [[host, `X-Forwarded-Host: ${evil}`]],
  [[host, `X-Forwarded-Host: ${evil}, preview.example`, "X-Forwarded-Proto: http"]],
  [[host, `X-Forwarded-Host: preview.example, ${evil}`, "X-Forwarded-Proto: https"]],
  [[`Host: ${evil}`, "X-Forwarded-Host: preview.example"]],
  [[host, `X-Forwarded-Server: ${evil}`, `X-Original-Host: ${evil}`, `X-Host: ${evil}`]],
  [[host, `X-Original-URL: http://${evil}/auth/signin/acme`, `X-Rewrite-URL: http://${evil}/auth/signin/acme`]],
  [[host, `Forwarded: host=${evil};proto=http`]],
  [[host, `Origin: http://${evil}`, `Referer: http://${evil}/`]],
  [[host], `http://${evil}`],
  [[`Host: ${evil}`], `http://${evil}`],
  [[host], `http://preview.example@${evil}`]
]

/** The codes that the stranger gets by all disguises. */
const attacked = async (at: World): Promise<ReadonlyArray<string>> => {
  for (const [lines, prefix] of disguises) {
    const { location } = await begin(at, lines, prefix)
    for (const url of await follow(at, location)) if (url.host.includes(evil)) at.stolen.push(url.href)
  }
  return at.stolen.filter((address) => address.includes("code-"))
}

const list = { redirectProxyOrigins: [preview] }

describe("a redirect proxy and a deployment whose host is spoofed", { timeout: 240_000 }, () => {
  for (const [name, serve] of Object.entries(servers)) {
    for (const [voucher, deployment, onProxy] of [
      ["a pinned origin", { origin: preview }, {}],
      ["a list of hosts", { trustedHosts: ["preview.example"] }, {}],
      ["trustHost, and a list on the proxy", { trustHost: true }, list]
    ] as const)
      it(`H121 a code never reaches the spoofed host: ${name}, ${voucher}`, async () => {
        const at = await world(serve, deployment, onProxy)
        assert.deepStrictEqual(await attacked(at), [])
        // These servers sign in a person who comes by the right host.
        const { cookies, location } = await begin(at, [host])
        const trail = (await follow(at, location, cookies)).map(({ origin, pathname }) => `${origin}${pathname}`)
        assert.deepStrictEqual(trail.slice(1), [`${proxy}/auth/callback/acme`, `${preview}/auth/callback/acme`])
        assert.deepStrictEqual(at.stolen, [])
      })

    it(`H121 where nothing vouches for the host, no sign-in begins: ${name}`, async () => {
      const at = await world(serve, {})
      assert.deepStrictEqual(await attacked(at), [])
      const { location } = await begin(at, [host])
      assert.include(location, "error=Configuration")
    })
  }

  it("H121 trustHost alone is obeyed and warned of: then the proxy forwards to any host that is named", async () => {
    const at = await world(servers["node:http"], { trustHost: true })
    assert.isNotEmpty(await attacked(at), "the harness sees a code that arrives")
    const fields = compile(at.config)
      .problems()
      .map(({ error, level }) => `${error.field} ${level}`)
    assert.includeMembers(fields, ["trustHost warning", "redirectProxyOrigins warning"])
  })

  it("H017 a state counts once, for its provider, at the deployment that has the secret", async () => {
    const at = await world(servers["node:http"], { origin: preview })
    const stranger = await world(servers["node:http"], { origin: `http://${evil}` })
    const answers = async (location: string, callback = `${proxy}/auth/callback/acme`) => {
      const state = new URL(location).searchParams.get("state") ?? ""
      const trail = await follow(at, `${callback}?code=code-0&state=${encodeURIComponent(state)}`)
      return trail.slice(1, 2).map(({ origin, pathname }) => `${origin}${pathname}`)
    }
    const { location } = await begin(at, [host])
    assert.deepStrictEqual(await answers(location, `${proxy}/auth/callback/other`), [`${proxy}/auth/error`])
    assert.deepStrictEqual(await answers(location), [`${preview}/auth/callback/acme`])
    assert.deepStrictEqual(await answers(location), [`${proxy}/auth/signin`])
    // A deployment of somebody else, with a secret of its own.
    const foreign = await begin(stranger, [`Host: ${evil}`])
    assert.include(foreign.location, "state=")
    assert.deepStrictEqual(await answers(foreign.location), [`${proxy}/auth/signin`])
    assert.deepStrictEqual([...at.stolen, ...stranger.stolen], [])
  })
})
