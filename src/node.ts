/**
 * `createAuth` behind `node:http`, and behind everything that hands its requests on: Express, Connect, Koa, Fastify, Nest.
 *
 * The URL of a request is the public one, which the options decide; no forwarding header is believed. Bodies are streamed,
 * a request that goes away ends what is done for it, and several `Set-Cookie` headers stay several.
 *
 * @since 0.1.0
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream as NodeStream } from "node:stream/web"
import { line } from "./internal/ConsoleLine.ts"
import type { ServerAuth } from "./ServerAuth.ts"

/**
 * A listener for `createServer`, and a middleware for Express and Connect.
 *
 * @category models
 * @since 0.1.0
 */
export type NodeHandler = (
  request: IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown },
  response: ServerResponse,
  next?: (error?: unknown) => void
) => void

/**
 * Answers the requests below the base path. Every other one goes to `other`, else to the next middleware, else it is 404.
 *
 * `other` may be asynchronous. When it fails, the error goes to the next middleware. Without one the answer is the `status` of
 * the error, else 500, and the console has the error from 500 on.
 *
 * @category facade
 * @since 0.1.0
 */
export const toNodeHandler =
  (
    auth: Pick<ServerAuth, "basePath" | "handler" | "requestUrl">,
    other?: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>
  ): NodeHandler =>
  (incoming, outgoing, next) => {
    // Express takes the path that a middleware is mounted at out of `url`.
    const { headers, originalUrl, socket, url = "/" } = incoming
    const address = auth.requestUrl({
      headers,
      socket,
      headersDistinct: incoming.headersDistinct,
      url: originalUrl ?? url
    })
    if (address === undefined) return refuse(outgoing, 400)
    if (address.pathname !== auth.basePath && !address.pathname.startsWith(`${auth.basePath}/`)) {
      if (other !== undefined) return call(other, incoming, outgoing, next)
      return next === undefined ? refuse(outgoing, 404) : next()
    }
    const gone = new AbortController()
    outgoing.once("close", () => gone.abort())
    const failed = (error: unknown): void => {
      if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy()
      return next === undefined ? refuse(outgoing, 500) : next(error)
    }
    new Promise<Request>((resolve) => resolve(toRequest(incoming, address, gone.signal))).then(
      (request) =>
        auth
          .handler(request)
          .then((response) => {
            // A body that nobody read would otherwise be waited for before the connection's next request.
            if (!incoming.complete && hasConnection(outgoing)) outgoing.setHeader("connection", "close")
            return send(response, outgoing)
          })
          .catch(failed),
      // TRACE, for one, is no method of a web request.
      () => refuse(outgoing, 400)
    )
  }

/** HTTP/2 has no header for the connection (RFC 9113 section 8.2.2). */
const hasConnection = ({ req }: ServerResponse): boolean => req.httpVersionMajor < 2

const refuse = (outgoing: ServerResponse, status: number): void => {
  if (hasConnection(outgoing)) outgoing.setHeader("connection", "close")
  outgoing.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end()
}

/** Calls the application. Without this a rejection would end the process. */
const call = (
  other: NonNullable<Parameters<typeof toNodeHandler>[1]>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  next: ((error?: unknown) => void) | undefined
): void => {
  new Promise<void>((resolve) => resolve(other(incoming, outgoing))).catch((error: unknown) => {
    if (next !== undefined) return next(error)
    const status = statusOf(error)
    if (status >= 500) line("error", error instanceof Error ? (error.stack ?? error.message) : String(error))
    return outgoing.headersSent ? void outgoing.destroy() : refuse(outgoing, status)
  })
}

const statusOf = (error: unknown): number => {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : undefined
  return typeof status === "number" && status >= 400 && status <= 599 ? status : 500
}

const toRequest = (incoming: Parameters<NodeHandler>[0], url: URL, signal: AbortSignal): Request => {
  const { method = "GET" } = incoming
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    // HTTP/2 has method, path and host among its headers.
    if (!name.startsWith(":")) for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers, signal })
  // A parser in front of this handler has taken the stream; what it made of it is written again.
  const parsed = incoming.readableEnded ? written(incoming.body, headers.get("content-type") ?? "") : undefined
  if (parsed !== undefined) {
    headers.delete("content-length")
    headers.delete("content-encoding")
    return new Request(url, { method, headers, signal, body: parsed })
  }
  // The web and Node declare the same stream twice; a body that is streamed is "half" duplex.
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>
  const init = { method, headers, signal, body, duplex: "half" as const }
  return new Request(url, init)
}

const written = (body: unknown, type: string): string | Uint8Array<ArrayBuffer> | undefined => {
  if (typeof body === "string") return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (typeof body !== "object" || body === null) return undefined
  if (!type.toLowerCase().startsWith("application/x-www-form-urlencoded")) return JSON.stringify(body)
  const fields = Object.entries(body).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)])
  )
  return new URLSearchParams(fields).toString()
}

/** The headers of which an answer can have several lines. */
const added: ReadonlySet<string> = new Set(["set-cookie", "vary"])

const send = (response: Response, outgoing: ServerResponse): Promise<void> => {
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) {
    // What a middleware has set beside them, such as a lifetime in caches, must not contradict these. Its cookies stay.
    if (added.has(name)) outgoing.appendHeader(name, value)
    else outgoing.setHeader(name, value)
  }
  if (response.body === null || outgoing.req.method === "HEAD") {
    outgoing.end()
    return Promise.resolve()
  }
  return pipeline(Readable.fromWeb(response.body as NodeStream<Uint8Array>), outgoing)
}
