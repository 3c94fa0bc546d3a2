/**
 * A request of Effect's HTTP server, as the plain data that actions are given.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Stream from "effect/Stream"
import { type AuthRequest, fromParts, type RequestFailure, type RequestParts } from "../AuthRequest.ts"
import { type CookieHeader, parseCookieHeader } from "../internal/CookieHeader.ts"

/** Reads the request of an action; `url` is its public address. */
export const readAction = (
  request: HttpServerRequest,
  url: URL,
  basePath: string
): Effect.Effect<AuthRequest["Service"], RequestFailure> =>
  Effect.contextWith((context) =>
    fromParts(
      {
        method: request.method,
        url,
        headers: new Headers(request.headers),
        cookie: request.headers["cookie"],
        get body() {
          return bodyOf(request, () => Stream.toReadableStreamWith(request.stream, context))
        }
      },
      basePath
    )
  )

/** What has no length and is not chunked has no body (RFC 9112 section 6.3). */
const bodyOf = (request: HttpServerRequest, stream: () => ReadableStream): RequestParts["body"] => {
  const { source } = request
  if (source instanceof Request) {
    return source.body !== null && (source.bodyUsed || source.body.locked) ? "used" : source.body
  }
  const { "content-length": length, "transfer-encoding": coding } = request.headers
  return coding === undefined && (length === undefined || length === "0") ? null : stream()
}

/** The request as the session action would see it, with the cookies that count by now. */
export const readSession = (url: URL, cookies: CookieHeader, headers: () => Headers): AuthRequest["Service"] => ({
  method: "GET",
  url,
  origin: url.origin,
  action: "session",
  providerId: undefined,
  body: undefined,
  cookies,
  get headers() {
    return headers()
  }
})

/** The cookies that a request brought. */
export const cookiesOf = (request: HttpServerRequest): CookieHeader => parseCookieHeader(request.headers["cookie"])
