/**
 * `createAuth` behind `node:http` and `node:http2`, and behind every framework on them: Express, Connect, Koa, Fastify, Nest.
 *
 * Messages are answered as they are, without a web `Request` and `Response`. The URL of a request is the public one, which the
 * options decide, and its client is the one that they and the connection name. A body is bounded while it arrives, and a client that disconnects while it
 * sends one ends the reading of it.
 *
 * Requests without a body that arrive in one turn of the event loop are answered one after the other, after that turn, and their
 * answers are sent together, a turn later. A write wakes the client, and the system runs what receives it: between two answers that
 * costs as much processor time as an answer does. `setImmediate` keeps the asynchronous context of each request. As with every
 * handler that waits for something, a client that ends its side of the connection with the request gets no answer, because
 * `node:http` ends the other side then (`httpAllowHalfOpen`).
 *
 * @since 0.1.0
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http"
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2"
import { setImmediate } from "node:timers"
import { isAuthAction, isEndpoint } from "./http/AuthAction.ts"
import { line } from "./internal/ConsoleLine.ts"
import { member } from "./internal/ThrownValue.ts"
import { mayHaveBody, type NodeMessage, partsOf, webMethod } from "./server/NodeMessage.ts"
import {
  type Outcome,
  type PlainEngine,
  plainEngine,
  type RequestParts,
  type WireResponse
} from "./http/PlainExchange.ts"
import type { IncomingRequest } from "./config/HostPolicy.ts"
import type { ServerAuth } from "./server/ServerAuth.ts"
import { reportUnloaded } from "./server/WithoutEngine.ts"

type AnyIncoming = IncomingMessage | Http2ServerRequest
type AnyOutgoing = ServerResponse | Http2ServerResponse

/**
 * A listener for `createServer` of `node:http` and `node:http2`, and a middleware for Express and Connect.
 *
 * @category models
 * @since 0.1.0
 */
export type NodeHandler<In extends AnyIncoming = AnyIncoming, Out extends AnyOutgoing = AnyOutgoing> = (
  request: In & { readonly originalUrl?: string; readonly body?: unknown },
  response: Out,
  next?: (error?: unknown) => void
) => void

/** What `createAuth` returned, or as much of it as answers requests. */
type Answering = Pick<ServerAuth, "basePath" | "handler" | "requestUrl">

/**
 * Answers the requests below the base path; where that is the root, those of its own paths. Every other one goes to `other`, else to the next middleware, else it is 404.
 *
 * `other` may be asynchronous. When it fails, the error goes to the next middleware. Without one the answer is the `status` of
 * the error, else 500. From 500 on the log has the error, and the answer is a page or problem details with the reference.
 *
 * @category facade
 * @since 0.1.0
 */
export function toNodeHandler(auth: Answering): NodeHandler
export function toNodeHandler<In extends AnyIncoming = IncomingMessage, Out extends AnyOutgoing = ServerResponse>(
  auth: Answering,
  other: (request: In, response: Out) => void | Promise<void>
): NodeHandler<In, Out>
export function toNodeHandler<In extends AnyIncoming, Out extends AnyOutgoing>(
  auth: Answering,
  other?: (request: In, response: Out) => void | Promise<void>
): NodeHandler<In, Out> {
  const load = typeof auth === "object" ? auth.handler?.[plainEngine] : undefined
  if (load === undefined)
    throw new TypeError(
      "toNodeHandler takes what createAuth returned: write toNodeHandler(auth), not toNodeHandler(auth.handler)"
    )
  let isWarned = false
  return (incoming, outgoing, next) => {
    const address = auth.requestUrl(whole(incoming))
    if (address === undefined) return refuse(outgoing, 400)
    const method = webMethod(incoming.method)
    const exchange = { request: partsOf(incoming, method ?? "GET"), address, incoming, outgoing, load }
    if (!isOurs(auth.basePath, address.pathname)) {
      if (!isWarned) isWarned = warnOfPath(address.pathname, auth.basePath, whole(incoming) !== incoming)
      if (other !== undefined) return call(other, incoming, outgoing, next ?? ((error) => fail(exchange, error)))
      return next === undefined ? refuse(outgoing, 404) : next()
    }
    return method === undefined ? refuse(outgoing, 400) : answer(exchange, next ?? ((error) => fail(exchange, error)))
  }
}

/** Logs that requests for endpoints come below another path; gives `true` where it did. */
const warnOfPath = (pathname: string, basePath: string, isMounted: boolean): boolean => {
  const segments = pathname.split("/")
  const at = segments.findLastIndex(isAuthAction)
  const path = segments.slice(0, Math.max(at, 0)).join("/")
  const isSimilar = isMounted || path.split("/").at(-1) === basePath.split("/").at(-1)
  if (at < segments.length - 2 || path === "" || path === basePath || !isSimilar) return false
  line("warn", `A request came for ${pathname}, and basePath is ${basePath}`, [
    "option: basePath",
    `fix: Set basePath to ${path}, or mount the handler at ${basePath}; AUTH_URL has the same path.`
  ])
  return true
}

/** A request, and where its answer goes. */
interface Exchange {
  readonly request: RequestParts
  readonly address: URL
  readonly incoming: AnyIncoming
  readonly outgoing: AnyOutgoing
  readonly load: () => PlainEngine | Promise<PlainEngine>
}

