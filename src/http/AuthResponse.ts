/**
 * An answer as plain data: what every action returns.
 *
 * Only the HTTP entry points turn it into a web `Response`, or the response type of another host. So tests of the actions
 * compare plain values. The shape is the one that raw mode gives to framework packages. A failure may set cookies too: then it
 * removes what the browser holds for an attempt that has ended.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type { AuthError } from "../Errors.ts"
import { type ResponseCookie, serialize } from "./Cookie.ts"
import type { WireResponse } from "./PlainExchange.ts"
import type { Problem } from "./ProblemDetails.ts"

/**
 * An answer.
 *
 * @category models
 * @since 0.1.0
 */
export interface AuthResponse {
  /** HTTP status; 200, or 302 with `redirect`, when absent. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: ReadonlyArray<ResponseCookie>
  /** A string is sent as it is; any other value as JSON. */
  readonly body?: unknown
  /** Other answers have the same body: a caller who may change it gets a copy. */
  readonly isShared?: true
  /** The encoded body, where it exists already. */
  readonly text?: string
  /** Absolute URL of the `Location` header. */
  readonly redirect?: string
}

/** Nothing that leaves here may be kept by a cache: RFC 9111 section 5.2.2, with the older spellings beside it. */
const noStore = {
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
  vary: "Cookie",
  "x-content-type-options": "nosniff"
} as const

const defaults = /* @__PURE__ */ Object.keys(noStore)

const jsonHeaders = { "content-type": "application/json", ...noStore } as const

const redirectHeaders = {
  "cache-control": noStore["cache-control"],
  vary: "Cookie",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer"
} as const

const none: ReadonlyArray<ResponseCookie> = []

/**
 * A JSON answer.
 *
 * @category constructors
 * @since 0.1.0
 */
export const json = (body: unknown, cookies: ReadonlyArray<ResponseCookie> = none, status?: number): AuthResponse =>
  status === undefined ? { headers: jsonHeaders, cookies, body } : { status, headers: jsonHeaders, cookies, body }

/**
 * A JSON answer whose text is there already.
 *
 * @category constructors
 * @since 0.1.0
 */
export const jsonResponse = (body: unknown, text: string, cookies: ReadonlyArray<ResponseCookie>): AuthResponse => ({
  headers: jsonHeaders,
  cookies,
  body,
  text
})

/**
 * Problem details for a program that asks for JSON (RFC 9457); section 6.1 has the media type.
 *
 * @category constructors
 * @since 0.1.0
 */
export const problem = (
  details: Problem,
  cookies: ReadonlyArray<ResponseCookie> = none,
  headers: Readonly<Record<string, string>> = {}
): AuthResponse => ({
  status: details.status,
  headers: { ...noStore, ...headers, "content-type": "application/problem+json" },
  cookies,
  body: details
})

/**
 * An empty answer with a status.
 *
 * @category constructors
 * @since 0.1.0
 */
export const empty = (
  status: number,
  cookies: ReadonlyArray<ResponseCookie> = none,
  headers: Readonly<Record<string, string>> = {}
): AuthResponse => ({ status, headers: { ...noStore, ...headers }, cookies })

/**
 * Sends the browser on to an absolute URL: 302 Found, or 303 See Other after a form that uses up the token of a link (RFC
 * 9700 section 4.12).
 *
 * @category constructors
 * @since 0.1.0
 */
export const redirect = (url: string, cookies: ReadonlyArray<ResponseCookie> = none, status?: 303): AuthResponse => ({
  ...(status === undefined ? {} : { status }),
  headers: redirectHeaders,
  cookies,
  redirect: url
})

/**
 * A rendered page.
 *
 * @category constructors
 * @since 0.1.0
 */
export const page = (
  {
    body,
    headers = {},
    status
  }: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>> | undefined
    readonly body: string
  },
  cookies: ReadonlyArray<ResponseCookie> = none
): AuthResponse => ({
  status,
  // The built-in pages have all of them.
  headers: defaults.every((name) => name in headers) ? headers : { ...noStore, ...headers },
  cookies,
  body
})

/**
 * The same answer with further cookies.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withCookies = (response: AuthResponse, cookies: ReadonlyArray<ResponseCookie>): AuthResponse =>
  cookies.length === 0 ? response : { ...response, cookies: [...response.cookies, ...cookies] }

/**
 * Turns a redirect into `200 {"url": …}`, for clients that asked for it with `X-Auth-Return-Redirect`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const returningRedirect = (response: AuthResponse): AuthResponse =>
  response.redirect === undefined
    ? response
    : {
        status: 200,
        headers: { ...response.headers, ...jsonHeaders, location: response.redirect },
        cookies: response.cookies,
        body: { url: response.redirect }
      }

/**
 * An encoded response, for any server.
 *
 * @category combinators
 * @since 0.1.0
 */
export const toWire = (response: AuthResponse): WireResponse => {
  const { cookies, headers, redirect, status } = response
  return {
    status: status ?? (redirect === undefined ? 200 : 302),
    headers: redirect === undefined ? headers : { location: redirect, ...headers },
    cookies: cookies.map(serialize),
    body: redirect === undefined ? bodyText(response) : null
  }
}

/**
 * Makes the web `Response`. Where a server has replaced the global `Response` by one of its own, cookies are in the `Headers`
 * that it is constructed with: such servers read those, and not what is appended later.
 *
 * @category combinators
 * @since 0.1.0
 */
export const toWeb = (response: AuthResponse): Response => {
  const { body, cookies, headers, status } = toWire(response)
  const all = new Headers(headers)
  for (const cookie of cookies) all.append("set-cookie", cookie)
  return new Response(body, { status, headers: all })
}

/** The encoded body; `null` for none. @internal */
export const bodyText = (response: AuthResponse): string | null =>
  response.text ?? bodyOf(response.body, response.headers)

const bodyOf = (body: unknown, headers: AuthResponse["headers"]): string | null => {
  if (body === undefined) return null
  return typeof body === "string" && headers["content-type"] !== "application/json" ? body : JSON.stringify(body)
}

/**
 * A failure together with the cookies that the response sets all the same.
 *
 * @category errors
 * @since 0.1.0
 */
export class FailureWithCookies extends Data.TaggedError("FailureWithCookies")<{
  readonly failure: AuthError
  readonly cookies: ReadonlyArray<ResponseCookie>
}> {}

/**
 * The failure alone.
 *
 * @category getters
 * @since 0.1.0
 */
export const failureOf = (failure: AuthError | FailureWithCookies): AuthError =>
  failure._tag === "FailureWithCookies" ? failure.failure : failure

/**
 * Adds cookies to a failure.
 *
 * @category combinators
 * @since 0.1.0
 */
export const addCookies =
  (cookies: ReadonlyArray<ResponseCookie>) =>
  (failure: AuthError | FailureWithCookies): FailureWithCookies =>
    failure._tag === "FailureWithCookies"
      ? new FailureWithCookies({ failure: failure.failure, cookies: [...cookies, ...failure.cookies] })
      : new FailureWithCookies({ failure, cookies })
