/**
 * What counts once: in the store where it remembers used keys, for all processes that share it, and otherwise in the shared
 * state.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { AdapterError, SharedStateError } from "../Errors.ts"
import { clockTolerance } from "../internal/AttemptCount.ts"
import { SharedState } from "../SharedState.ts"
import type { AdapterShape } from "./AdapterShape.ts"
import { dateAt } from "../internal/DateAt.ts"

/**
 * Uses a key that nothing accepts after `until`, in milliseconds since 1970. `true` for the first use. Part of the unit of
 * work where the store remembers used keys.
 *
 * @category combinators
 * @since 0.1.0
 */
export const isFirstUse = Effect.fnUntraced(function* (
  adapter: AdapterShape | undefined,
  purpose: string,
  key: string,
  until: number
): Effect.fn.Return<boolean, AdapterError | SharedStateError> {
  if (adapter?.methods.has("useOnce") === true) return yield* adapter.useOnce(key, dateAt(until))
  const { once } = yield* SharedState
  const left = until - (yield* Clock.currentTimeMillis)
  // The clocks of the processes that share a store differ by a little.
  return yield* once(purpose, key, Duration.millis(Math.max(0, left) + clockTolerance))
})
