/**
 * Changes values in a store that compares and writes in one step, and repeats a change when another process made one first.
 *
 * A change first takes for the value what this process wrote last, or none: where that is right, which the comparison decides, the store
 * is called once. Otherwise it is asked for the value.
 *
 * The changes of one key that wait in this process are applied together, by one call of `swap`. Applied one by one, each of
 * them fails as often as there are others: 64 changes of one key at once took 4,000 calls of the store, and now take two to four.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Semaphore from "effect/Semaphore"
import type { Step } from "./AttemptCount.ts"

/** Changes the value of a key by a step, which may run several times. The value is there for `ttl` milliseconds. */
export type Update<E> = <A>(
  key: string,
  ttl: number,
  step: (before: string | undefined, now: number) => Step<A>
) => Effect.Effect<A, E>

/** A change of one key, as part of one of several keys. The step answers whether it may be made. */
export interface KeyChange {
  readonly key: string
  readonly ttl: number
  readonly step: (before: string | undefined, now: number) => Step<boolean>
}

/**
 * Changes several keys together, each with the value that is expected of it. `false`: nothing has changed, because a key has another
 * value, waits for other changes, or a step refuses. Then the keys are changed one by one.
 */
export type UpdateTogether<E> = (changes: ReadonlyArray<KeyChange>) => Effect.Effect<boolean, E>

/** A change of one key. */
interface Swap {
  readonly key: string
  readonly before: string | undefined
  readonly after: string | undefined
  readonly ttl: number
}

interface Store<E> {
  readonly get: (key: string) => Effect.Effect<string | undefined, E>
  /** Replaces the value if it is still `before`. */
  readonly swap: (change: Swap) => Effect.Effect<boolean, E>
  /** Makes all of the changes or none. */
  readonly swapAll?: ((changes: ReadonlyArray<Swap>) => Effect.Effect<boolean, E>) | undefined
  /** May the value of this key be kept in memory, and a change be tried on it before the store is asked? */
  readonly isExpected: (key: string) => boolean
  /** Milliseconds for which a change is tried, and what it comes to after that. */
  readonly timeout: number
  readonly onTimeout: Effect.Effect<never, E>
}

interface Change {
  readonly ttl: number
  readonly run: (before: string | undefined, now: number) => string | undefined
  isApplied: boolean
}

/** The changes of one key, and the turn of the one that applies them all. */
interface Queue {
  readonly turn: Semaphore.Semaphore
  readonly changes: Set<Change>
}

/** Runs the steps in order. The last one that changes the value decides how long it is there. */
const runSteps = (changes: ReadonlyArray<Change>, before: string | undefined, now: number) => {
  let [after, ttl] = [before, 0]
  for (const change of changes) {
    const next = change.run(after, now)
    if (next !== after) [after, ttl] = [next, change.ttl]
  }
  return { after, ttl }
}

/** A value that a key has unless another process changed it. */
interface Expected {
  readonly before: string | undefined
}

/** What is expected of the keys of one store. */
interface Expectations {
  readonly of: (key: string, now: number) => Expected | undefined
  /** A change was written. */
  readonly written: (key: string, value: string | undefined, until: number) => void
  /** The key had another value than expected. */
  readonly missed: (key: string) => void
}

/** Keys whose values are remembered at most. */
const mostRemembered = 2000

/** Changes of a key that ask the store after one whose expectation was wrong: another process changes the key too. */
const asksAfterMiss = 8

const makeExpectations = (isExpected: (key: string) => boolean): Expectations => {
  const remembered = new Map<string, { value: string | undefined; until: number; asks: number }>()
  const remember = (key: string, value: string | undefined, until: number, asks: number): void => {
    remembered.delete(key)
    // Of a key without a value, and of one that was never seen, the same is expected.
    if (value === undefined && asks === 0) return
    remembered.set(key, { value, until, asks })
    const [oldest] = remembered.size > mostRemembered ? remembered.keys() : []
    if (oldest !== undefined) remembered.delete(oldest)
  }
  return {
    of: (key, now) => {
      const entry = remembered.get(key)
      if (!isExpected(key) || (entry !== undefined && entry.asks > 0)) return undefined
      return { before: entry === undefined || entry.until <= now ? undefined : entry.value }
    },
    written: (key, value, until) => {
      if (isExpected(key)) remember(key, value, until, Math.max(0, (remembered.get(key)?.asks ?? 0) - 1))
    },
    missed: (key) => remember(key, undefined, 0, asksAfterMiss)
  }
}

