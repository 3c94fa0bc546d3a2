/**
 * The response to a request whose session does not meet a requirement.
 *
 * @since 0.1.0
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { StepUpRequired } from "./AccessProblem.ts"

/** The response for a client that sends no navigation: the challenge of RFC 9470 section 3. */
const challenged = (
  response: HttpServerResponse.HttpServerResponse,
  { challenge }: StepUpRequired
): HttpServerResponse.HttpServerResponse =>
  response.headers["www-authenticate"] === undefined
    ? HttpServerResponse.setHeader(response, "www-authenticate", challenge)
    : response

/** Where a browser goes that opened a page; `undefined` for other clients. */
type Redirect = (
  failure: StepUpRequired,
  request: HttpServerRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse | undefined>

/** Makes a failed requirement add its challenge to the 401 response, or replace it by a redirect. */
export const rejectionOf =
  (redirect?: Redirect) =>
  (failure: StepUpRequired): Effect.Effect<void> =>
    Effect.contextWith((context: Context.Context<never>) => {
      HttpEffect.appendPreResponseHandlerUnsafe(context, (request, response) => {
        if (response.status !== 401) return Effect.succeed(response)
        const elsewhere = redirect?.(failure, request) ?? Effect.succeed(undefined)
        return Effect.map(elsewhere, (page) => page ?? challenged(response, failure))
      })
      return Effect.void
    })
