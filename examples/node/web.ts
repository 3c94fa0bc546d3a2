/**
 * The bridge between Node's http server and the web's `Request` and `Response`. Copy it.
 *
 * The URL of a request is the public one, which the options decide: below AUTH_URL where that is set. No forwarding header
 * is believed. Bodies are streamed both ways, and several `Set-Cookie` headers stay several.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream as NodeStream } from "node:stream/web"
import { type AuthConfig, requestUrl } from "effect-doorman"

const toRequest = (incoming: IncomingMessage, url: URL, signal: AbortSignal): Request => {
  const { headers: given, method = "GET" } = incoming
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers, signal })
  // The web and Node declare the same stream twice; a body that is streamed is "half" duplex.
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>
  const init = { method, headers, signal, body, duplex: "half" as const }
  return new Request(url, init)
}

const send = async (response: Response, outgoing: ServerResponse): Promise<void> => {
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value)
  if (response.body === null || outgoing.req.method === "HEAD") return void outgoing.end()
  await pipeline(Readable.fromWeb(response.body as NodeStream<Uint8Array>), outgoing)
}

/** A listener for `createServer`, and a handler for Express: what cannot be a request is 400, what fails is 500. */
export const listener =
  (handle: (request: Request) => Promise<Response>, config: AuthConfig) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const gone = new AbortController()
    outgoing.once("close", () => gone.abort())
    const url = requestUrl(incoming, config)
    if (url === undefined) return void outgoing.writeHead(400, { connection: "close" }).end()
    let status = 400
    const answer = async (): Promise<void> => {
      const request = toRequest(incoming, url, gone.signal)
      status = 500
      await send(await handle(request), outgoing)
    }
    answer().catch((error: unknown) => {
      if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy()
      if (status === 500) console.error(error)
      outgoing.writeHead(status, { connection: "close" }).end()
    })
  }
