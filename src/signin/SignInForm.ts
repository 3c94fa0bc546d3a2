/**
 * The way to the form of the sign-in page, for methods that begin there.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"

/**
 * Sends the browser to the sign-in page, and remembers where it goes afterwards.
 *
 * @category combinators
 * @since 0.1.0
 */
export const showForm = Effect.gen(function* () {
  const request = yield* AuthRequest
  const settings = yield* Settings
  const target = yield* CallbackUrl.target(request)
  const remembered = CallbackUrl.remember(settings, request, target)
  return AuthResponse.redirect(`${request.origin}${settings.basePath}/signin`, remembered)
})
