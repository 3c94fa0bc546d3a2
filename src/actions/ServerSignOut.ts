/**
 * A sign-out by order of the application.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { Settings } from "../config/Settings.ts"
import type { SignOutError } from "../Errors.ts"
import type { Events } from "../Events.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { endSession } from "../session/EndSession.ts"
import { type SessionServices, SessionStore } from "../session/SessionStore.ts"
import { forgetIdToken, forgetProviderTokens } from "../session/SignOutCookie.ts"
import { note, reasonOf } from "../telemetry/AuditEmitter.ts"
import type { Outcome } from "./ServerSignIn.ts"

/**
 * Signs out in the browser of the request and answers the cookies to clear, those of provider tokens among them. When the
 * row of a session could not be deleted this is a failure, and this process refuses the session from here on.
 *
 * @category actions
 * @since 0.1.0
 */
export const signOut: Effect.Effect<Outcome<SignOutError>, never, AuthRequest | Events | SessionServices> = Effect.gen(
  function* () {
    const request = yield* AuthRequest
    const ending = yield* (yield* SessionStore).ending(request, null)
    const { cookies, failure } = yield* endSession(ending)
    if (failure !== undefined) yield* note({ _tag: "SignOutFailed", reason: reasonOf(failure) })
    const settings = yield* Settings
    const forgotten = [...forgetIdToken(settings, request), ...forgetProviderTokens(settings, request)]
    return { cookies: [...cookies, ...forgotten], failure }
  }
)
