/**
 * A request as plain data: what every action is given.
 *
 * `fromWeb` reads a web `Request` once: the path is matched, the body is read within limits and decoded, the cookies are
 * parsed. What cannot be read is refused here with a failure that names the reason, before any configuration is looked at.
 * `config/HostPolicy.ts` decides the public URL, and which forwarding headers count.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import {
  MalformedRequest,
  MethodNotAllowed,
  PayloadTooLarge,
  RequestTimeout,
  UnknownAction,
  UnsupportedMediaType
} from "../Errors.ts"
import { type Arrival, arrivalOfWeb } from "./Arrival.ts"
import { type Endpoint, isEndpoint } from "./AuthAction.ts"
import { type BodyFailure, type Decoded, decodeAnyBody, readBody, type Reading } from "./Body.ts"
import { ofStream } from "../internal/BoundedStream.ts"
import type { RequestBody, RequestParts } from "./PlainExchange.ts"
import { type RequestHeaders, toWebHeaders } from "./RequestHeaders.ts"
import { ownMember } from "../internal/OwnProperty.ts"
import { withTimeout } from "../internal/Timeout.ts"
import { type CookieHeader, parseCookieHeader } from "./CookieHeader.ts"

/**
 * The failures of reading a request; all of them are the sender's.
 *
 * @category errors
 * @since 0.1.0
 */
export type RequestFailure =
  | MalformedRequest
  | MethodNotAllowed
  | PayloadTooLarge
  | RequestTimeout
  | UnknownAction
  | UnsupportedMediaType

/**
 * The request that is being answered.
 *
 * @category services
 * @since 0.1.0
 */
export class AuthRequest extends Context.Service<
  AuthRequest,
  {
    readonly method: "GET" | "POST"
    /** Was it a HEAD request? It is read as GET and must not change anything; the HTTP layer sends no body. */
    readonly isHead?: boolean
    readonly url: URL
    /** Scheme, host and port of `url`: the origin that the site is reached by. */
    readonly origin: string
    readonly action: Endpoint
    /** Second segment of the path; not percent-decoded. */
    readonly providerId: string | undefined
    /** Fields of a form or members of a JSON object; `undefined` when there was no body. */
    readonly body: Readonly<Record<string, unknown>> | undefined
    readonly cookies: CookieHeader
    readonly headers: RequestHeaders
    /** How the request arrived, where its server says so. */
    readonly arrival?: () => Arrival
    /** Does the function `Auth` answer it? Its clients are those of Auth.js. */
    readonly isDropIn?: boolean
    /** Is the caller the server itself, in raw mode? Then its parameters are the application's. */
    readonly fromServer?: boolean
    /** Tokens of sessions that the browser sent and that count for no user: a sign-out ends them all the same. */
    readonly refusedSessions?: ReadonlyArray<string>
  }
>()("effect-doorman/http/AuthRequest") {}

/**
 * Finds action and provider id in a path (`basePath` without a trailing slash, empty for the root). One trailing slash is
 * tolerated; nothing is percent-decoded.
 *
 * @category constructors
 * @since 0.1.0
 */
export const route = (
  basePath: string,
  pathname: string
): { readonly action: Endpoint; readonly providerId: string | undefined } | undefined => {
  if (!pathname.startsWith(basePath) || pathname.charCodeAt(basePath.length) !== slash) return undefined
  const end = pathname.endsWith("/") ? pathname.length - 1 : pathname.length
  const rest = pathname.slice(basePath.length + 1, end)
  const cut = rest.indexOf("/")
  const action = cut === -1 ? rest : rest.slice(0, cut)
  if (!isEndpoint(action)) return undefined
  if (cut === -1) return isLogout(action) ? undefined : { action, providerId: undefined }
  const providerId = rest.slice(cut + 1)
  if (providerId === "" || providerId.includes("/")) return undefined
  return takesProvider.has(action) ? { action, providerId } : undefined
}

/** The actions that a provider of the path belongs to. */
const takesProvider: ReadonlySet<Endpoint> = new Set([
  "backchannel-logout",
  "callback",
  "signin",
  "signout",
  "webauthn-options"
])

/** Is it an action that the provider begins? Its path always names the provider. */
const isLogout = (action: Endpoint): boolean => action === "backchannel-logout"

/**
 * Is the path one that only a provider with an option for logouts has? For any other it is no action.
 *
 * @category guards
 * @since 0.1.0
 */
export const isOfLogout = ({
  action,
  providerId
}: {
  readonly action: Endpoint
  readonly providerId?: string | undefined
}): boolean => isLogout(action) || (action === "signout" && providerId !== undefined)

const slash = 47

/**
 * Finds the action that a path ends with, whatever stands before it, where {@link route} finds none: a client that reads
 * the body of an answer without its status must not take a refusal for a session.
 *
 * @category constructors
 * @since 0.1.0
 */
