/**
 * Sessions of a database that ended although their rows could not be deleted.
 *
 * A user who signed out stays signed out: until the row has expired for certain, the shared state has a mark for it, and every
 * process that shares the state rejects the session.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { SharedStateError } from "../Errors.ts"
import { SharedState, type SharedStateShape } from "../SharedState.ts"
import { endedSessions as purpose } from "../storage/AdapterState.ts"

/**
 * Rejects a session until a time in milliseconds since 1970, when its row has expired for certain. A mark that cannot be made
 * is logged: the caller has already failed to delete the row, and has nothing else left to do.
 *
 * @category combinators
 * @since 0.1.0
 */
export const revoke = Effect.fnUntraced(function* (token: string, until: number): Effect.fn.Return<void> {
  const { mark } = yield* SharedState
  const left = until - (yield* Clock.currentTimeMillis)
  if (left > 0) yield* Effect.catch(mark(purpose, token, Duration.millis(left)), (failure) => Effect.logError(failure))
})

/**
 * Was a session revoked? Fails when the shared state is down: a session that may have ended is not accepted.
 *
 * @category combinators
 * @since 0.1.0
 */
export const isRevoked = ({ isMarked }: SharedStateShape, token: string): Effect.Effect<boolean, SharedStateError> =>
  isMarked(purpose, token)