/** Applies every change of a queue. A failure or an interruption leaves them to the next one in the queue. */
const applyAll = Effect.fnUntraced(function* <E>(
  { get, onTimeout, swap, timeout }: Store<E>,
  expectations: Expectations,
  key: string,
  { queue, startedAt }: { readonly queue: Queue; readonly startedAt: number }
) {
  let expected = expectations.of(key, startedAt)
  for (;;) {
    // While the store hangs, only the first change waits for it: those that came with it fail without another call.
    if ((yield* Clock.currentTimeMillis) - startedAt >= timeout) return yield* onTimeout
    const before = expected === undefined ? yield* get(key) : expected.before
    const changes = [...queue.changes].filter(({ isApplied }) => !isApplied)
    const now = yield* Clock.currentTimeMillis
    const { after, ttl } = runSteps(changes, before, now)
    if (after === before) {
      if (expected === undefined) return markApplied(changes)
      // A change that writes nothing, such as an attempt that is refused, counts for the value that the store has.
      expected = undefined
    } else if (yield* swap({ key, before, after, ttl })) {
      expectations.written(key, after, now + ttl)
      return markApplied(changes)
    } else if (expected !== undefined) {
      expected = undefined
      expectations.missed(key)
    }
  }
})

const markApplied = (changes: ReadonlyArray<Change>): void => {
  for (const change of changes) change.isApplied = true
}

/** Changes of several keys. While they are made, others of these keys go one by one. */
const makeUpdateTogether = <E>(
  swapAll: NonNullable<Store<E>["swapAll"]>,
  expectations: Expectations,
  isWaiting: (key: string) => boolean
): UpdateTogether<E> => {
  const changing = new Set<string>()
  const swapsOf = (changes: ReadonlyArray<KeyChange>, now: number): ReadonlyArray<Swap> =>
    changes.flatMap(({ key, step, ttl }) => {
      const expected = changing.has(key) || isWaiting(key) ? undefined : expectations.of(key, now)
      const next = expected && step(expected.before, now)
      return expected && next?.answer === true ? [{ key, before: expected.before, after: next.after, ttl }] : []
    })
  return (changes) =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      const swaps = swapsOf(changes, now)
      if (swaps.length < changes.length) return Effect.succeed(false)
      for (const { key } of swaps) changing.add(key)
      return Effect.onExit(swapAll(swaps), (exit) => {
        for (const { after, key, ttl } of swaps) {
          changing.delete(key)
          if (Exit.isSuccess(exit) && exit.value) expectations.written(key, after, now + ttl)
        }
        return Effect.void
      })
    })
}

/** Changes of one store. Those of several keys are there where the store has them. */
export const make = <E>(
  store: Store<E>
): { readonly update: Update<E>; readonly updateTogether: UpdateTogether<E> | undefined } => {
  const queues = new Map<string, Queue>()
  const expectations = makeExpectations(store.isExpected)
  const enter = (key: string, change: Change): Queue => {
    const queue = queues.get(key) ?? { turn: Semaphore.makeUnsafe(1), changes: new Set() }
    queues.set(key, queue)
    queue.changes.add(change)
    return queue
  }
  const leave = (key: string, queue: Queue, change: Change): void => {
    queue.changes.delete(change)
    if (queue.changes.size === 0) queues.delete(key)
  }
  const update: Update<E> = (key, ttl, step) =>
    Effect.suspend(() => {
      let latest: ReturnType<typeof step> | undefined
      const change: Change = { ttl, isApplied: false, run: (before, now) => (latest = step(before, now)).after }
      const apply = (queue: Queue, startedAt: number) =>
        queue.turn.withPermit(
          Effect.suspend(() =>
            change.isApplied ? Effect.void : applyAll(store, expectations, key, { queue, startedAt })
          )
        )
      return Effect.acquireUseRelease(
        Effect.map(Clock.currentTimeMillis, (startedAt) => ({ queue: enter(key, change), startedAt })),
        ({ queue, startedAt }) => apply(queue, startedAt),
        ({ queue }) => Effect.sync(() => leave(key, queue, change))
      ).pipe(
        Effect.flatMap(() =>
          latest === undefined ? Effect.die("a change was applied without its step") : Effect.succeed(latest.answer)
        )
      )
    })
  const { swapAll } = store
  return { update, updateTogether: swapAll && makeUpdateTogether(swapAll, expectations, (key) => queues.has(key)) }
}
