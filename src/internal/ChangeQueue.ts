/**
 * Changes values in a store that compares and writes in one step, and repeats a change when another process made one first.
 *
 * The changes of one key that wait in this process are applied together, by one call of `swap`. Applied one by one, each of
 * them fails as often as there are others: 64 changes of one key at once took 4,000 calls of the store, and now take four.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Step } from "./AttemptCount.ts"

/** Changes the value of a key by a step, which may run several times. The value is there for `ttl` milliseconds. */
export type Update<E> = <A>(
  key: string,
  ttl: number,
  step: (before: string | undefined, now: number) => Step<A>
) => Effect.Effect<A, E>

interface Store<E> {
  readonly get: (key: string) => Effect.Effect<string | undefined, E>
  /** Replaces the value if it is still `before`. */
  readonly swap: (change: {
    readonly key: string
    readonly before: string | undefined
    readonly after: string | undefined
    readonly ttl: number
  }) => Effect.Effect<boolean, E>
  /** Milliseconds for which a change is tried, and the failure after that. */
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

/** Applies every change of a queue. A failure or an interruption leaves them to the next one in the queue. */
const applyAll = Effect.fnUntraced(function* <E>(
  { get, onTimeout, swap, timeout }: Store<E>,
  key: string,
  { queue, startedAt }: { readonly queue: Queue; readonly startedAt: number }
) {
  for (;;) {
    // While the store hangs, only the first change waits for it: those that came with it fail without another call.
    if ((yield* Clock.currentTimeMillis) - startedAt >= timeout) return yield* onTimeout
    const before = yield* get(key)
    const changes = [...queue.changes].filter(({ isApplied }) => !isApplied)
    const { after, ttl } = runSteps(changes, before, yield* Clock.currentTimeMillis)
    if (after !== before && !(yield* swap({ key, before, after, ttl }))) continue
    for (const change of changes) change.isApplied = true
    return
  }
})

/** Changes of one store. */
export const make = <E>(store: Store<E>): Update<E> => {
  const queues = new Map<string, Queue>()
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
  return (key, ttl, step) =>
    Effect.suspend(() => {
      let latest: ReturnType<typeof step> | undefined
      const change: Change = { ttl, isApplied: false, run: (before, now) => (latest = step(before, now)).after }
      return Effect.acquireUseRelease(
        Effect.map(Clock.currentTimeMillis, (startedAt) => ({ queue: enter(key, change), startedAt })),
        (entry) =>
          entry.queue.turn.withPermit(
            Effect.suspend(() => (change.isApplied ? Effect.void : applyAll(store, key, entry)))
          ),
        ({ queue }) => Effect.sync(() => leave(key, queue, change))
      ).pipe(
        Effect.flatMap(() =>
          latest === undefined ? Effect.die("a change was applied without its step") : Effect.succeed(latest.answer)
        )
      )
    })
}