export const trailingAction = (
  pathname: string
): { readonly basePath: string; readonly action: Endpoint } | undefined => {
  const segments = pathname.split("/").filter((segment) => segment !== "")
  for (const from of [segments.length - 1, segments.length - 2]) {
    const action = segments[from]
    if (action === undefined || !isEndpoint(action)) continue
    return {
      basePath: segments
        .slice(0, from)
        .map((segment) => `/${segment}`)
        .join(""),
      action
    }
  }
  return undefined
}

/**
 * Reads a web request; `url` is its public URL. Bodies are read for POST alone: at most 64 kB, within ten seconds.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromWeb = (
  request: Request,
  basePath: string,
  url: URL = new URL(request.url)
): Effect.Effect<AuthRequest["Service"], RequestFailure> =>
  Effect.suspend(() => fromParts(webParts(request, url), basePath, url))

/**
 * The parts of a web request, whose server knows it by `url`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const webParts = (request: Request, url: URL): RequestParts => ({
  method: request.method,
  headers: request.headers,
  cookie: request.headers.get("cookie"),
  body: () => {
    const { body } = request
    if (body === null) return null
    return request.bodyUsed || body.locked ? "used" : ofStream(body)
  },
  arrival: () => arrivalOfWeb(request.headers, url)
})

/**
 * As {@link fromWeb}, for servers of another kind.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromParts = (
  parts: RequestParts,
  basePath: string,
  url: URL
): Effect.Effect<AuthRequest["Service"], RequestFailure> => {
  const read = startRequest(parts, basePath, url)
  return read instanceof Error ? Effect.fail(read) : completeRequest(read, parts)
}

/** Adds the body of a `POST`. @internal */
export const completeRequest = (
  read: AuthRequest["Service"],
  parts: RequestParts
): Effect.Effect<AuthRequest["Service"], RequestFailure> =>
  read.method === "GET" ? Effect.succeed(read) : withBody(read, parts.body())

/** Is this an address of the web? Those of other schemes may have no origin. @internal */
export const isWebAddress = ({ protocol }: URL): boolean => protocol === "https:" || protocol === "http:"

/** What is said about another method; about the question of a browser whether a page of another origin may ask (CORS). */
const preflight = ({ headers, method }: RequestParts): { readonly detail: string; readonly fix?: string } => {
  const origin = method === "OPTIONS" ? headers.get("origin") : null
  return origin === null
    ? { detail: "Only GET and POST are answered" }
    : {
        detail: `A page of ${origin.slice(0, 200)} asks whether it may call this endpoint (CORS), and only pages of this site may`,
        fix: "Serve the page and the endpoints from one origin, for example by a proxy of the page's server, or answer for the other origin in front of this handler."
      }
}

/** The request without its body, or why it is refused. @internal */
export const startRequest = (
  parts: RequestParts,
  basePath: string,
  url: URL
): AuthRequest["Service"] | RequestFailure => {
  const { cookie, method: given } = parts
  if (!isWebAddress(url)) return otherScheme
  const match = route(basePath, url.pathname)
  if (match === undefined) return unknownPath
  // Link scanners of mail servers send HEAD to callback URLs; no client needs it elsewhere.
  const isHead = given === "HEAD" && match.action === "callback" && match.providerId !== undefined
  const method = isHead ? "GET" : given
  if (match.action === "mailbox" && method !== "GET") return unknownPath
  if (method !== "GET" && method !== "POST") {
    if (isOfLogout(match)) return unknownPath
    return new MethodNotAllowed({ allow: allowedMethods(match), ...preflight(parts) })
  }
  return {
    method,
    ...(isHead ? { isHead } : {}),
    url,
    origin: url.origin,
    action: match.action,
    providerId: match.providerId,
    body: undefined,
    cookies: parseCookieHeader(cookie),
    headers: parts.headers,
    arrival: parts.arrival
  }
}

const withBody = (
  read: AuthRequest["Service"],
  body: RequestBody
): Effect.Effect<AuthRequest["Service"], RequestFailure> => {
  if (body === null) return Effect.succeed(read)
  if (body === "used") {
    return Effect.fail(new MalformedRequest({ detail: "The body of the request was read before it came here" }))
  }
  const { headers } = read
  const coding = codingOf(headers.get("content-encoding"))
  if (coding === "unknown") {
    body.cancel()
    return Effect.fail(bodyFailure("coded"))
  }
  return Effect.flatMap(bytesOf(readBody(body, headers.get("content-length"))), (bytes) => {
    const result = typeof bytes === "string" ? bytes : decodeAnyBody(bytes, headers.get("content-type"))
    const finish = (decoded: Decoded): Effect.Effect<AuthRequest["Service"], RequestFailure> =>
      typeof decoded === "string"
        ? Effect.fail(bodyFailure(coding === "known" && decoded === "malformed" ? "coded" : decoded))
        : Effect.succeed({ ...read, body: decoded.body })
    return result instanceof Promise
      ? Effect.flatMap(
          Effect.promise(() => result),
          finish
        )
      : finish(result)
  })
}

/** Milliseconds that a body may take to arrive. */
const bodyTime = 10_000

