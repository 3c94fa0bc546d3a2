/**
 * What holds for every answer behind a session, and for every request that is refused one.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { NotAllowed, NotSignedIn } from "./AccessProblem.ts"
import { isCrossSite } from "../browser/Csrf.ts"
import type { Doorman } from "../Doorman.ts"
import { bearerOf } from "../http/Bearer.ts"
import * as PublicAddress from "./PublicAddress.ts"
import { Settings } from "../config/Settings.ts"
import { cookiesOf, readSession } from "./ServerRequest.ts"

/** Fails with 401 and the challenge that RFC 9110 section 11.6.1 wants beside it. */
export const challenged: Effect.Effect<never, NotSignedIn, HttpServerRequest> = Effect.andThen(
  HttpEffect.appendPreResponseHandler(({ headers }, response) =>
    Effect.succeed(
      response.status === 401 && response.headers["www-authenticate"] === undefined
        ? HttpServerResponse.setHeader(
            response,
            "www-authenticate",
            // RFC 6750 section 3.1
            bearerOf(headers["authorization"]) === undefined ? "Bearer" : 'Bearer error="invalid_token"'
          )
        : response
    )
  ),
  Effect.fail(new NotSignedIn({}))
)

/** What an answer depends on that looked whose session it is. */
const grounds = ["Cookie", "Authorization"]

/** The response with a `Vary` header that names the headers which prove a session. */
const dependent = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { vary } = response.headers
  if (vary === undefined) return HttpServerResponse.setHeader(response, "vary", grounds.join(", "))
  const listed = new Set(vary.split(",").map((name) => name.trim().toLowerCase()))
  const missing = listed.has("*") ? [] : grounds.filter((name) => !listed.has(name.toLowerCase()))
  return missing.length === 0
    ? response
    : HttpServerResponse.setHeader(response, "vary", [...(vary === "" ? [] : [vary]), ...missing].join(", "))
}

/** A response that depends on the session is not shared: `Vary` makes caches compare the headers that prove a session. */
export const varying: Effect.Effect<void, never, HttpServerRequest> = HttpEffect.appendPreResponseHandler(
  (_, response) => Effect.succeed(dependent(response))
)

/** An answer about a person is for this person: no cache may give it to another, unless the application says so. */
export const personal: Effect.Effect<void, never, HttpServerRequest> = HttpEffect.appendPreResponseHandler(
  (_, response) =>
    Effect.succeed(
      dependent(
        response.headers["cache-control"] === undefined
          ? HttpServerResponse.setHeader(response, "cache-control", "private, no-store")
          : response
      )
    )
)

/** Methods that change nothing (RFC 9110 section 9.2.1). */
const safe: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"])

/** A GET opens a WebSocket, and no guard checks the messages that follow (RFC 6455 section 10.2). */
const isHarmless = ({ headers, method }: HttpServerRequest): boolean =>
  safe.has(method) && headers["upgrade"] === undefined

/** Fails when a page of another site sent a request that changes something. */
export const sameSite = (
  { servicesHere }: Doorman["Service"],
  request: HttpServerRequest
): Effect.Effect<void, NotAllowed> =>
  isHarmless(request)
    ? Effect.void
    : Effect.matchEffect(publicUrl(servicesHere, request), {
        onFailure: () => crossSite,
        onSuccess: (url) =>
          isCrossSite(readSession(url, cookiesOf(request), () => new Headers(request.headers)))
            ? crossSite
            : Effect.void
      })

const publicUrl = (services: Doorman["Service"]["servicesHere"], request: HttpServerRequest) =>
  Effect.flatMap(services, (here) => PublicAddress.of(request, Context.get(here, Settings).hosts))

const crossSite = Effect.fail(new NotAllowed({ code: "CrossSite" }))
