/**
 * The store of `SharedState` as an object of promises, and the change that every store makes. Nothing here is there at run time.
 *
 * @since 0.1.0
 */
import type { Answer } from "../internal/Answer.ts"
import type { Awaitable } from "../internal/Untyped.ts"

/**
 * A change of a store: when the value of `key` is `before`, it becomes `after`. None in either place is a key that is not
 * there. The new value is there for `ttl` milliseconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface StateChange {
  /** At most 128 characters of ASCII. */
  readonly key: string
  readonly before: string | undefined
  /** At most 4096 characters of ASCII; where the key begins with `value.`, at most 262,144. */
  readonly after: string | undefined
  readonly ttl: number
}

/**
 * A store that processes share. Whatever a method rejects with, the store counts as down for that call.
 *
 * @category models
 * @since 0.1.0
 */
export interface PromiseStateStore {
  /** The value of a key; `undefined` or `null` for an unknown key and after its time. */
  readonly get: (key: string) => Awaitable<string | null | undefined>
  /** Makes a change in one step. `false`: the value was another one, and nothing has changed. */
  readonly swap: (change: StateChange) => Awaitable<boolean>
}

/**
 * A store that processes share. Its operations answer a promise or an Effect, which may fail with anything: whatever it is,
 * the store counts as down for that call. A full store fails with a `SharedStateError` of the reason `full`, and changes nothing.
 *
 * @category models
 * @since 0.1.0
 */
export interface StateStore {
  /** The value of a key; `undefined` or `null` for an unknown key and after its time. */
  readonly get: (key: string) => Answer<string | null | undefined>
  /** Makes a change in one step. `false`: the value was another one, and nothing has changed. */
  readonly swap: (change: StateChange) => Answer<boolean>
}
