/**
 * What all processes of a site must agree on: what counts once, how often something was tried, and what was revoked.
 *
 * The default remembers in this process. A site of several processes gives `SharedState` a store that they share: two
 * operations, `get` and `swap`, which every database and key-value store with an atomic comparison has. All rules are written
 * here, once, on top of these two.
 *
 * A store never sees a secret: keys are SHA-256 digests, and values are times, counts and ids, or sealed. A digest hides what
 * cannot be guessed, such as a token; for what can be, such as an email address, the key is a keyed digest of it.
 *
 * Nothing that still counts is ever removed to make room. What a full store and a store that is down mean for each operation
 * stands with the operation.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isAuthError, SharedStateError } from "./Errors.ts"
import { type Answer, Application, fromAnswer } from "./internal/Answer.ts"
import * as AttemptCount from "./internal/AttemptCount.ts"
import * as Base64Url from "./crypto/Base64Url.ts"
import * as ChangeQueue from "./internal/ChangeQueue.ts"
import { sha256 } from "./crypto/Sha256.ts"
import type { StateChange, StateStore } from "./storage/PromiseState.ts"
import { logWithinLimit } from "./telemetry/LogLimit.ts"
import { countFullState, type StateOperation, stateOperations } from "./telemetry/Signals.ts"

export type { Answer } from "./internal/Answer.ts"
export type { StateChange, StateStore } from "./storage/PromiseState.ts"

/**
 * How many attempts are allowed.
 *
 * @category models
 * @since 0.1.0
 */
export interface LimitRule {
  /** A short word. Attempts of different purposes are counted apart. */
  readonly purpose: string
  /** Attempts that a budget holds when it is whole. */
  readonly limit: number
  /** The time in which a budget that was spent refills: evenly, one attempt after each `window / limit`. */
  readonly window: Duration.Input
  /** Attempts that are not allowed under this rule, and left to another rule with the same purpose. Default: 0. */
  readonly reserve?: number | undefined
  /** A refused attempt starts the window again: the budget refills only while no attempt is made. Default: `false`. */
  readonly restarts?: boolean | undefined
}

/**
 * Whether an attempt is allowed, and how long to wait when it is not.
 *
 * @category models
 * @since 0.1.0
 */
export interface Allowance {
  readonly isAllowed: boolean
  /** Zero for an attempt that is allowed. */
  readonly retryAfter: Duration.Duration
}

/**
 * The right to do something alone, until it is released or its time is over.
 *
 * @category models
 * @since 0.1.0
 */
export interface Lease {
  /** Ends the lease, unless its time is over and another holder has it. While the store is down it lasts until its end. */
  readonly release: Effect.Effect<void>
}

/**
 * What all processes agree on. `purpose` is a short word that keeps uses apart; a `key` may be any text.
 *
 * @category models
 * @since 0.1.0
 */
