/**
 * The innermost client of a test browser: it resolves addresses, adds what a browser adds to a request, and keeps cookies.
 *
 * Clients around it, such as those of `HttpApiClient` and `RpcClient`, have written their address and their headers by then.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Cookies from "effect/http/Cookies"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Url from "effect/http/Url"
import * as Ref from "effect/Ref"

/** Answers the requests of a browser, whose URLs are absolute. */
export interface Network {
  readonly origin: string
  readonly send: (
    request: HttpClientRequest.HttpClientRequest,
    url: URL
  ) => Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>
}

/**
 * How a request came to be: a script of the site made it, the user opened an address, the user sent a form of the site, or
 * another site sent the browser here.
 */
export type Cause = "address" | "form" | "redirect" | "script"

/** A client of one browser, for the requests of one cause. */
export const make = (
  { origin, send }: Network,
  cookies: Ref.Ref<ReadonlyArray<Cookies.Cookie>>,
  cause: Cause
): HttpClient.HttpClient =>
  HttpClient.makeWith<HttpClientError.HttpClientError, never, HttpClientError.HttpClientError, never>(
    Effect.flatMap((request) =>
      Effect.gen(function* () {
        const url = yield* addressOf(origin, request)
        const header = Cookies.toRequestCookieHeader(yield* Ref.get(cookies), url.href, yield* Clock.currentTimeMillis)
        const whole = request.pipe(
          HttpClientRequest.setUrl(url),
          HttpClientRequest.setHeaders({
            ...browserHeaders(cause, request, url, origin),
            ...request.headers,
            ...(header === undefined ? {} : { cookie: header })
          })
        )
        const response = yield* send(whole, url)
        const now = yield* Clock.currentTimeMillis
        yield* Ref.update(cookies, Cookies.mergeIntoArray(url.href, response.cookies, now))
        return response
      })
    ),
    Effect.succeed
  )

/** Where a request goes: an address without an origin belongs to the site. */
const addressOf = (
  origin: string,
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<URL, HttpClientError.HttpClientError> => {
  const { href } = URL.canParse(request.url, origin) ? new URL(request.url, origin) : { href: request.url }
  return Effect.mapError(
    Effect.fromResult(Url.make(href, request.urlParams, undefined)),
    (cause) =>
      new HttpClientError.HttpClientError({
        reason: new HttpClientError.InvalidUrlError({ request, cause: cause.cause })
      })
  )
}

const page =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"

/** The headers that Chromium adds to a request. */
const browserHeaders = (
  cause: Cause,
  { body, method }: HttpClientRequest.HttpClientRequest,
  url: URL,
  origin: string
): Readonly<Record<string, string>> => {
  const isOwn = url.origin === origin
  const isHarmless = method === "GET" || method === "HEAD"
  const fromSite = cause === "script" || cause === "form"
  const site = cause === "address" ? "none" : cause === "redirect" || !isOwn ? "cross-site" : "same-origin"
  return {
    host: url.host,
    "user-agent":
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36",
    "accept-language": "en-US,en;q=0.9",
    "accept-encoding": "gzip, deflate",
    accept: cause === "script" ? "*/*" : page,
    ...(cause === "script" ? {} : { "upgrade-insecure-requests": "1" }),
    ...(cause === "form" ? { "cache-control": "max-age=0" } : {}),
    ...(fromSite ? { referer: `${origin}/` } : {}),
    ...(fromSite && (!isHarmless || !isOwn) ? { origin } : {}),
    ...("contentLength" in body && body.contentLength !== undefined
      ? { "content-length": String(body.contentLength) }
      : {}),
    ...(isTrustworthy(url) ? secureHeaders(cause, site) : {})
  }
}

const secureHeaders = (cause: Cause, site: string): Readonly<Record<string, string>> => ({
  "sec-ch-ua": '"Chromium";v="150", "Not)A;Brand";v="24"',
  "sec-ch-ua-mobile": "?0",
  "sec-ch-ua-platform": '"Linux"',
  "sec-fetch-site": site,
  ...(cause === "script"
    ? { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }
    : { "sec-fetch-mode": "navigate", "sec-fetch-user": "?1", "sec-fetch-dest": "document" })
})

/** Browsers send `Sec-` headers to addresses that cannot be overheard (W3C Secure Contexts section 3.1). */
const isTrustworthy = ({ hostname, protocol }: URL): boolean =>
  protocol === "https:" || /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