/** Answers a request for one of the endpoints. A defect goes to the next middleware. */
const answer = ({ address, incoming, load, outgoing, request }: Exchange, fail: (defect: unknown) => void): void => {
  const finish = (outcome: Outcome): void => {
    // The client went away, or a middleware did not wait.
    if (outgoing.destroyed || outgoing.headersSent) return
    if (!("status" in outcome)) return fail(outcome.defect)
    try {
      send(outcome, incoming, outgoing)
    } catch (defect) {
      fail(defect)
    }
  }
  const done = (outcome: Outcome): void => void setImmediate(finish, outcome)
  const start = (engine: PlainEngine): void => {
    try {
      const giveUp = outgoing.destroyed ? undefined : engine.answer(request, address, done)
      if (giveUp !== undefined) outgoing.once("close", giveUp)
    } catch (defect) {
      done({ defect })
    }
  }
  const engine = load()
  const hasBody = mayHaveBody(incoming)
  // Another listener may let a body flow before the next turn: its reading begins at once, or it waits for the engine.
  if (engine instanceof Promise) {
    if (hasBody) incoming.pause()
    engine.then(start, (defect: unknown) => done({ defect }))
  } else if (hasBody) start(engine)
  else setImmediate(start, engine)
}

/** Answers what was thrown for a request, where no other middleware does. From 500 on it is logged. */
const fail = ({ address, incoming, load, outgoing, request }: Exchange, thrown: unknown): void => {
  const status = statusOf(thrown)
  if (status < 500) return outgoing.headersSent ? void outgoing.destroy() : refuse(outgoing, status)
  const done = (response: WireResponse): void => {
    if (outgoing.headersSent) return void outgoing.destroy()
    // A failure that names its status, such as 503 while the store is away, is no defect: the answer has that status.
    return status === 500 ? send(response, incoming, outgoing) : refuse(outgoing, status)
  }
  // An engine that could not be loaded before is asked for again.
  Promise.resolve(load()).then(
    (engine) => engine.fail(thrown, request, address, done),
    (cause: unknown) => refuse(outgoing, 500, reportUnloaded(cause))
  )
}

/** Is it a path of the library? Of a site whose base path is the root, it has its own paths alone. */
const isOurs = (basePath: string, pathname: string): boolean =>
  basePath === ""
    ? isEndpoint(pathname.split("/", 2)[1] ?? "")
    : pathname === basePath || pathname.startsWith(`${basePath}/`)

/** The request before Express took the path that a middleware is mounted at out of its `url`. */
const whole = (incoming: AnyIncoming & IncomingRequest & { readonly originalUrl?: string }): IncomingRequest => {
  const { headers, hostname, ip, originalUrl, protocol, socket, url } = incoming
  if (originalUrl === undefined || originalUrl === url) return incoming
  const { headersDistinct } = "headersDistinct" in incoming ? incoming : {}
  return { headers, headersDistinct, hostname, ip, protocol, socket, url: originalUrl }
}

/** What a response of HTTP/1 and one of HTTP/2 have in common. */
interface Outgoing {
  readonly req: { readonly httpVersionMajor: number }
  getHeader(name: string): number | string | Array<string> | undefined
  setHeader(name: string, value: string): unknown
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown
  end(): unknown
  end(body: string): unknown
}

/** HTTP/2 has no header for the connection (RFC 9113 section 8.2.2). */
const hasConnection = ({ req }: Outgoing): boolean => req.httpVersionMajor < 2

const refuse = (outgoing: Outgoing, status: number, text?: string): void => {
  if (hasConnection(outgoing)) outgoing.setHeader("connection", "close")
  outgoing.writeHead(status, { "content-type": "text/plain; charset=utf-8" })
  if (text === undefined) outgoing.end()
  else outgoing.end(text)
}

/** Calls the application. Without this a rejection would end the process. */
const call = <In, Out extends AnyOutgoing>(
  other: (request: In, response: Out) => void | Promise<void>,
  incoming: In,
  outgoing: Out,
  fail: (error: unknown) => void
): void => {
  new Promise<void>((resolve) => resolve(other(incoming, outgoing))).catch(fail)
}

const statusOf = (error: unknown): number => {
  const status = member(error, "status")
  return typeof status === "number" && status >= 400 && status <= 599 ? status : 500
}

/**
 * Sends an answer. What a middleware has set beside it, such as a lifetime in caches, must not contradict it; its cookies stay.
 */
const send = ({ body, cookies, headers, status }: WireResponse, incoming: NodeMessage, outgoing: Outgoing): void => {
  const fields: OutgoingHttpHeaders = { ...headers }
  const vary = outgoing.getHeader("vary")
  if (vary !== undefined && headers["vary"] !== undefined) fields["vary"] = `${String(vary)}, ${headers["vary"]}`
  if (cookies.length > 0) fields["set-cookie"] = [outgoing.getHeader("set-cookie") ?? [], cookies].flat(2).map(String)
  if (body !== null) fields["content-length"] = Buffer.byteLength(body)
  // Node would otherwise wait for an unread body before the connection's next request.
  if (hasConnection(outgoing) && mayHaveBody(incoming) && !incoming.complete) fields["connection"] = "close"
  outgoing.writeHead(status, fields)
  if (body === null) outgoing.end()
  else outgoing.end(body)
}