export interface SharedStateShape {
  /**
   * `true` for the first caller with a key, `false` for all others until the time is over. Fails when the store is full or
   * down: the caller cannot know then whether it is the first, so what should happen once must not happen.
   */
  readonly once: (purpose: string, key: string, ttl: Duration.Input) => Effect.Effect<boolean, SharedStateError>
  /**
   * Counts an attempt, unless there were too many. Keys that a full store has no room for are counted together, in 4096
   * groups for each purpose: an attempt may then wait for those of others, and none is ever free. While the store is down
   * this process counts by itself, and the log says so.
   */
  readonly limit: (rule: LimitRule, key: string) => Effect.Effect<Allowance>
  /** Takes an attempt back that was allowed and does not count. */
  readonly undo: (rule: LimitRule, key: string) => Effect.Effect<void>
  /** Removes what was counted for a key. While the store is down it stays, and the log says so. */
  readonly forget: (rule: LimitRule, key: string) => Effect.Effect<void>
  /** Marks a key until the time is over, such as a session that ended. A mark is never shortened. Fails as `once` does. */
  readonly mark: (purpose: string, key: string, ttl: Duration.Input) => Effect.Effect<void, SharedStateError>
  /** Is a key marked? Fails when the store is down. */
  readonly isMarked: (purpose: string, key: string) => Effect.Effect<boolean, SharedStateError>
  /** The value of a key; `undefined` for an unknown key and after its time. Fails when the store is down. */
  readonly get: (purpose: string, key: string) => Effect.Effect<string | undefined, SharedStateError>
  /**
   * Gives a key a value until the time is over, or none. A function makes it of the former value, in one step, and may run
   * again. A value that stays the same keeps its time. What is secret is sealed before. Fails as `once` does.
   */
  readonly set: (
    purpose: string,
    key: string,
    value: string | undefined | ((before: string | undefined) => string | undefined),
    ttl: Duration.Input
  ) => Effect.Effect<void, SharedStateError>
  /**
   * The lease of a key, for at most one holder at a time; none while another one has it. Fails as `once` does, because there
   * may then be another holder.
   */
  readonly lease: (
    purpose: string,
    key: string,
    ttl: Duration.Input
  ) => Effect.Effect<Option.Option<Lease>, SharedStateError>
}

/** A store with one kind of failure. */
interface Calls {
  readonly get: (key: string) => Effect.Effect<string | undefined, SharedStateError>
  readonly swap: (change: StateChange) => Effect.Effect<boolean, SharedStateError>
  /** Changes the value of a key by a step, which may run again when another change came first. */
  readonly update: Update
}

type Update = ChangeQueue.Update<SharedStateError>

/** Most keys that one purpose of counts has in memory. */
const mostCounts = 50_000

/**
 * Most uses and marks of one purpose in memory, some forty megabytes: what cannot be remembered is refused, so a client that
 * wants to fill it during the sixteen minutes of a sign-in has to complete 260 of them a second.
 */
const mostUses = 250_000

/**
 * Values that a write looks at, to remove those whose time is over: all of them in turn, faster than a purpose grows. One that
 * finds no room looks at more, unless the last turn showed that no time is over yet. Never all at once, so that a full memory costs
 * every request the same.
 */
const looks = 2
const looksWhenFull = 64

