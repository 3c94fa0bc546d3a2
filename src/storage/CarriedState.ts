/**
 * Shared state in the store of the adapter: what all processes agree on who share their users.
 *
 * @since 0.1.0
 */
import { make, makeMemory, type SharedStateShape, type StateStore } from "../SharedState.ts"

/**
 * The purpose of marks for sessions whose rows could not be deleted.
 *
 * @category constants
 * @since 0.1.0
 */
export const endedSessions = "session"

/**
 * Shared state on the store that an adapter brings along.
 *
 * The marks of ended sessions stay in this process. A mark stands for a row that could not be deleted: the store that failed
 * then would fail to keep the mark too, and every read of a session would ask it twice.
 *
 * @category constructors
 * @since 0.1.0
 */
export const carriedBy = (store: StateStore): SharedStateShape => {
  const [shared, own] = [make(store), makeMemory()]
  const of = (purpose: string): SharedStateShape => (purpose === endedSessions ? own : shared)
  return {
    ...shared,
    mark: (purpose, key, ttl) => of(purpose).mark(purpose, key, ttl),
    isMarked: (purpose, key) => of(purpose).isMarked(purpose, key)
  }
}
