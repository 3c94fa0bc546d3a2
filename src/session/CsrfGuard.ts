/**
 * The CSRF token: for the forms of a page, and checked at each place that changes something.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { Csrf, type CsrfToken } from "../browser/Csrf.ts"
import { Settings } from "../config/Settings.ts"
import type { MissingCsrf } from "../Errors.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { type ReadToken, subject } from "../Jwt.ts"
import { type SessionServices, SessionStore } from "./SessionStore.ts"

/** What the token of a form is made and checked with. */
export type FormServices = Settings | AuthRequest | Csrf | SessionServices

/**
 * Fails unless the body of the request has the CSRF token that was issued to the owner of its session. With
 * `skipCSRFCheck` the framework checks, and this does not. `opened` is the token of the session, where it was read already.
 *
 * @category combinators
 * @since 0.1.0
 */
export const guard = Effect.fnUntraced(function* (
  opened?: ReadToken
): Effect.fn.Return<void, MissingCsrf, FormServices> {
  if ((yield* Settings).skipCsrfCheck) return
  const request = yield* AuthRequest
  const owner = opened === undefined ? yield* (yield* SessionStore).owner(request) : subject(opened)
  yield* (yield* Csrf).verify(request, owner)
})

/**
 * The token for the forms of a page; `undefined` where the framework has a protection of its own.
 *
 * @category combinators
 * @since 0.1.0
 */
export const formToken: Effect.Effect<CsrfToken | undefined, never, FormServices> = Effect.gen(function* () {
  if ((yield* Settings).skipCsrfCheck) return undefined
  const request = yield* AuthRequest
  return yield* (yield* Csrf).token(request, yield* (yield* SessionStore).owner(request))
})
