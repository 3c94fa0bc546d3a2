/**
 * Follows a session until it ends: for sockets and streams, which outlive the request that proved it.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { SessionError } from "../Errors.ts"
import { Settings } from "../config/Settings.ts"
import { type FollowedSession, type SessionServices, SessionStore } from "../session/SessionStore.ts"

type Services = SessionServices | Settings

/** Has it ended? A session in a database has while no row has its id; a token has when it expired, or was revoked. */
const hasEnded = (session: FollowedSession): Effect.Effect<boolean, SessionError, SessionServices> =>
  Effect.flatMap(SessionStore, (store) => store.hasEnded(session))

/** Seconds between two looks where no option says more. */
const defaultInterval = 60

/**
 * A stream without elements that ends when the session has ended, at most `every` later. It fails where that cannot be checked.
 *
 * @category combinators
 * @since 0.1.0
 */
export const changes = (
  session: FollowedSession,
  every: Duration.Input | undefined
): Stream.Stream<never, SessionError, Services> =>
  Stream.unwrap(
    Effect.map(Settings, ({ session: { revocationCheck = defaultInterval } }) => {
      const interval = every ?? Duration.seconds(revocationCheck)
      const wait: Effect.Effect<void, SessionError, Services> = Effect.flatMap(hasEnded(session), (isOver) =>
        isOver
          ? Effect.void
          : Effect.andThen(
              Effect.sleep(interval),
              Effect.suspend(() => wait)
            )
      )
      return Stream.drain(Stream.fromEffect(wait))
    })
  )
