/**
 * The end of every sign-out, of a visitor, an application or a provider: the sessions end, the event is emitted, and the cookies go in any case.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { SignOutError } from "../Errors.ts"
import { Events } from "../Events.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { note, userOf } from "../telemetry/AuditEmitter.ts"
import type { EndingSession, SessionParts } from "./SessionStore.ts"

/**
 * Ends the sessions. Returns the cookies to clear in any case, what works out the id of the session, and why the user is not signed out for
 * certain.
 *
 * @category combinators
 * @since 0.1.0
 */
export const endSession = Effect.fnUntraced(function* (ending: EndingSession): Effect.fn.Return<
  {
    readonly cookies: ReadonlyArray<ResponseCookie>
    readonly idOf: (() => string | undefined) | undefined
    readonly failure: SignOutError | undefined
  },
  never,
  Events | SessionParts
> {
  const { cookies, failure, over } = yield* ending.end
  if (over?.message !== undefined) yield* (yield* Events).emit("signOut", over.message)
  if (over !== undefined) yield* note({ _tag: "SignedOut", ...userOf(over.userId) })
  return { cookies, idOf: over?.idOf, failure }
})
