/**
 * Follows a session until it ends: for sockets and streams, which outlive the request that proved it.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ActiveSession } from "./CurrentSession.ts"
import type { SessionError } from "../Errors.ts"
import { Jwt } from "../Jwt.ts"
import * as ServerSession from "../actions/ServerSession.ts"
import { Settings } from "../config/Settings.ts"
import type { Adapter } from "../storage/Storage.ts"

/**
 * A session that is followed: `CurrentSession`, or what `verify` returns.
 *
 * @category models
 * @since 0.1.0
 */
export type FollowedSession = Pick<ActiveSession, "expires" | "generation" | "id" | "userId">

type Services = Adapter | Jwt | Settings

/** Has it ended? A session in a database has while no row has its id; a token has when it expired, or was revoked. */
const hasEnded = Effect.fnUntraced(function* ({
  expires,
  generation = 0,
  id,
  userId
}: FollowedSession): Effect.fn.Return<boolean, SessionError, Services> {
  const { session } = yield* Settings
  if (session.strategy === "database") return !(yield* ServerSession.list(userId)).some((one) => one.id === id)
  if (DateTime.toEpochMillis(expires) <= (yield* Clock.currentTimeMillis)) return true
  const { revocation } = yield* Jwt
  return revocation !== undefined && (yield* revocation.hasEnded(id, userId, generation))
})

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