interface Kept {
  readonly value: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** The values of one purpose. */
interface Shelf {
  readonly capacity: number
  readonly values: Map<string, Kept>
  /** The values that were not looked at in this turn. */
  ahead: Iterator<readonly [key: string, value: Kept]>
  /** No value ends before, in milliseconds since 1970; and the same of the values that this turn has looked at. */
  earliestEnd: number
  earliestInTurn: number
  readonly full: SharedStateError
}

const makeShelf = (capacity: number): Shelf => {
  const values = new Map<string, Kept>()
  return {
    capacity,
    values,
    ahead: values.entries(),
    earliestEnd: Infinity,
    earliestInTurn: Infinity,
    // A full memory is what an attacker wants: the failure is made before.
    full: new SharedStateError({
      reason: "full",
      detail: `The memory of this process holds ${capacity} keys of one purpose, and all of them still count`
    })
  }
}

/** The operation that a key is of. */
const operationOf = (key: string): StateOperation =>
  stateOperations.find((operation) => key.startsWith(operation)) ?? "limit"

/** Removes values that ended, looking at a few of them. */
const sweep = (shelf: Shelf, now: number): void => {
  const isFull = shelf.values.size >= shelf.capacity
  if (isFull && now < shelf.earliestEnd) return
  for (let look = 0; look < (isFull ? looksWhenFull : looks); look++) {
    const next = shelf.ahead.next()
    if (next.done === true) {
      shelf.ahead = shelf.values.entries()
      shelf.earliestEnd = shelf.earliestInTurn
      shelf.earliestInTurn = Infinity
      return
    }
    const [key, { until }] = next.value
    if (until <= now) shelf.values.delete(key)
    else shelf.earliestInTurn = Math.min(shelf.earliestInTurn, until)
  }
}

/** The value of a key, unless its time is over. */
const read = (shelf: Shelf, key: string, now: number): string | undefined => {
  const entry = shelf.values.get(key)
  return entry === undefined || entry.until <= now ? undefined : entry.value
}

/** Writes a value, where the shelf has room for the key or holds it already. */
const write = (shelf: Shelf, key: string, value: string, until: number): boolean => {
  if (shelf.values.size >= shelf.capacity && !shelf.values.has(key)) return false
  shelf.values.set(key, { value, until })
  shelf.earliestEnd = Math.min(shelf.earliestEnd, until)
  shelf.earliestInTurn = Math.min(shelf.earliestInTurn, until)
  return true
}

/** A store in the memory of this process: every call is one step. Keys name their purpose before the first colon. */
const makeMemoryStore = (): Calls => {
  const shelves = new Map<string, Shelf>()
  const shelfOf = (key: string): Shelf => {
    const purpose = key.slice(0, key.indexOf(":"))
    const existing = shelves.get(purpose)
    if (existing !== undefined) return existing
    const isUse = purpose.startsWith("once.") || purpose.startsWith("mark.")
    const shelf = makeShelf(isUse ? mostUses : mostCounts)
    shelves.set(purpose, shelf)
    return shelf
  }
  const update: Update = (key, ttl, step) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const shelf = shelfOf(key)
      const before = read(shelf, key, now)
      const { after, answer } = step(before, now)
      if (after === before) return Effect.succeed(answer)
      if (after === undefined) {
        shelf.values.delete(key)
        return Effect.succeed(answer)
      }
      sweep(shelf, now)
      return write(shelf, key, after, now + ttl)
        ? Effect.succeed(answer)
        : Effect.andThen(countFullState(operationOf(key)), Effect.fail(shelf.full))
    })
  return {
    get: (key) => Effect.map(Clock.currentTimeMillis, (now) => read(shelfOf(key), key, now)),
    swap: ({ after, before, key, ttl }) =>
      update(key, ttl, (found) => (found === before ? { after, answer: true } : { after: found, answer: false })),
    update
  }
}

/** Seconds that a store has for one call. */
const longest = 3

const unavailable = (detail: string, cause?: unknown): SharedStateError =>
  new SharedStateError({ reason: "unavailable", detail, ...(cause === undefined ? {} : { cause }) })

const asFailure = (cause: unknown): SharedStateError =>
  isAuthError(cause) && cause._tag === "SharedStateError"
    ? cause
    : unavailable("The store of SharedState failed", cause)

/** One call of a store, with a deadline and one kind of failure. What is not such a value is one too. */
const called = <A, B extends A>(
  run: <Value>(call: Effect.Effect<Value, unknown>) => Effect.Effect<Value, unknown>,
  name: string,
  call: () => Answer<A>,
  isValue: (value: A) => value is B
): Effect.Effect<B, SharedStateError> =>
  Effect.flatMap(
    Effect.mapError(run(fromAnswer(`${name} of the store of SharedState`, call, undefined, longest)), asFailure),
    (value) =>
      isValue(value)
        ? Effect.succeed(value)
        : Effect.fail(unavailable(`${name} of the store of SharedState answered a value of the wrong type`))
  )

const isText = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || typeof value === "string"

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean"

/** Milliseconds for which a change is tried. Each time that it fails another process made one, and a limit allows few of them. */
const patience = 3000

/** Where attempts for a key are counted, and where they are when there is no room for the key. */
interface Places {
  readonly own: string
  readonly group: string
}

const hashKey = (purpose: string, key: string): string => sha256(`${purpose} ${key}`, "base64url")

const placesOf = ({ purpose }: LimitRule, key: string): Places => {
  const hash = hashKey(purpose, key)
  return { own: `limit.${purpose}:${hash}`, group: `group.${purpose}:${hash.slice(0, 2)}` }
}

