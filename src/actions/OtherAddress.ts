/**
 * A sign-in at another address than the configured one: another port, `http` in place of `https`, `127.0.0.1` in place of
 * `localhost`, `www.` before the name. The cookies of the attempt would stay at an address to which no answer comes.
 *
 * The address that a browser shows is known of a request that it posts: `Origin` names it. A `Host` alone may be one that a proxy
 * wrote, so that no other request is led anywhere.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import { type Arrival, isForwarded } from "../http/Arrival.ts"
import { showsProblems } from "../config/Production.ts"
import { cookiesFor, type Settings } from "../config/Settings.ts"
import { asksForProblem, type AuthRequest } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { isLoopback } from "../http/NetworkAddress.ts"
import { showAddress } from "../internal/Mismatch.ts"
import { adviseOnce } from "./RequestAdvice.ts"
import { pageUrl } from "./PageAddress.ts"

type Request = AuthRequest["Service"]
type Configured = Settings["Service"]

/**
 * Leads a sign-in that was posted at another address to the sign-in page at the configured one. Every other request is for `here`.
 *
 * @category actions
 * @since 0.1.0
 */
export const atConfiguredAddress = <E, R>(
  request: Request,
  settings: Configured,
  here: () => Effect.Effect<AuthResponse.AuthResponse, E, R>
): Effect.Effect<AuthResponse.AuthResponse, E, R | Effect.Services<ReturnType<typeof toSignInPage>>> => {
  const site = settings.hosts.origin
  const isSignIn = request.action === "signin" || request.action === "callback"
  if (site === undefined || request.method === "GET" || !isSignIn || asksForProblem(request.headers)) return here()
  const shown = shownOrigin(request)
  if (shown === undefined || shown.origin === site || isCovered(settings, request.url, shown)) return here()
  const advice = adviseOnce(settings, "address", () => otherAddress(shown.origin, site))
  // A browser would send the rest in clear. The clients of Auth.js that ask for redirects as JSON go on where they are.
  const isLeft =
    (shown.protocol === "https:" && request.url.protocol === "http:") ||
    (request.isDropIn === true && request.headers.has("x-auth-return-redirect"))
  if (isLeft) return Effect.andThen(advice, Effect.suspend(here))
  return Effect.andThen(advice, toSignInPage(request, settings))
}

/** The origin of the page that posted a request to its own host, where no proxy says that the host is another one. */
const shownOrigin = ({ arrival, headers, url }: Request): URL | undefined => {
  const { header, host } = arrival?.() ?? nowhere
  const origin = headers.get("origin")
  if (host === undefined || origin === null || !/^https?:/.test(origin) || !URL.canParse(origin)) return undefined
  const shown = new URL(origin)
  const isNamed = shown.host === new URL(`${shown.protocol}//${host}`).host
  return isNamed && !namesHost(header, url) ? shown : undefined
}

const nowhere: Pick<Arrival, "header" | "host"> = { header: () => undefined, host: undefined }

/** Does a forwarding header name the host of a URL? */
const namesHost = (header: Arrival["header"], { host, hostname }: URL): boolean =>
  ["x-forwarded-host", "x-forwarded-server", "x-original-host", "forwarded"].some((name) =>
    (header(name) ?? "").split(/[\s,;="]+/).some((part) => part === host || part === hostname)
  )

/** Do the cookies of an attempt reach both hosts? A page of another scheme does not keep them. */
const isCovered = (settings: Configured, url: URL, shown: URL): boolean => {
  const domain = cookiesFor(settings, url).flow.options.domain?.replace(/^\./, "")
  return (
    domain !== undefined &&
    url.protocol === shown.protocol &&
    [url, shown].every(({ hostname }) => hostname === domain || hostname.endsWith(`.${domain}`))
  )
}

const toSignInPage = (request: Request, { basePath, pages }: Configured) =>
  Effect.map(CallbackUrl.targetOrOrigin(request), (callbackUrl) =>
    AuthResponse.redirect(
      pageUrl(pages.signIn ?? `${basePath}/signin`, request.origin, {
        callbackUrl,
        error: "Signin",
        code: "flow_other_host"
      })
    )
  )

const otherAddress = (shown: string, site: string) => ({
  field: "origin",
  detail: `A sign-in was posted from a page at ${showAddress(shown)}, and AUTH_URL (origin) is ${showAddress(site)}: the cookies of one address do not reach the other`,
  // A stranger may post under any name: only the operator knows which one is the site's.
  fix: `Open the site at ${showAddress(site)} and redirect the other address to it. Where the other one is the address of the site, write it into AUTH_URL or origin.`
})

/**
 * The advice for a developer on a page of this machine that may be open at another address than the configured one.
 *
 * @category getters
 * @since 0.1.0
 */
export const addressHint = (request: Request, { hosts }: Configured): ReadonlyArray<string> => {
  const shown = hosts.origin === undefined || !showsProblems(request) ? undefined : request.arrival?.()
  if (shown?.host === undefined || isForwarded(shown)) return []
  const at = new URL(`${shown.protocol}://${shown.host}`)
  return at.origin === hosts.origin || !isLoopback(at.hostname)
    ? []
    : [
        `The request for this page named ${at.origin}, and AUTH_URL (origin) is ${hosts.origin}. Where the browser shows the first address, open the second, or write the first into AUTH_URL.`
      ]
}
