/**
 * What holds for every answer behind a session, and for every request that is refused one.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { NotAllowed, NotSignedIn } from "../AccessProblem.ts"
import { isCrossSite } from "../Csrf.ts"
import type { Doorman } from "../Doorman.ts"
import * as PublicAddress from "../PublicAddress.ts"
import { cookiesOf, readSession } from "./ServerRequest.ts"

/** Fails with 401 and the challenge that RFC 9110 section 11.6.1 wants beside it. */
export const challenged: Effect.Effect<never, NotSignedIn, HttpServerRequest> = Effect.andThen(
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(
      response.status === 401 && response.headers["www-authenticate"] === undefined
        ? HttpServerResponse.setHeader(response, "www-authenticate", "Bearer")
        : response
    )
  ),
  Effect.fail(new NotSignedIn({}))
)

/** An answer about a person is for this person: no cache may give it to another, unless the application says so. */
export const personal: Effect.Effect<void, never, HttpServerRequest> = HttpEffect.appendPreResponseHandler(
  (_, response) => {
    const { "cache-control": cached, vary } = response.headers
    return Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        ...(cached === undefined ? { "cache-control": "private, no-store" } : {}),
        vary: vary === undefined ? "Cookie, Authorization" : `${vary}, Cookie, Authorization`
      })
    )
  }
)

/** Methods that change nothing (RFC 9110 section 9.2.1). */
const safe: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"])

/** Fails when a page of another site sent a request that changes something. */
export const sameSite = ({ origin }: Doorman["Service"], request: HttpServerRequest): Effect.Effect<void, NotAllowed> =>
  safe.has(request.method)
    ? Effect.void
    : Effect.matchEffect(PublicAddress.of(request, origin), {
        onFailure: () => crossSite,
        onSuccess: (url) =>
          isCrossSite(readSession(url, cookiesOf(request), () => new Headers(request.headers)))
            ? crossSite
            : Effect.void
      })

const crossSite = Effect.fail(new NotAllowed({ code: "CrossSite" }))
