/**
 * The rules that shared state keeps, as programs that check it.
 *
 * Every law stands alone and uses keys of its own, so that it can be repeated on a store that holds other things. Times are
 * short and pass by `advance`: a test clock, or real waiting for a store that has a clock of its own.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as SecureRandom from "effect/crypto/SecureRandom"
import type { SharedStateError } from "../Errors.ts"
import type { LimitRule, SharedStateShape } from "../SharedState.ts"
import { claim, crowd, LawBroken, type Objection, oneAmong, race, same } from "./laws/Law.ts"

export type { LawBroken } from "./laws/Law.ts"

/**
 * The subject of the laws.
 *
 * @category models
 * @since 0.1.0
 */
export interface Subject {
  readonly state: SharedStateShape
  /**
   * The store as another process has it, such as a second `make` of it. Without it a race is one within a process, which
   * applies its changes of one key together.
   */
  readonly peer?: SharedStateShape | undefined
  /** Lets time pass. */
  readonly advance: (time: Duration.Input) => Effect.Effect<void>
  /** The state on a store that is down. Without it the laws about outages are skipped. */
  readonly down?: SharedStateShape | undefined
  /** How many keys are many; 20,001 without it. */
  readonly many?: number | undefined
}

/**
 * A law of shared state.
 *
 * @category models
 * @since 0.1.0
 */
export interface Law {
  readonly name: string
  /** The demand, in one sentence. */
  readonly demands: string
  /** Fails when the state does not keep it. */
  readonly check: (subject: Subject) => Effect.Effect<void, LawBroken>
}

/** A subject, and text that no other law uses. */
interface Draw extends Subject {
  readonly peer: SharedStateShape
  readonly many: number
  readonly key: string
}

/** The steps of a law. */
type Scene = Generator<Effect.Effect<unknown, Objection | SharedStateError>, void, never>

const law = (name: string, demands: string, scene: (draw: Draw) => Scene): Law => ({
  name,
  demands,
  check: ({ advance, down, many = 20_001, peer, state }) =>
    Effect.flatMap(SecureRandom.SecureRandom, ({ uuidV4 }) => uuidV4()).pipe(
      Effect.provide(SecureRandom.layerWebCrypto),
      Effect.flatMap((key) => Effect.gen(() => scene({ state, peer: peer ?? state, advance, down, many, key }))),
      Effect.catchCause((cause) => {
        const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
        const reason =
          failure === undefined ? "a call died" : failure._tag === "Objection" ? failure.reason : failure.message
        return Effect.fail(new LawBroken({ law: name, reason, cause: Cause.squash(cause) }))
      })
    )
})

const purpose = "laws"
const twice: LimitRule = { purpose, limit: 2, window: "4 seconds" }
/** Asks for attempts and objects unless each is allowed, or refused, in this order. */
const attempts = (
  state: SharedStateShape,
  rule: LimitRule,
  key: string,
  expected: ReadonlyArray<boolean>,
  what = "an attempt"
) =>
  Effect.forEach(
    expected,
    (isAllowed) =>
      Effect.flatMap(state.limit(rule, key), (allowance) => same(allowance.isAllowed, isAllowed, `${what}: allowed`)),
    { discard: true }
  )

const first = (state: SharedStateShape, key: string, isFirst: boolean, what: string) =>
  Effect.flatMap(state.once(purpose, key, "4 seconds"), (answer) => same(answer, isFirst, `${what}: first`))

/** A race in which every second caller is in another process. */
const raceOf = <A, E>({ peer, state }: Draw, call: (state: SharedStateShape) => Effect.Effect<A, E>) =>
  race((index) => call(index % 2 === 0 ? state : peer))

const allowedOf = (draw: Draw, rule: LimitRule, key: string) =>
  Effect.map(
    raceOf(draw, (state) => state.limit(rule, key)),
    (exits) => exits.filter((exit) => Exit.isSuccess(exit) && exit.value.isAllowed).length
  )

const many = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