const milliseconds = (time: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(time))

const ruleOf = ({ limit, reserve = 0, restarts = false, window }: LimitRule): AttemptCount.Rule => ({
  limit,
  window: milliseconds(window),
  reserve,
  restarts
})

/** Counts an attempt in one store: in the group of the key when there is no room for the key. */
const countBy = (update: Update, rule: LimitRule, key: string): Effect.Effect<Allowance, SharedStateError> => {
  const [attemptRule, { group, own }] = [ruleOf(rule), placesOf(rule, key)]
  const countIn = (place: string) =>
    update(place, attemptRule.window, (before, now) => AttemptCount.count(attemptRule, before, now))
  const wait = Effect.catch(countIn(own), (failure) =>
    failure.reason === "full"
      ? // Clients that name many accounts fill the memory: their attempts do not fill the log as well.
        Effect.andThen(logWithinLimit(failure._tag, Effect.logWarning(failure)), countIn(group))
      : Effect.fail(failure)
  )
  return Effect.map(wait, (milliseconds) => ({
    isAllowed: milliseconds === 0,
    retryAfter: Duration.millis(milliseconds)
  }))
}

/** Takes an attempt back, wherever a store counted it. Answers whether the store had counted one. */
const undoBy = (update: Update, rule: LimitRule, key: string): Effect.Effect<boolean, SharedStateError> => {
  const [attemptRule, { group, own }] = [ruleOf(rule), placesOf(rule, key)]
  const undoIn = (place: string) =>
    update(place, attemptRule.window, (before, now) => AttemptCount.takeBack(attemptRule, before, now))
  return Effect.flatMap(undoIn(own), (isUndone) => (isUndone ? Effect.succeed(true) : undoIn(group)))
}

/**
 * How long the attempts of this process are counted in its memory after the store failed, in milliseconds: a sign-in counts several,
 * and each would wait for a store that does not answer.
 */
const rest = 5000

/** State of a store. In `local` it counts while the store is down. */
const from = (calls: Calls, local = makeMemoryStore()): SharedStateShape => {
  const { get, swap, update } = calls
  const logged = <A>(call: Effect.Effect<A, SharedStateError>) =>
    Effect.tapError(call, (failure) => Effect.logError(failure))
  let restsUntil = 0
  /** Counts in the store; in this process where the store fails, or failed shortly before. */
  const count = <A>(by: (update: Update) => Effect.Effect<A, SharedStateError>): Effect.Effect<A> => {
    // The memory of this process fails for nothing: there are fewer groups than there is room for.
    const here = Effect.suspend(() => Effect.orDie(by(local.update)))
    const failed = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      restsUntil = now + rest
      return here
    })
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now < restsUntil ? here : Effect.catch(logged(by(update)), () => failed)
    )
  }
  return {
    once: (purpose, key, ttl) =>
      swap({ key: `once.${purpose}:${hashKey(purpose, key)}`, before: undefined, after: "1", ttl: milliseconds(ttl) }),
    limit: (rule, key) => count((update) => countBy(update, rule, key)),
    undo: (rule, key) =>
      Effect.flatMap(
        count((update) => undoBy(update, rule, key)),
        (isUndone) => (isUndone ? Effect.void : Effect.asVoid(Effect.orDie(undoBy(local.update, rule, key))))
      ),
    forget: (rule, key) => {
      const remove = (store: Calls) =>
        store.update(placesOf(rule, key).own, 0, () => ({ answer: undefined, after: undefined }))
      return Effect.andThen(Effect.orDie(remove(local)), Effect.ignore(logged(remove(calls))))
    },
    mark: (purpose, key, ttl) => {
      const lasts = milliseconds(ttl)
      return update(`mark.${purpose}:${hashKey(purpose, key)}`, lasts, (before, now) => ({
        answer: undefined,
        after: Number(before ?? 0) >= now + lasts ? before : String(now + lasts)
      }))
    },
    isMarked: (purpose, key) =>
      Effect.map(get(`mark.${purpose}:${hashKey(purpose, key)}`), (value) => value !== undefined),
    get: (purpose, key) => get(`value.${purpose}:${hashKey(purpose, key)}`),
    set: (purpose, key, value, ttl) =>
      update(`value.${purpose}:${hashKey(purpose, key)}`, milliseconds(ttl), (before) => ({
        answer: undefined,
        after: typeof value === "function" ? value(before) : value
      })),
    lease: leaseFrom(calls)
  }
}

