/**
 * Rules for every answer behind a session, and for every refused request.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import { NotAllowed, NotSignedIn } from "./AccessProblem.ts"
import { isCrossSite } from "../browser/Csrf.ts"
import type { Doorman } from "../Doorman.ts"
import { bearerOf } from "../http/AuthRequest.ts"
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

/** The request headers that an answer depends on when it read the session. */
const grounds = ["Cookie", "Authorization"]

/** The `Vary` header of a response with the names of the headers which prove a session. */
const varyOf = ({ headers: { vary } }: HttpServerResponse.HttpServerResponse): string => {
  if (vary === undefined) return grounds.join(", ")
  const listed = new Set(vary.split(",").map((name) => name.trim().toLowerCase()))
  const missing = listed.has("*") ? [] : grounds.filter((name) => !listed.has(name.toLowerCase()))
  return missing.length === 0 ? vary : [...(vary === "" ? [] : [vary]), ...missing].join(", ")
}

/** Changes the response just before it goes out. */
const changing =
  (change: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse) =>
  (context: Context.Context<HttpServerRequest>): void =>
    HttpEffect.appendPreResponseHandlerUnsafe(context, (_, response) => Effect.succeed(change(response)))

const varied = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(response, "vary", varyOf(response))

/**
 * A response that depends on the session is not shared: `Vary` makes caches compare the headers that prove a session. The context
 * is that of the request.
 */
export const addVary = changing(varied)

/** An answer about a person is for this person: no cache may give it to another, unless the application says so. */
export const addPrivacy = changing((response) =>
  HttpServerResponse.setHeader(
    varied(response),
    "cache-control",
    response.headers["cache-control"] ?? "private, no-store"
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
    : Effect.flatMap(servicesHere, (services) => {
        const url = PublicAddress.of(request, Context.get(services, Settings).hosts)
        return Result.isFailure(url) ||
          isCrossSite(readSession(url.success, cookiesOf(request), new Headers(request.headers)))
          ? crossSite
          : Effect.void
      })

const crossSite = Effect.fail(new NotAllowed({ code: "CrossSite" }))