const uses: ReadonlyArray<Law> = [
  law(
    "one of many is the first",
    "Of 64 callers of once at once one gets true, and the others false.",
    function* (draw) {
      const exits = yield* raceOf(draw, (state) => state.once(purpose, draw.key, "4 seconds"))
      yield* oneAmong(exits, (isFirst) => isFirst, "use one key")
    }
  ),
  law(
    "a key is used until its time is over",
    "Until the time of the first use is over once answers false, and true after that.",
    function* ({ advance, key, state }) {
      yield* first(state, key, true, "a new key")
      yield* advance("3 seconds")
      yield* first(state, key, false, "a key after three of four seconds")
      yield* advance("2 seconds")
      yield* first(state, key, true, "a key after five of four seconds")
    }
  ),
  law(
    "keys and purposes are apart",
    "A use, a count and a mark of one key or purpose say nothing about any other.",
    function* ({ key, state }) {
      const long = key + "x".repeat(5000)
      for (const other of [key, `${key} `, key.toUpperCase(), `${key}\u0000`, `${key}é`, long, `${long}y`]) {
        yield* first(state, other, true, "another key")
        yield* same(yield* state.isMarked(purpose, other), false, "the mark of another key")
        yield* state.mark(purpose, other, "4 seconds")
        yield* attempts(state, twice, other, [true, true, false], "another key")
      }
      yield* same(yield* state.once("laws-other", key, "4 seconds"), true, "another purpose: first")
      yield* same(yield* state.isMarked("laws-other", key), false, "the mark of another purpose")
      yield* attempts(state, { ...twice, purpose: "laws-other" }, key, [true], "another purpose")
    }
  ),
  law(
    "a mark holds until its time is over",
    "A mark is there until the latest time it was made for, and not after that.",
    function* ({ advance, key, state }) {
      yield* same(yield* state.isMarked(purpose, key), false, "the mark before it is made")
      yield* state.mark(purpose, key, "8 seconds")
      yield* state.mark(purpose, key, "2 seconds")
      yield* advance("5 seconds")
      yield* same(yield* state.isMarked(purpose, key), true, "the mark after five of eight seconds")
      yield* advance("4 seconds")
      yield* same(yield* state.isMarked(purpose, key), false, "the mark after nine of eight seconds")
    }
  )
]

/** Asks for a lease and objects unless there is one, or none. */
const checkLease = (state: SharedStateShape, key: string, isHeld: boolean, what: string) =>
  Effect.tap(state.lease(purpose, key, "4 seconds"), (lease) => same(Option.isSome(lease), isHeld, `${what}: held`))

const leases: ReadonlyArray<Law> = [
  law(
    "a lease has one holder",
    "Of 64 callers of lease at once one gets it and the others none; other keys and purposes are free.",
    function* (draw) {
      const { key, state } = draw
      const exits = yield* raceOf(draw, (state) => state.lease(purpose, key, "4 seconds"))
      yield* oneAmong(exits, Option.isSome, "ask for one lease")
      yield* checkLease(state, `${key} other`, true, "the lease of another key")
      const other = yield* state.lease("laws-other", key, "4 seconds")
      yield* same(Option.isSome(other), true, "the lease of another purpose: held")
    }
  ),
  law(
    "a lease ends when it is released or its time is over",
    "After that the next caller gets it, whose lease a late release of the earlier holder does not end.",
    function* ({ advance, key, state }) {
      const first = yield* checkLease(state, key, true, "a new lease")
      yield* advance("3 seconds")
      yield* checkLease(state, key, false, "a lease after three of four seconds")
      yield* advance("2 seconds")
      const second = yield* checkLease(state, key, true, "a lease after five of four seconds")
      if (Option.isSome(first)) yield* first.value.release
      yield* checkLease(state, key, false, "a lease after a late release")
      if (Option.isSome(second)) yield* second.value.release
      yield* checkLease(state, key, true, "a lease that was released")
    }
  )
]