/** Random bytes of the caller's `SecureRandom`, and of the runtime where the caller has no such service. */
const randomBytes = (size: number): Effect.Effect<Uint8Array> =>
  Effect.flatMap(
    Effect.serviceOption(SecureRandom.SecureRandom),
    Option.match({
      onNone: () => Effect.sync(() => SecureRandom.randomBytesUnsafe(size)),
      onSome: (random) => random.randomBytes(size)
    })
  )

/** Leases of one state. Each has a random holder, so that a late release does not end the lease of the next one. */
const leaseFrom =
  ({ swap }: Pick<Calls, "swap">): SharedStateShape["lease"] =>
  (purpose, key, ttl) =>
    Effect.flatMap(randomBytes(16), (bytes) => {
      const holder = Base64Url.encode(bytes)
      const name = `lease.${purpose}:${hashKey(purpose, key)}`
      const release = Effect.catch(swap({ key: name, before: holder, after: undefined, ttl: 0 }), (failure) =>
        Effect.logError(failure)
      )
      return Effect.map(swap({ key: name, before: undefined, after: holder, ttl: milliseconds(ttl) }), (isHeld) =>
        isHeld ? Option.some<Lease>({ release: Effect.asVoid(release) }) : Option.none()
      )
    })

/**
 * Makes shared state of a store. A call that takes longer than three seconds has failed.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (store: StateStore): SharedStateShape => makeBy(store, (call) => call)

/** Runs the Effects of a store of this copy of the library, whatever functions of the application may answer. */
const runHere = <A>(call: Effect.Effect<A, unknown>): Effect.Effect<A, unknown> =>
  Effect.provideService(call, Application, Effect.scoped)

/** As {@link make}, for the store of an adapter. @internal */
export const makeOfAdapter = (store: StateStore): SharedStateShape => makeBy(store, runHere)

const makeBy = (store: StateStore, run: Parameters<typeof called>[0]): SharedStateShape => {
  const calls = {
    get: (key: string) =>
      Effect.map(
        called(run, "get", () => store.get(key), isText),
        (value) => value ?? undefined
      ),
    swap: (change: StateChange) => called(run, "swap", () => store.swap(change), isBoolean)
  }
  const onTimeout = Effect.suspend(() => Effect.fail(unavailable("The value of a key changed all the time")))
  return from({ ...calls, update: ChangeQueue.make({ ...calls, timeout: patience, onTimeout }) })
}

/**
 * Makes state in the memory of this process: at most 50,000 counts and 250,000 uses or marks for each purpose. What counts
 * still is never removed; what does not is, while others are written.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemory = (): SharedStateShape => from(makeMemoryStore())

/**
 * The shared state of a site: by default the memory of this process. Keys are digests of random values or made with the
 * secret, so several configurations of a process may share it.
 *
 * @category references
 * @since 0.1.0
 */
export const SharedState: Context.Reference<SharedStateShape> = Context.Reference("effect-doorman/SharedState", {
  defaultValue: makeMemory
})

/**
 * Shared state on a store.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (store: StateStore): Layer.Layer<never> => Layer.sync(SharedState, () => make(store))

/**
 * Shared state in the memory of this process.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory: Layer.Layer<never> = Layer.sync(SharedState, makeMemory)
