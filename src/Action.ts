/**
 * The actions of a `Doorman` without a router: a request is read, and its action is run.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Handled, handle as handleHere } from "./composition/HandleAction.ts"
import { Doorman } from "./Doorman.ts"
import type { AuthRequest } from "./http/AuthRequest.ts"

export { AuthRequest, fromWeb } from "./http/AuthRequest.ts"
export type { Handled } from "./composition/HandleAction.ts"
export type { Endpoint } from "./http/AuthAction.ts"
export type { RequestFailure } from "./http/AuthRequest.ts"
export type { AuthResponse } from "./http/AuthResponse.ts"
export type { CookieHeader } from "./http/CookieHeader.ts"
export type { RequestHeaders } from "./http/RequestHeaders.ts"
export type { Arrival } from "./http/Arrival.ts"

/**
 * Answers the request of the context. Never fails: a failure is logged once and becomes an answer.
 *
 * @category actions
 * @since 0.1.0
 */
export const handle: Effect.Effect<Handled, never, AuthRequest | Doorman> = Effect.flatMap(
  Doorman,
  ({ servicesHere }) => Effect.flatMap(servicesHere, (services) => Effect.provideContext(handleHere, services))
)
