/**
 * Shared state with one fault each, of the kind that is easily made; each is found by the law that is named.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type LimitRule, make, makeMemory, type SharedStateShape, type StateStore } from "../../src/SharedState.ts"

interface Fault {
  /** The fault of the state. */
  readonly name: string
  /** The law that finds it. */
  readonly breaks: string
  readonly down?: () => SharedStateShape
}

/** A state with a fault, or a store with one that shows when two processes use it. */
export type BrokenState = Fault & ({ readonly state: () => SharedStateShape } | { readonly store: () => StateStore })

/** A correct store, as short as can be, with places for faults. */
const storeOf = (
  fault: {
    readonly atomic?: boolean
    readonly expires?: boolean
    readonly key?: (key: string) => string
    readonly capacity?: number
    readonly whenFull?: "evict" | "refuse"
    /** A failed change makes the value last as long as it would have. */
    readonly prolongs?: boolean
    /** Compares only whether there is a value. */
    readonly compares?: "presence"
  } = {}
): StateStore => {
  const { atomic = true, capacity = 100_000, expires = true, key: keyOf = (key: string) => key, whenFull } = fault
  const values = new Map<string, { value: string; until: number }>()
  const read = (key: string, now: number) => {
    const kept = values.get(keyOf(key))
    return kept === undefined || (expires && kept.until <= now) ? undefined : kept
  }
  return {
    get: (key) => Effect.map(Clock.currentTimeMillis, (now) => read(key, now)?.value),
    swap: Effect.fnUntraced(function* ({ after, before, key, ttl }) {
      const now = yield* Clock.currentTimeMillis
      const found = read(key, now)
      if (found !== undefined && fault.prolongs === true) found.until = now + ttl
      if (fault.compares === "presence" ? (found === undefined) !== (before === undefined) : found?.value !== before)
        return false
      if (!atomic) yield* Effect.yieldNow
      if (after === undefined) values.delete(keyOf(key))
      else {
        const [oldest] = values.size >= capacity ? values.keys() : []
        if (oldest !== undefined && whenFull === "evict") values.delete(oldest)
        if (oldest !== undefined && whenFull === "refuse") return yield* Effect.fail("full")
        values.set(keyOf(key), { value: after, until: now + ttl })
      }
      return true
    })
  }
}

/** Down: every call of the store fails. */
export const downStore: StateStore = {
  get: () => Effect.fail("the store is down"),
  swap: () => Effect.fail("the store is down")
}

const changed = (change: (state: SharedStateShape) => Partial<SharedStateShape>) => (): SharedStateShape => {
  const state = makeMemory()
  return { ...state, ...change(state) }
}

const down = (): SharedStateShape => make(downStore)

const allowed = { isAllowed: true, retryAfter: Duration.zero }

/** Limits of another kind, under the same name. */
const limited = (change: (rule: LimitRule) => LimitRule) =>
  changed((state) => ({ limit: (rule, key) => state.limit(change(rule), key) }))

export const correctStore = storeOf