const bytesOf = ({
  bytes,
  cancel
}: Reading): Effect.Effect<Uint8Array | "too_large", MalformedRequest | RequestTimeout> =>
  withTimeout<Uint8Array | "too_large", MalformedRequest | RequestTimeout>(bytes, {
    milliseconds: bodyTime,
    failed: () => new MalformedRequest({ detail: "The body could not be read" }),
    late: () => new RequestTimeout({ detail: "The body did not arrive in time" }),
    abandon: cancel
  })

/** Content codings that servers remove before they hand a request on; some leave the header as it came. */
const removable: ReadonlySet<string> = new Set(["br", "deflate", "gzip", "x-gzip", "zstd"])

/** What `Content-Encoding` says of a body (RFC 9110 section 8.4). */
const codingOf = (header: string | null): "none" | "known" | "unknown" => {
  if (header === null) return "none"
  const codings = header
    .slice(0, 200)
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
  if (codings.every((coding) => coding === "identity" || coding === "")) return "none"
  return codings.every((coding) => removable.has(coding)) ? "known" : "unknown"
}

/** The methods of a path, as far as the path decides them. */
const allowedMethods = ({
  action,
  providerId
}: {
  readonly action: Endpoint
  readonly providerId: string | undefined
}): string => {
  switch (action) {
    case "csrf":
    case "error":
    case "mailbox":
    case "providers":
    case "verify-request":
    case "webauthn-options":
      return "GET"
    case "backchannel-logout":
      return "POST"
    case "signin":
      return providerId === undefined ? "GET, POST" : "POST"
    case "callback":
    case "session":
    case "signout":
      return "GET, POST"
  }
}

/** Each of the two is made once: it holds nothing of the request. An address of another scheme has no origin. */
const otherScheme = new MalformedRequest({ detail: "The address of the request is neither http nor https" })

/**
 * The failure of a path that is no action.
 *
 * @category errors
 * @since 0.1.0
 * @internal
 */
export const unknownPath = new UnknownAction({ detail: "There is no such path below the base path" })

const bodyFailure = (failure: BodyFailure | "coded"): RequestFailure => {
  switch (failure) {
    case "too_large":
      return new PayloadTooLarge({ detail: "The body is larger than 64 kB, or comes in too many empty pieces" })
    case "media_type":
      return new UnsupportedMediaType({ detail: "The body is neither JSON nor a form in UTF-8" })
    case "coded":
      return new UnsupportedMediaType({
        acceptEncoding: "identity",
        detail: "The body has a content coding, and no server in front undid it"
      })
    case "malformed":
      return new MalformedRequest({ detail: "The body is not what its content type says" })
  }
}

/**
 * The text of a body field; `undefined` when it is absent or not text.
 *
 * @category combinators
 * @since 0.1.0
 */
export const field = (request: AuthRequest["Service"], name: string): string | undefined => {
  const value = ownMember(request.body, name)
  return typeof value === "string" ? value : undefined
}

/**
 * Does the browser only prefetch the page? It sends the request again when the user follows the link, and until then no
 * one-time token is used up.
 *
 * @category guards
 * @since 0.1.0
 */
export const isPrefetch = ({ headers, method }: AuthRequest["Service"]): boolean =>
  method === "GET" && /\bprefetch\b/i.test(`${headers.get("sec-purpose") ?? ""} ${headers.get("purpose") ?? ""}`)

/**
 * The web `Request` that functions of the application are given: same URL and headers, the decoded body as JSON.
 *
 * @category combinators
 * @since 0.1.0
 */
export const toWeb = (request: AuthRequest["Service"]): Request => {
  if (request.method === "GET") return new Request(request.url, { headers: toWebHeaders(request.headers) })
  const webRequest = new Request(request.url, {
    method: "POST",
    headers: toWebHeaders(request.headers),
    body: JSON.stringify(request.body ?? {})
  })
  webRequest.headers.delete("content-length")
  webRequest.headers.set("content-type", "application/json")
  return webRequest
}

/** The token of an `Authorization` header with the scheme `Bearer` (RFC 6750 section 2.1). */
export const bearerOf = (authorization: string | null | undefined): string | undefined =>
  /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? "")?.[1]

/**
 * Does a program ask for JSON? Then failures are answered as problem details (RFC 9457), and not by redirects and pages. Its
 * `Accept` names a type of JSON and neither pages nor any type at all. A client that asks for redirects as JSON gets those.
 */
export const asksForProblem = (headers: RequestHeaders): boolean => {
  const types = accepts(headers)
  return (
    !headers.has("x-auth-return-redirect") &&
    types.some((type) => /^application\/(?:[\w.-]+\+)?json$/.test(type)) &&
    !types.includes("text/html") &&
    !types.includes("*/*")
  )
}

/** The media types of `Accept` that are wanted, in lower case, without parameters (RFC 9110 section 12.5.1). */
const accepts = (headers: RequestHeaders): ReadonlyArray<string> => {
  const accept = headers.get("accept")
  if (accept === null || accept.length > 1024) return []
  return accept
    .toLowerCase()
    .split(",")
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(one))
    .map((one) => one.split(";", 1)[0]?.trim() ?? "")
}
