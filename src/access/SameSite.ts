/**
 * Refuses what pages of other sites send with a visitor's cookies, before anything reads the request.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { toResponse } from "effect/http/HttpServerRespondable"
import type * as Layer from "effect/Layer"
import { Doorman } from "../Doorman.ts"
import { sameSite } from "./Guards.ts"

const guard = HttpRouter.middleware(
  Effect.map(
    Doorman,
    (doorman) => (handler) =>
      Effect.flatMap(HttpServerRequest, (request) =>
        request.headers["cookie"] === undefined
          ? handler
          : Effect.matchEffect(sameSite(doorman, request), { onFailure: toResponse, onSuccess: () => handler })
      )
  )
)

/** The middleware, for the routes that it is provided to. */
export const layer: Layer.Layer<never, never, Doorman> = guard.layer