const values: ReadonlyArray<Law> = [
  law(
    "a value lasts until its time is over",
    "The latest value of a key, of 20,000 characters too, is read until it is removed or its time is over.",
    function* ({ advance, key, state }) {
      const long = "A1-_".repeat(5000)
      yield* same(yield* state.get(purpose, key), undefined, "a new key")
      for (const value of ["first", long]) yield* state.set(purpose, key, value, "4 seconds")
      yield* same(yield* state.get(purpose, key), long, "the latest value")
      yield* same(yield* state.get("laws-other", key), undefined, "the key of another purpose")
      yield* advance("3 seconds")
      yield* same(yield* state.get(purpose, key), long, "the value after three of four seconds")
      yield* advance("2 seconds")
      yield* same(yield* state.get(purpose, key), undefined, "the value after five of four seconds")
      yield* state.set(purpose, key, "again", "4 seconds")
      yield* state.set(purpose, key, undefined, "4 seconds")
      yield* same(yield* state.get(purpose, key), undefined, "a value that was removed")
    }
  ),
  law(
    "a function makes a value of the former one",
    "Of 64 changes by a function at once none is lost, in two processes too.",
    function* (draw) {
      const { key, state } = draw
      const add = (before: string | undefined) => `${before ?? ""}1`
      const exits = yield* raceOf(draw, (one) => one.set(purpose, key, add, "30 seconds"))
      yield* same(exits.filter(Exit.isSuccess).length, exits.length, "the number of changes that succeed")
      yield* same((yield* state.get(purpose, key))?.length, exits.length, "the number of changes in the value")
    }
  )
]

const counts: ReadonlyArray<Law> = [
  law(
    "as many attempts as the limit are allowed",
    "Of 64 attempts at once as many as the limit are allowed, and the others wait for at most the window.",
    function* (draw) {
      const { key, state } = draw
      const five: LimitRule = { purpose, limit: 5, window: "4 seconds" }
      yield* same(yield* allowedOf(draw, five, key), 5, "the number of allowed attempts")
      const { retryAfter } = yield* state.limit(five, key)
      const wait = Duration.toMillis(retryAfter)
      yield* claim(wait > 0 && wait <= 4000, `an attempt is to wait ${wait} ms for a window of 4000`)
    }
  ),
  law(
    "a limit refills evenly",
    "After each part of the window one attempt more is allowed, up to the limit.",
    function* ({ advance, key, state }) {
      yield* attempts(state, twice, key, [true, true, false])
      yield* advance("2500 millis")
      yield* attempts(state, twice, key, [true, false], "an attempt after one part")
      yield* advance("5 seconds")
      yield* attempts(state, twice, key, [true, true, false], "a later attempt")
    }
  ),
  law(
    "a reserve is left to others",
    "Under a rule with a reserve that many attempts are refused, and a rule without it allows them.",
    function* ({ key, state }) {
      const leaving: LimitRule = { ...twice, reserve: 1 }
      yield* attempts(state, leaving, key, [true, false])
      yield* attempts(state, twice, key, [true, false], "an attempt of others")
    }
  ),
  law(
    "a refused attempt does not count",
    "Refused attempts do not extend the wait.",
    function* ({ advance, key, state }) {
      yield* attempts(state, twice, key, [true, true, false])
      yield* advance("1 second")
      yield* attempts(state, twice, key, [false, false], "an attempt too soon")
      yield* advance("1500 millis")
      yield* attempts(state, twice, key, [true], "an attempt after one part of the window")
    }
  ),
  law(
    "a rule that restarts counts refused attempts",
    "Under such a rule attempts come back only while none is made.",
    function* ({ advance, key, state }) {
      const restarting: LimitRule = { ...twice, restarts: true }
      yield* attempts(state, restarting, key, [true, true])
      for (const _ of many(3)) {
        yield* advance("1500 millis")
        yield* attempts(state, restarting, key, [false], "an attempt too soon")
      }
      yield* advance("2500 millis")
      yield* attempts(state, restarting, key, [true], "an attempt after a part of the window without one")
    }
  ),
  law(
    "an attempt that is undone does not count",
    "For every attempt that is undone another one is allowed, however many are undone at once.",
    function* (draw) {
      const { key, state } = draw
      const all: LimitRule = { purpose, limit: crowd, window: "1 minute" }
      for (const round of ["first", "second"]) {
        yield* same(yield* allowedOf(draw, all, key), crowd, `the number of allowed attempts in the ${round} round`)
        yield* raceOf(draw, (state) => state.undo(all, key))
      }
      yield* same(yield* allowedOf(draw, all, key), crowd, "the number of allowed attempts at the end")
      yield* state.undo(all, `${key} other`)
      yield* attempts(state, all, key, [false], "one attempt more")
    }
  ),
  law(
    "a count that is forgotten starts again",
    "After forget all attempts of the limit are allowed, for that key alone.",
    function* ({ key, state }) {
      for (const one of [key, `${key} other`]) yield* attempts(state, twice, one, [true, true, false])
      yield* state.forget(twice, key)
      yield* attempts(state, twice, key, [true, true, false], "a later attempt")
      yield* attempts(state, twice, `${key} other`, [false], "an attempt for another key")
    }
  )
]

