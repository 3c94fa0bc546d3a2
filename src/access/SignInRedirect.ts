/**
 * The redirect to the sign-in page, for browsers that open a page which needs a session.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import type { Doorman } from "../Doorman.ts"
import * as PublicAddress from "./PublicAddress.ts"
import { Settings } from "../config/Settings.ts"

/** Does a browser want a page? */
const isNavigation = ({ headers, method }: HttpServerRequest): boolean =>
  (method === "GET" || method === "HEAD") && headers["accept"]?.includes("text/html") === true

/**
 * A redirect to the sign-in page, with the requirements of the sign-in, and back to this URL afterwards. `undefined` for API
 * clients, which get a status instead.
 */
export const signInRedirect = (
  { servicesHere }: Doorman["Service"],
  request: HttpServerRequest,
  parameters: Readonly<Record<string, string>> = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse | undefined> =>
  isNavigation(request)
    ? Effect.map(servicesHere, (services) => {
        const settings = Context.get(services, Settings)
        const here = PublicAddress.of(request, settings.hosts)
        return Result.isFailure(here) ? undefined : toSignIn(settings, here.success, parameters)
      })
    : Effect.succeed(undefined)

const toSignIn = (
  settings: Settings["Service"],
  here: URL,
  parameters: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse => {
  const page = new URL(settings.pages.signIn ?? `${settings.basePath}/signin`, here.origin)
  // A path that begins like the address of another site is written with its own.
  page.searchParams.set("callbackUrl", here.pathname.startsWith("//") ? here.href : `${here.pathname}${here.search}`)
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value)
  return HttpServerResponse.redirect(page.href, {
    headers: { "cache-control": "private, no-store", vary: "Accept, Cookie, Authorization" }
  })
}
