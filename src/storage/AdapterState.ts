/**
 * State of all processes on one store: shared state in the store of the adapter, and keys that count once.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { makeMemory, makeOfAdapter, SharedState, type SharedStateShape, type StateStore } from "../SharedState.ts"
import type { AdapterError, SharedStateError } from "../Errors.ts"
import { clockTolerance } from "../internal/AttemptCount.ts"
import type { AdapterShape } from "./AdapterShape.ts"
import { dateAt } from "../internal/DateAt.ts"

/**
 * The purpose of marks for sessions whose rows could not be deleted.
 *
 * @category constants
 * @since 0.1.0
 */
export const endedSessions = "session"

/**
 * Shared state on the store of an adapter.
 *
 * The marks of ended sessions stay in this process. A session is marked when its row could not be deleted: the store that failed
 * then would fail to keep the mark too, and every read of a session would ask it twice.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeOnAdapter = (store: StateStore): SharedStateShape => {
  const [shared, own] = [makeOfAdapter(store), makeMemory()]
  const of = (purpose: string): SharedStateShape => (purpose === endedSessions ? own : shared)
  return {
    ...shared,
    mark: (purpose, key, ttl) => of(purpose).mark(purpose, key, ttl),
    isMarked: (purpose, key) => of(purpose).isMarked(purpose, key)
  }
}

/**
 * Uses a key that nothing accepts after `until`, in milliseconds since 1970. `true` for the first use. A store that remembers
 * used keys decides, as part of the unit of work; otherwise the shared state does.
 *
 * @category combinators
 * @since 0.1.0
 */
export const useOnce = (
  adapter: AdapterShape | undefined,
  purpose: string,
  key: string,
  until: number
): Effect.Effect<boolean, AdapterError | SharedStateError> =>
  adapter?.methods.has("useOnce") === true
    ? adapter.useOnce(key, dateAt(until))
    : Effect.contextWith((context) => {
        const left = until - Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
        // The clocks of the processes that share a store differ by a little.
        const ttl = Duration.millis(Math.max(0, left) + clockTolerance)
        return Context.get(context, SharedState).once(purpose, key, ttl)
      })