export const brokenStates: ReadonlyArray<BrokenState> = [
  {
    name: "compares, and then writes",
    breaks: "one of many is the first",
    state: () => make(storeOf({ atomic: false }))
  },
  {
    name: "loses one of two counts that are made at once",
    breaks: "as many attempts as the limit are allowed",
    store: () => storeOf({ atomic: false })
  },
  {
    name: "loses one of two attempts that are undone at once",
    breaks: "an attempt that is undone does not count",
    store: () => storeOf({ atomic: false })
  },
  {
    name: "forgets nothing",
    breaks: "a key is used until its time is over",
    state: () => make(storeOf({ expires: false }))
  },
  {
    name: "begins the time of a key anew with each use",
    breaks: "a key is used until its time is over",
    state: () => make(storeOf({ prolongs: true }))
  },
  {
    name: "cuts keys off",
    breaks: "keys and purposes are apart",
    state: changed((state) => ({ once: (purpose, key, ttl) => state.once(purpose, key.slice(0, 64), ttl) }))
  },
  {
    name: "compares keys without regard to case",
    breaks: "keys and purposes are apart",
    state: changed((state) => ({ limit: (rule, key) => state.limit(rule, key.toLowerCase()) }))
  },
  {
    name: "does not tell purposes apart",
    breaks: "keys and purposes are apart",
    state: changed((state) => ({
      mark: (_, key, ttl) => state.mark("one", key, ttl),
      isMarked: (_, key) => state.isMarked("one", key)
    }))
  },
  {
    name: "drops what stands before the colon of a key",
    breaks: "keys and purposes are apart",
    state: () => make(storeOf({ key: (key) => key.slice(key.indexOf(":")) }))
  },
  {
    name: "marks for as long as was asked last",
    breaks: "a mark holds until its time is over",
    state: () => {
      const state = makeMemory()
      const ends = new Map<string, number>()
      return {
        ...state,
        mark: (_, key, ttl) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            ends.set(key, now + Duration.toMillis(Duration.fromInputUnsafe(ttl)))
          }),
        isMarked: (_, key) => Effect.map(Clock.currentTimeMillis, (now) => (ends.get(key) ?? 0) > now)
      }
    }
  },
  {
    name: "cuts values off",
    breaks: "a value lasts until its time is over",
    state: changed((state) => ({
      set: (purpose, key, value, ttl) =>
        state.set(purpose, key, typeof value === "function" ? value : value?.slice(0, 16_384), ttl)
    }))
  },
  {
    name: "removes no value",
    breaks: "a value lasts until its time is over",
    state: changed((state) => ({
      set: (purpose, key, value, ttl) => (value === undefined ? Effect.void : state.set(purpose, key, value, ttl))
    }))
  },
  {
    name: "reads and writes a value in two steps",
    breaks: "a function makes a value of the former one",
    state: changed((state) => ({
      set: (purpose, key, value, ttl) =>
        Effect.flatMap(state.get(purpose, key), (before) =>
          Effect.andThen(
            Effect.yieldNow,
            state.set(purpose, key, typeof value === "function" ? value(before) : value, ttl)
          )
        )
    }))
  },
  {
    name: "gives one lease to all who ask at once",
    breaks: "a lease has one holder",
    state: () => make(storeOf({ atomic: false }))
  },
  {
    name: "keeps a lease that is released",
    breaks: "a lease ends when it is released or its time is over",
    state: changed((state) => ({
      lease: (purpose, key, ttl) =>
        Effect.map(
          state.lease(purpose, key, ttl),
          Option.map(() => ({ release: Effect.void }))
        )
    }))
  },
  {
    name: "releases the lease of the next holder",
    breaks: "a lease ends when it is released or its time is over",
    state: () => make(storeOf({ compares: "presence" }))
  },
  {
    name: "holds a lease for ever",
    breaks: "a lease ends when it is released or its time is over",
    state: () => make(storeOf({ expires: false }))
  },
  {
    name: "gives leases while the store is down",
    breaks: "a store that is down gives no lease",
    state: makeMemory,
    down: () => ({ ...down(), lease: () => Effect.succeedSome({ release: Effect.void }) })
  },
  {
    name: "allows one attempt more than the limit",
    breaks: "as many attempts as the limit are allowed",
    state: limited((rule) => ({ ...rule, limit: rule.limit + 1 }))
  },
  {
    name: "counts by windows that begin at fixed times",
    breaks: "a limit refills evenly",
    state: changed((state) => ({
      limit: (rule, key) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const window = Duration.toMillis(Duration.fromInputUnsafe(rule.window))
          return state.limit({ ...rule, window: "1 hour" }, `${key} ${Math.floor(now / window)}`)
        })
    }))
  },
  {
    name: "counts refused attempts too",
    breaks: "a refused attempt does not count",
    state: () => {
      const state = makeMemory()
      const blocked = new Map<string, number>()
      return {
        ...state,
        limit: (rule, key) =>
          Effect.flatMap(state.limit(rule, key), (allowance) =>
            Effect.map(Clock.currentTimeMillis, (now) => {
              const window = Duration.toMillis(Duration.fromInputUnsafe(rule.window))
              const isBlocked = (blocked.get(key) ?? 0) > now
              if (!allowance.isAllowed) blocked.set(key, now + window)
              return isBlocked ? { isAllowed: false, retryAfter: Duration.millis(window) } : allowance
            })
          )
      }
    }
  },
  {
    name: "lets attempts count that are undone",
    breaks: "an attempt that is undone does not count",
    state: changed(() => ({ undo: () => Effect.void }))
  },
  {
    name: "takes back what was not counted",
    breaks: "an attempt that is undone does not count",
    state: changed((state) => ({ undo: (rule, key) => state.undo(rule, key.replace(" other", "")) }))
  },
  {
    name: "keeps what is to be forgotten",
    breaks: "a count that is forgotten starts again",
    state: changed(() => ({ forget: () => Effect.void }))
  },
  {
    name: "gives the reserve away",
    breaks: "a reserve is left to others",
    state: limited((rule) => ({ ...rule, reserve: 0 }))
  },
  {
    name: "refills while attempts are refused",
    breaks: "a rule that restarts counts refused attempts",
    state: limited((rule) => ({ ...rule, restarts: false }))
  },
  {
    name: "removes the oldest key for a new one",
    breaks: "other keys take nothing away",
    state: () => make(storeOf({ capacity: 2000, whenFull: "evict" }))
  },
  {
    name: "keeps the place of a key whose time is over",
    breaks: "what is over makes room",
    state: () => make(storeOf({ capacity: 2000, whenFull: "refuse" }))
  },
  {
    name: "says that a key is new when the store is down",
    breaks: "a store that is down answers nothing",
    state: makeMemory,
    down: () => ({ ...down(), once: () => Effect.succeed(true) })
  },
  {
    name: "says that nothing is marked when the store is down",
    breaks: "a store that is down answers nothing",
    state: makeMemory,
    down: () => ({ ...down(), isMarked: () => Effect.succeed(false) })
  },
  {
    name: "allows every attempt when the store is down",
    breaks: "a process counts by itself while the store is down",
    state: makeMemory,
    down: () => ({ ...down(), limit: () => Effect.succeed(allowed) })
  },
  {
    name: "refuses every attempt when the store is down",
    breaks: "a process counts by itself while the store is down",
    state: makeMemory,
    down: () => ({ ...down(), limit: () => Effect.succeed({ isAllowed: false, retryAfter: Duration.seconds(1) }) })
  }
]
