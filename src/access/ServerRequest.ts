/**
 * A request of Effect's HTTP server, as the plain data that actions are given.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Stream from "effect/Stream"
import { type AuthRequest, fromParts, type RequestFailure } from "../http/AuthRequest.ts"
import { ofBytes, ofStream } from "../internal/BoundedStream.ts"
import { type CookieHeader, parseCookieHeader } from "../http/CookieHeader.ts"
import type { RequestBody } from "../http/PlainExchange.ts"
import { arrivalOf } from "./PublicAddress.ts"
import type { RequestHeaders } from "../http/RequestHeaders.ts"

/** Reads the request of an action; `url` is its public address. */
export const readAction = (
  request: HttpServerRequest,
  url: URL,
  basePath: string
): Effect.Effect<AuthRequest["Service"], RequestFailure> =>
  Effect.contextWith((context) => {
    const read = (body: () => RequestBody) =>
      fromParts(
        {
          method: request.method,
          headers: new Headers(request.headers),
          cookie: request.headers["cookie"],
          body,
          arrival: () => arrivalOf(request)
        },
        basePath,
        url
      )
    const body = () => bodyOf(request, () => Stream.toReadableStreamWith(request.stream, context))
    return request.method === "POST" && wasRead(request.source)
      ? Effect.flatMap(rememberBody(request), (kept) => read(() => kept))
      : read(body)
  })

/** Was the body read, in whole or in part? */
const wasRead = (source: object): boolean =>
  source instanceof Request
    ? source.body !== null && (source.bodyUsed || source.body.locked)
    : "readableDidRead" in source && source.readableDidRead === true

/** A middleware that reads the body by way of Effect leaves it for others; one that takes it from the source does not. */
const rememberBody = (request: HttpServerRequest): Effect.Effect<RequestBody> => {
  const { headers, source } = request
  if ("readableEnded" in source && source.readableEnded !== true) return Effect.succeed("used")
  return Effect.match(request.arrayBuffer, {
    onFailure: () => "used" as const,
    // A body that was read already is empty, although the client announced more.
    onSuccess: (bytes) =>
      bytes.byteLength === 0 && headers["content-length"] !== "0" ? "used" : ofBytes(new Uint8Array(bytes))
  })
}

/** A request without a length that is not chunked has no body (RFC 9112 section 6.3); HTTP/2 marks the end of one by itself. */
const bodyOf = (request: HttpServerRequest, stream: () => ReadableStream): RequestBody => {
  const { source } = request
  if (source instanceof Request) {
    // A middleware may have put a reader before it that undoes the coding.
    if (source.body === null) return null
    return ofStream(source.headers.has("content-encoding") ? stream() : source.body)
  }
  const { "content-length": length, "transfer-encoding": coding } = request.headers
  const isFramed = "httpVersionMajor" in source && source.httpVersionMajor !== 1
  return coding === undefined && (length === "0" || (length === undefined && !isFramed)) ? null : ofStream(stream())
}

/** The request as the session action would see it, with the cookies that count by now. */
export const readSession = (
  url: URL,
  cookies: CookieHeader,
  headers: RequestHeaders,
  method: AuthRequest["Service"]["method"] = "GET"
): AuthRequest["Service"] => ({
  method,
  url,
  origin: url.origin,
  action: "session",
  providerId: undefined,
  body: undefined,
  cookies,
  headers
})

/** The cookies that a request brought. */
export const cookiesOf = (request: HttpServerRequest): CookieHeader => parseCookieHeader(request.headers["cookie"])
