/**
 * Serves a web-standard handler (`Request` in, `Response` out) with Node's own http server.
 *
 * Copy this file into an application that has no framework, and import `requestUrl` from `effect-doorman` there. It is not a
 * router and not a proxy; put it behind one that ends TLS, and tell it the public URL that browsers use.
 *
 * Three decisions are worth keeping when you change it:
 * - the URL of a request is the configured public origin plus the path; the `Host` header is not used;
 * - a body is streamed and capped, so that no client fills the memory;
 * - several `Set-Cookie` headers stay several.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream as NodeReadableStream } from "node:stream/web"
import { requestUrl } from "../src/index.ts"

/** An application: one function from request to response. */
export type WebHandler = (request: Request) => Promise<Response> | Response

/** The largest request body, in bytes, that reaches a handler. The authentication endpoints have a smaller cap of their own. */
export const defaultBodyLimit = 1024 * 1024

/** A body went over the limit while it was being read. */
class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge"
}

/** Converts one Node request; `undefined` when no web `Request` can stand for it (a target that names no URL, TRACE, CONNECT). */
export const toWebRequest = (
  incoming: IncomingMessage,
  publicUrl: URL,
  signal: AbortSignal,
  bodyLimit: number
): Request | undefined => {
  const url = requestUrl(incoming, { origin: publicUrl.origin })
  const method = incoming.method ?? "GET"
  if (url === undefined || /^(TRACE|TRACK|CONNECT)$/i.test(method)) return undefined
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : value === undefined ? [] : [value]) headers.append(name, one)
  }
  const hasBody = method !== "GET" && method !== "HEAD"
  return new Request(url, {
    method,
    headers,
    signal,
    // A streamed request body is half duplex by definition; Node asks for the word.
    ...(hasBody ? { body: cappedBody(incoming, bodyLimit), duplex: "half" as const } : {})
  })
}

/** Writes one web response; every `Set-Cookie` keeps its own header line. */
export const sendWebResponse = async (response: Response, outgoing: ServerResponse, method: string): Promise<void> => {
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") outgoing.setHeader(name, value)
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies)
  if (response.body === null || method === "HEAD") {
    await response.body?.cancel()
    outgoing.end()
    return
  }
  // The two declarations of ReadableStream (DOM and node:stream/web) describe the same object.
  await pipeline(Readable.fromWeb(response.body as NodeReadableStream<Uint8Array>), outgoing)
}

/** A Node request listener around a web handler. `publicUrl` is the address that browsers see, for example `https://app.example`. */
export const nodeListener =
  (handler: WebHandler, publicUrl: URL, bodyLimit = defaultBodyLimit) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const gone = new AbortController()
    outgoing.once("close", () => gone.abort())
    answer(handler, incoming, outgoing, publicUrl, gone.signal, bodyLimit).catch((error: unknown) => {
      if (outgoing.destroyed) return
      if (outgoing.headersSent) {
        outgoing.destroy()
        return
      }
      const tooLarge = error instanceof BodyTooLarge
      if (!tooLarge) console.error(error)
      refuse(outgoing, tooLarge ? 413 : 500)
    })
  }

const answer = async (
  handler: WebHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  publicUrl: URL,
  signal: AbortSignal,
  bodyLimit: number
): Promise<void> => {
  if (Number(incoming.headers["content-length"] ?? 0) > bodyLimit) return refuse(outgoing, 413)
  const request = toWebRequest(incoming, publicUrl, signal, bodyLimit)
  if (request === undefined) return refuse(outgoing, 400)
  const response = await handler(request)
  // A body that was not read would otherwise be waited for before the connection's next request.
  if (!incoming.complete) outgoing.setHeader("connection", "close")
  await sendWebResponse(response, outgoing, request.method)
}

const refuse = (outgoing: ServerResponse, status: number): void => {
  outgoing.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" })
  outgoing.end(status === 413 ? "Request body too large.\n" : status === 400 ? "Bad request.\n" : "Internal error.\n")
}

async function* capped(incoming: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of incoming) {
    const bytes: Uint8Array = chunk
    size += bytes.byteLength
    if (size > limit) throw new BodyTooLarge()
    yield bytes
  }
}

const cappedBody = (incoming: IncomingMessage, limit: number): ReadableStream<Uint8Array> =>
  // Same two declarations as above, the other way round.
  Readable.toWeb(Readable.from(capped(incoming, limit), { objectMode: false })) as ReadableStream<Uint8Array>

/** A server that holds its port and answers with whatever was given to `serve` last. */
export interface WebServer {
  readonly port: number
  readonly serve: (listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void) => void
  readonly close: () => Promise<void>
}

/** Another process has the port that was asked for. */
export class PortTaken extends Error {
  override readonly name = "PortTaken"
  readonly port: number
  constructor(port: number) {
    super(`Port ${port} is already in use.`)
    this.port = port
  }
}

/**
 * Takes a port of the loopback interface (0: any free one) before there is anything to serve: two servers that must know
 * each other's address can so be started in either order.
 */
export const listenOnLoopback = (port: number): Promise<WebServer> =>
  new Promise((resolve, reject) => {
    let listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void = (_, outgoing) => refuse(outgoing, 500)
    const server: Server = createServer((incoming, outgoing) => listener(incoming, outgoing))
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new PortTaken(port) : error)
    )
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resolve({
        port: address !== null && typeof address === "object" ? address.port : port,
        serve: (next) => {
          listener = next
        },
        close: () =>
          new Promise((done) => {
            server.close(() => done())
            server.closeAllConnections()
          })
      })
    })
  })
