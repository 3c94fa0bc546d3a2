/**
 * Where a browser goes after signing in or out.
 *
 * An address that a client sends is read strictly first: a path of this site, an absolute web address that means the same
 * to every parser, or the address of a native application (RFC 8252 section 7.1). An accepted address goes to the `redirect`
 * callback, whose default allows the site's own origin. Any other address counts as absent: the callback receives the
 * origin. The library obeys the application's answer, unless its scheme would run code or read files in the browser. An
 * address never stops a sign-in or a sign-out.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Settings, cookiesFor, sizeBesideAttempts } from "../config/Settings.ts"
import { type AuthRequest, route } from "../http/AuthRequest.ts"
import { Callbacks } from "../Callbacks.ts"
import { largestField, maxCookieLength, reserve } from "../http/CookieHeader.ts"
import { clear, type ResponseCookie, set } from "../http/Cookie.ts"
import { CallbackRouteError, InvalidCallbackUrl, MalformedRequest } from "../Errors.ts"
import type { Endpoint } from "../http/AuthAction.ts"
import { viewOfTarget } from "../telemetry/DebugView.ts"
import { describe } from "../internal/Mismatch.ts"
import { ownMember } from "../internal/OwnProperty.ts"
import { isLine } from "../internal/Text.ts"
import { debug } from "../telemetry/Signals.ts"
import { logWithinLimit } from "../telemetry/LogLimit.ts"
import { report } from "../telemetry/Report.ts"

/** Longest absolute URL that is accepted, in characters: the cookie that remembers it has room for no longer one. */
const limit = 3500

/**
 * Reads the address that a client sent, strictly. Returns a path for this origin, a canonical URL for other web addresses,
 * the address as it came for native applications, or `undefined` when parsers could read it in different ways.
 *
 * @category constructors
 * @since 0.1.0
 */
export const canonical = (address: string, origin: string): string | undefined => {
  if (address.length === 0 || !isLine(address, limit) || forbidden.test(address)) return undefined
  if (address.includes(" ")) return withoutSpaces(address, origin)
  if (address.startsWith("/")) {
    return simplePath.test(address) && origin.length + address.length <= limit ? address : ownPath(address, origin)
  }
  if (address === origin) return address
  if (address.startsWith(origin) && simplePath.test(address.slice(origin.length))) return address
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const [, authority] = absolute.exec(address) ?? []
  if (authority === undefined) return isNative(url) ? address : undefined
  if (url.username !== "" || url.password !== "" || url.hostname.endsWith(".")) return undefined
  const port = url.protocol === "https:" ? ":443" : ":80"
  const lowerCase = authority.toLowerCase()
  if (lowerCase !== url.host && lowerCase !== `${url.host}${port}`) return undefined
  if (!safePath(url.pathname)) return undefined
  return url.href.length > limit ? undefined : url.href
}

/**
 * An address with spaces inside its path or query, which the serialised address has as `%20`. Parsers that drop spaces must find an
 * address that is accepted as well.
 */
const withoutSpaces = (address: string, origin: string): string | undefined =>
  innerSpaces.test(address) && canonical(address.replaceAll(" ", ""), origin) !== undefined
    ? canonical(address.replaceAll(" ", "%20"), origin)
    : undefined

