/**
 * The end of every sign-out, of a visitor, an application or a provider: the sessions end, the event is emitted, and the cookies go in any case.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { SignOutError } from "../Errors.ts"
import type { Events } from "../Events.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { note, userOf } from "../telemetry/AuditEmitter.ts"
import type { EndingSession } from "./SessionStore.ts"

/**
 * Ends the sessions. Returns the cookies to clear in any case, what works out the id of the session, and why the user is not signed out for
 * certain.
 *
 * @category combinators
 * @since 0.1.0
 */
export const endSession = (
  events: Events["Service"],
  { end }: EndingSession
): Effect.Effect<{
  readonly cookies: ReadonlyArray<ResponseCookie>
  readonly idOf: (() => string | undefined) | undefined
  readonly failure: SignOutError | undefined
}> =>
  Effect.flatMapEager(end(), ({ cookies, failure, over }) => {
    const ended = { cookies, idOf: over?.idOf, failure }
    if (over === undefined) return Effect.succeed(ended)
    const emitted = over.message === undefined ? Effect.void : events.emit("signOut", over.message)
    return Effect.flatMapEager(emitted, () =>
      Effect.mapEager(note({ _tag: "SignedOut", ...userOf(over.userId) }), () => ended)
    )
  })