const bounds: ReadonlyArray<Law> = [
  law(
    "other keys take nothing away",
    "However many other keys there are, a use, a mark and a count are there until their time is over.",
    function* (draw) {
      const { key, state } = draw
      const long: LimitRule = { purpose: "laws-many", limit: 1, window: "10 minutes" }
      yield* state.once("laws-many", key, "10 minutes")
      yield* state.mark("laws-many", key, "10 minutes")
      yield* attempts(state, long, key, [true])
      for (const index of many(draw.many)) {
        // A store that is full may refuse; it must not forget.
        yield* Effect.exit(state.once("laws-many", `${key} ${index}`, "10 minutes"))
        yield* Effect.exit(state.mark("laws-many", `${key} ${index}`, "10 minutes"))
        yield* state.limit(long, `${key} ${index}`)
      }
      const result = yield* Effect.result(state.once("laws-many", key, "10 minutes"))
      yield* claim(result._tag === "Failure" || !result.success, "a key that was used is new")
      yield* same(yield* state.isMarked("laws-many", key), true, "the mark")
      yield* attempts(state, long, key, [false], "an attempt past the limit")
    }
  ),
  law("what is over makes room", "When the time of all keys is over, new keys are accepted.", function* (draw) {
    const { advance, key, state } = draw
    for (const index of many(draw.many)) {
      yield* Effect.exit(state.once("laws-room", `${key} ${index}`, "4 seconds"))
    }
    yield* advance("5 seconds")
    yield* same(yield* state.once("laws-room", `${key} new`, "4 seconds"), true, "a new key: first")
  })
]

const outages: ReadonlyArray<Law> = [
  law(
    "a store that is down gives no lease",
    "While the store is down lease fails: there may be another holder.",
    function* ({ down, key }) {
      if (down === undefined) return
      const exit = yield* Effect.exit(down.lease(purpose, key, "4 seconds"))
      yield* claim(Exit.isFailure(exit), "lease answers while the store is down")
    }
  ),
  law(
    "a store that is down answers nothing",
    "While the store is down, once, mark and isMarked fail: nothing counts as first, and nothing as unmarked.",
    function* ({ down, key }) {
      if (down === undefined) return
      const calls: ReadonlyArray<readonly [string, Effect.Effect<unknown, SharedStateError>]> = [
        ["once", down.once(purpose, key, "4 seconds")],
        ["mark", down.mark(purpose, key, "4 seconds")],
        ["isMarked", down.isMarked(purpose, key)]
      ]
      for (const [name, call] of calls) {
        const result = yield* Effect.result(call)
        yield* claim(result._tag === "Failure", `${name} answers while the store is down`)
        if (result._tag === "Failure") yield* same(result.failure.reason, "unavailable", `the reason of ${name}`)
      }
    }
  ),
  law(
    "a process counts by itself while the store is down",
    "While the store is down, as many of 64 attempts as the limit are allowed, and what is undone or forgotten does not count.",
    function* (draw) {
      const { down, key } = draw
      if (down === undefined) return
      const count = yield* allowedOf({ ...draw, state: down, peer: down }, twice, key)
      yield* same(count, 2, "the number of allowed attempts")
      yield* down.undo(twice, key)
      yield* attempts(down, twice, key, [true, false], "an attempt after one undone")
      yield* down.forget(twice, key)
      yield* attempts(down, twice, key, [true, true, false], "a later attempt")
    }
  )
]

/**
 * Every law.
 *
 * @category laws
 * @since 0.1.0
 */
export const laws: ReadonlyArray<Law> = [...uses, ...leases, ...values, ...counts, ...bounds, ...outages]