/** No space stands before the path or the query, or at the end. */
const innerSpaces = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/[^/?# ]*[/?]|\/(?!\/)).*[^ ]$/i

/** Spaces beside the ordinary one, backslashes and all else in a line that a header or a parser could trip over. */
const forbidden = /[\u00a0\\\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/
/** Paths, with or without a query, that no parser rewrites: most of those that sites use. */
const simplePath = /^(?:\/[A-Za-z0-9_~-]+)*\/?(?:\?[A-Za-z0-9_~=&.-]*)?$/
const absolute = /^https?:\/\/([^/?#]+)/i

const ownPath = (address: string, origin: string): string | undefined => {
  if (!URL.canParse(address, origin)) return undefined
  const url = new URL(address, origin)
  return url.origin === origin &&
    url.href.length <= limit &&
    safePath(url.pathname) &&
    !/^\/(?:%2f|%5c|\/)/i.test(address)
    ? `${url.pathname}${url.search}${url.hash}`
    : undefined
}

/** A path that stays a path: it does not begin like an authority and hides no control character. */
const safePath = (path: string): boolean => !/^\/(?:\/|%2f|%5c)/i.test(path) && !/%(?:0[0-9a-d]|5c)/i.test(path)

/** Schemes that run code, or read the user's files, where a browser follows them. */
const harmful: ReadonlySet<string> = new Set(["javascript:", "data:", "vbscript:", "blob:", "file:"])

/** Schemes that only browsers use, and those that WHATWG URL reads like `http`, but that no web page or application has. */
const unusual: ReadonlySet<string> = new Set([
  "about:",
  "filesystem:",
  "ftp:",
  "http:",
  "https:",
  "view-source:",
  "ws:",
  "wss:"
])

/** The address of a native application: a scheme of its own. */
const isNative = ({ href, pathname, protocol }: URL): boolean =>
  !harmful.has(protocol) && !unusual.has(protocol) && href.length <= limit && safePath(pathname)

/** The application's answer as an absolute URL; `undefined` for an unsafe target. */
const answeredUrl = (answer: unknown, origin: string): string | undefined => {
  const address = answer instanceof URL ? answer.href : answer
  if (typeof address !== "string") return undefined
  if (address === origin) return address
  if (address.startsWith(`${origin}/`) && simplePath.test(address.slice(origin.length))) return address
  if (!URL.canParse(address, origin)) return undefined
  const { href, pathname, protocol } = new URL(address, origin)
  // An encoded line break in a path is one for servers that decode it before they write their own headers.
  if (harmful.has(protocol) || /%0[09ad]/i.test(pathname)) return undefined
  return href === `${address}/` ? address : href
}

/**
 * Asks the `redirect` callback where the browser goes. `address` was read before, or is an answer of the application: it is
 * handed on as it is. Returns an absolute URL; the origin when the callback fails or its answer cannot be used.
 *
 * @category combinators
 * @since 0.1.0
 */
export const allow = (
  context: Context.Context<Callbacks>,
  request: AuthRequest["Service"],
  address: string
): Effect.Effect<string> => askCallback(context, address, request.origin)

const allowFromClient = (
  context: Context.Context<Settings | Callbacks>,
  request: AuthRequest["Service"],
  address: string
): Effect.Effect<string> => {
  const { origin } = request
  const url = fromClient(Context.get(context, Settings), request, address)
  const target = askCallback(context, url, origin)
  return url !== origin || address === origin || address === `${origin}/`
    ? target
    : Effect.andThen(refusal(address, origin), target)
}

/** Says why an address of a client is refused. An address that is too long may come from the application itself. */
const refusal = (address: string, origin: string): Effect.Effect<void> => {
  const { length } = URL.canParse(address, origin) ? new URL(address, origin).href : address
  return length > limit
    ? logWithinLimit(
        "callbackUrl",
        Effect.logInfo(
          `callbackUrl has ${length} characters, and its cookie has room for ${limit}: the browser is sent to the origin of the site. Send a shorter address.`
        )
      )
    : debug("callback_url", () => ({
        refused: viewOfTarget(address, origin),
        because: "Parsers may read the address differently, or it is an action of this site."
      }))
}

/** Where the `redirect` callback sends a browser that is to go to `url`. */
const askCallback = (context: Context.Context<Callbacks>, url: string, origin: string): Effect.Effect<string> =>
  Effect.flatMapEager(
    Effect.catchEager(Context.get(context, Callbacks).redirect({ url, baseUrl: origin }), (error) =>
      Effect.as(report(error), origin)
    ),
    (answer) => {
      const target = answeredUrl(answer, origin)
      return target === undefined ? Effect.as(Effect.logError(unusable(answer)), origin) : Effect.succeed(target)
    }
  )

const unusable = (answer: unknown): CallbackRouteError =>
  new CallbackRouteError({
    detail: `callbacks.redirect must return an address whose scheme is not javascript, data, vbscript, blob or file. It returned ${describe(answer)}: the browser is sent to the origin of the site`,
    fix: "Return url, baseUrl, or an address of the application from callbacks.redirect."
  })

/**
 * Asks for the address that `callbacks.signIn` answered instead of `true`. Logs a warning when `callbacks.redirect`
 * sends the browser to the origin instead.
 *
 * @category combinators
 * @since 0.1.0
 */
export const insteadOfSignIn = Effect.fnUntraced(function* (request: AuthRequest["Service"], address: string) {
  const target = yield* allow(yield* Effect.context<Callbacks>(), request, address)
  const redirectUrl = answeredUrl(address, request.origin)
  if (target === request.origin && redirectUrl !== `${target}/` && redirectUrl !== target) {
    yield* Effect.logWarning(
      "callbacks.signIn answered an address that callbacks.redirect does not allow: the browser is sent to the origin of the site"
    )
  }
  return target
})

/** The address of a client as the callback receives it: the origin for a refused one. */
const fromClient = ({ basePath }: Settings["Service"], { origin }: AuthRequest["Service"], address: string): string => {
  const url = canonical(address, origin)
  return url === undefined || isAction(basePath, origin, url) ? origin : url
}

/** Pages of the library that a client may ask for: showing them changes nothing. */
const pageActions: ReadonlySet<Endpoint> = new Set(["signin", "error", "verify-request"])

const isAction = (basePath: string, origin: string, address: string): boolean => {
  const path = address.startsWith("/")
    ? address
    : address.startsWith(`${origin}/`)
      ? address.slice(origin.length)
      : undefined
  const match = path === undefined ? undefined : route(basePath, path.replace(/[?#].*$/, ""))
  return match !== undefined && (match.providerId !== undefined || !pageActions.has(match.action))
}

/**
 * The target of a request: what the body or the query asks for, else what the cookie remembers, else the origin. Two
 * different addresses count as absent. The `redirect` callback is called in every case.
 *
 * @category combinators
 * @since 0.1.0
 */
export const target = (
  request: AuthRequest["Service"]
): Effect.Effect<string, MalformedRequest, Settings | Callbacks> =>
  Effect.contextWith((context: Context.Context<Settings | Callbacks>) => targetIn(context, request))

/**
 * The decision, with the services of a context.
 *
 * @category combinators
 * @since 0.1.0
 */
export const targetIn = (
  context: Context.Context<Settings | Callbacks>,
  request: AuthRequest["Service"]
): Effect.Effect<string, MalformedRequest> => {
  const requested = requestedTarget(request)
  return requested instanceof MalformedRequest ? Effect.fail(requested) : allowTarget(context, request, requested)
}

const allowTarget = (
  context: Context.Context<Settings | Callbacks>,
  request: AuthRequest["Service"],
  requested: string | undefined
): Effect.Effect<string> => {
  const remembered = requested ?? rememberedAddress(Context.get(context, Settings), request) ?? request.origin
  const target = allowFromClient(context, request, remembered)
  const elsewhere = requested === undefined ? undefined : foreignOrigin(requested, request)
  return elsewhere === undefined ? target : Effect.tap(target, (answer) => reportDropped(elsewhere, answer))
}

/** The origin of another site that an address names. */
const foreignOrigin = (address: string, { origin }: AuthRequest["Service"]): string | undefined => {
  const other = /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).origin : origin
  return other === origin ? undefined : other
}

/** Says that the browser does not go where the client asked for. */
const reportDropped = (origin: string, answer: string): Effect.Effect<void> =>
  new URL(answer).origin === origin
    ? Effect.void
    : report(
        new InvalidCallbackUrl({
          detail: `callbackUrl names ${origin}, which is not this site: the browser goes to ${new URL(answer).origin}`,
          fix: "To allow another origin, return its addresses from callbacks.redirect."
        })
      )

/**
 * As {@link target}, for actions that a malformed address does not stop.
 *
 * @category combinators
 * @since 0.1.0
 */
export const targetOrOrigin = (request: AuthRequest["Service"]): Effect.Effect<string, never, Settings | Callbacks> =>
  Effect.contextWith((context: Context.Context<Settings | Callbacks>) => {
    const requested = requestedTarget(request)
    return allowTarget(context, request, requested instanceof MalformedRequest ? request.origin : requested)
  })

/**
 * The address that the browser remembers, as `redirect` receives it; the origin when there is no usable one.
 *
 * @category combinators
 * @since 0.1.0
 */
export const remembered = (settings: Settings["Service"], request: AuthRequest["Service"]): string =>
  fromClient(settings, request, rememberedAddress(settings, request) ?? request.origin)

const rememberedAddress = (settings: Settings["Service"], request: AuthRequest["Service"]): string | undefined =>
  request.cookies.values.get(cookiesFor(settings, request.url).callbackUrl.name)

const requestedTarget = (request: AuthRequest["Service"]): string | undefined | MalformedRequest => {
  const inBody = ownMember(request.body, "callbackUrl") ?? undefined
  if (inBody !== undefined && typeof inBody !== "string") {
    return new MalformedRequest({ detail: "callbackUrl is not text" })
  }
  if (request.url.search === "") return inBody
  const candidates = new Set(request.url.searchParams.getAll("callbackUrl"))
  if (inBody !== undefined) candidates.add(inBody)
  const [first] = candidates
  return candidates.size > 1 ? "" : first
}

/** Characters of a cookie value that every browser keeps, once it is percent-encoded (RFC 6265bis section 5.6). */
const longestRemembered = 3900

/**
 * The address as the cookie has it: percent-encoded whole, or in what no cookie value may have where the whole is too long (RFC 6265
 * section 4.1.1). Both are decoded alike.
 */
const inCookie = (url: string): string => {
  const whole = encodeURIComponent(url)
  return whole.length <= longestRemembered ? whole : url.replace(/[^!#$&-+\--:<-[\]-~]/gu, encodeURIComponent)
}

/** The size of the address in its cookie. @internal */
export const sizeInCookie = (url: string): number => inCookie(url).length

/** Does the cookie have room for this address, and a request room for the cookie? @internal */
export const isRemembered = (settings: Settings["Service"], request: AuthRequest["Service"], url: string): boolean => {
  const { size } = request.cookies
  if (size !== undefined && size + url.length * longestEncoded <= surelyFree) return true
  const length = sizeInCookie(url)
  return length <= longestRemembered && length <= largestField - reserve - sizeBesideAttempts(settings, request)
}

/** Characters that percent-encoding makes of one: its three bytes of UTF-8. */
const longestEncoded = 9

/** Bytes that are free beside a cookie of the largest size that the request does not show. */
const surelyFree = largestField - reserve - maxCookieLength - "; ".length

/**
 * The cookie that remembers a target, when the browser does not hold it yet. A target that no browser would keep is not
 * remembered, and neither is the target before it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const remember = (
  settings: Settings["Service"],
  request: AuthRequest["Service"],
  url: string
): ReadonlyArray<ResponseCookie> => {
  const { callbackUrl } = cookiesFor(settings, request.url)
  const before = rememberedAddress(settings, request)
  if (before === url) return []
  if (isRemembered(settings, request, url)) {
    const isLong = encodeURIComponent(url).length > longestRemembered
    return [set(isLong ? { ...callbackUrl, options: { encode: inCookie, ...callbackUrl.options } } : callbackUrl, url)]
  }
  return before === undefined ? [] : [clear(callbackUrl)]
}

/**
 * Removes a remembered target that is no address of this site.
 *
 * @category combinators
 * @since 0.1.0
 */
export const clearInvalid = (
  settings: Settings["Service"],
  request: AuthRequest["Service"]
): ReadonlyArray<ResponseCookie> => {
  const address = rememberedAddress(settings, request)
  return address !== undefined && canonical(address, request.origin) === undefined
    ? [clear(cookiesFor(settings, request.url).callbackUrl)]
    : []
}
