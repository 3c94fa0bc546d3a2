/**
 * Lets one call of a flow go wrong: the k-th of all calls to the store, the provider and the mailer, in one of ten ways.
 *
 * A flow is played once without a fault, which tells the names of its calls; then once for every call and every way. Time
 * is the test's: whoever waits for a call that never answers says for how long the clock has to be moved on.
 */
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { settled } from "../Browser.ts"

/** The ways in which a call goes wrong. */
export const faults = [
  /** Nothing is done, and the call says so. */
  "fail",
  /** Nothing is done, and the call dies of it. */
  "defect",
  /** Nothing is done, and the call never answers. */
  "hang",
  /** Done, but the call says that it failed. */
  "done, fails",
  /** Done, but the call never answers. */
  "done, hangs",
  /** Done after five seconds. */
  "slow",
  /** A row that is there is not found, or is gone when it is to be changed. */
  "nothing",
  /** Somebody else was faster: the row of another request is there. */
  "rival",
  /** From this call on, the part fails for a second. */
  "gap",
  /** From this call on, the part fails until the person comes back. */
  "down"
] as const

export type Fault = (typeof faults)[number]

/** How a call plays the faults that have to do with what it is; a way that is absent does not fit it. */
export interface Ways<A, E> {
  readonly part: "store" | "provider" | "mailer"
  readonly failure: Effect.Effect<never, E>
  /** The defect. */
  readonly defect: () => unknown
  readonly nothing?: Effect.Effect<A, E>
  readonly rival?: Effect.Effect<A, E>
  /** Seconds after which nobody waits for this call any more. */
  readonly patience: number
  /** There is nothing to do in it: what is done and what is not is the same. */
  readonly empty?: boolean
}

export interface Injector {
  /** The names of the calls since the injector was armed. */
  readonly calls: Array<string>
  /** The faults that fit each of them. */
  readonly fitting: Array<ReadonlySet<Fault>>
  /** Starts counting, with a fault at one call or none. */
  readonly arm: (plan?: { readonly at: number; readonly fault: Fault }) => void
  readonly disarm: () => void
  /** Is called before (`done: false`) and after every counted call, in place of a fault. */
  watch: ((at: number, done: boolean) => Effect.Effect<void>) | undefined
  /** The defect of calls, in place of their own. */
  strange: (() => unknown) | undefined
  /** Seconds for which the clock has to be moved on. */
  wait: number
  readonly around: <A, E, R>(name: string, ways: Ways<A, E>, real: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** As `around`, for the end of a transaction: whatever goes wrong before it is done takes the program back. */
  readonly aroundEnd: <A, E, E2, R>(
    name: string,
    ways: Ways<never, E2>,
    program: Effect.Effect<A, E, R>,
    transaction: <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E | E2, R>
  ) => Effect.Effect<A, E | E2, R>
}

export const makeInjector = (clock: () => number): Injector => {
  const calls: Array<string> = []
  const fitting: Array<ReadonlySet<Fault>> = []
  let plan: { readonly at: number; readonly fault: Fault } | undefined
  /** The part that is away, and until when. */
  let down: { readonly part: string; readonly until: number } | undefined
  let armed = false

  const hang = (seconds: number): Effect.Effect<never> =>
    Effect.suspend(() => {
      self.wait = seconds
      return Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (self.wait = 0)))
    })

  const self: Injector = {
    calls,
    fitting,
    wait: 0,
    strange: undefined,
    watch: undefined,
    arm: (next) => {
      calls.length = 0
      fitting.length = 0
      plan = next
      down = undefined
      armed = true
    },
    disarm: () => {
      armed = false
      down = undefined
    },
    aroundEnd: <A, E, E2, R>(
      name: string,
      ways: Ways<never, E2>,
      program: Effect.Effect<A, E, R>,
      transaction: <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E | E2, R>
    ): Effect.Effect<A, E | E2, R> =>
      Effect.suspend(() => {
        // The call is counted when the program has come to its end; what happens after the commit waits for it.
        const after: { run: Effect.Effect<void, E2> } = { run: Effect.void }
        const end = Effect.suspend((): Effect.Effect<void, E2> => {
          const isLater = plan?.at === calls.length && plan.fault.startsWith("done")
          if (!isLater) return self.around<void, E2, never>(name, ways, Effect.void)
          after.run = Effect.suspend(() => self.around<void, E2, never>(name, ways, Effect.void))
          return Effect.void
        })
        return Effect.tap(transaction(Effect.tap(program, () => (armed ? end : Effect.void))), () =>
          Effect.suspend(() => after.run)
        )
      }),
    around: (name, ways, real) =>
      Effect.suspend(() => {
        if (!armed) return real
        const at = calls.push(name) - 1
        fitting.push(
          new Set(
            faults.filter(
              (fault) =>
                (fault !== "nothing" || ways.nothing !== undefined) &&
                (fault !== "rival" || ways.rival !== undefined) &&
                (ways.empty !== true || !fault.startsWith("done"))
            )
          )
        )
        if (self.watch !== undefined) {
          const { watch } = self
          return Effect.andThen(
            watch(at, false),
            Effect.tap(real, () => watch(at, true))
          )
        }
        if (down?.part === ways.part && down.until > clock()) return ways.failure
        if (plan?.at !== at) return real
        switch (plan.fault) {
          case "fail":
            return ways.failure
          case "gap":
            down = { part: ways.part, until: clock() + 1000 }
            self.wait = 5
            return ways.failure
          case "down":
            down = { part: ways.part, until: Number.POSITIVE_INFINITY }
            self.wait = 5
            return ways.failure
          case "defect":
            return Effect.suspend(() => Effect.die((self.strange ?? ways.defect)()))
          case "hang":
            return hang(ways.patience)
          case "done, fails":
            return Effect.andThen(real, ways.failure)
          case "done, hangs":
            return Effect.andThen(real, hang(ways.patience))
          case "slow":
            return Effect.suspend(() => {
              self.wait = 5
              return Effect.andThen(Effect.sleep("5 seconds"), real)
            })
          case "nothing":
            return ways.nothing ?? real
          case "rival":
            return ways.rival ?? real
        }
      })
  }
  return self
}

/** Runs a program to its end and moves the clock on as long as a fault wants it. */
export const driven = <A, E, R>(injector: Injector, program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(program, { startImmediately: true })
    while (fiber.pollUnsafe() === undefined) {
      yield* settled
      if (injector.wait > 0 && fiber.pollUnsafe() === undefined) {
        const step = Math.min(injector.wait, 7)
        injector.wait -= step
        yield* TestClock.adjust(step * 1000)
      }
    }
    const exit = fiber.pollUnsafe()
    return yield* exit ?? Effect.never
  })
