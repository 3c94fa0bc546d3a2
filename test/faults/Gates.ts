/**
 * A scheduler whose order a test decides: every call of a racer to the store waits at a gate, and the gates are opened one
 * at a time, in the order of a seed.
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { settled } from "../Browser.ts"
import type { AdapterMethod, AdapterShape } from "../../src/storage/AdapterShape.ts"
import { allMethods } from "../../src/storage/MethodTable.ts"

/** The running person; calls without one do not wait. */
class Racer extends Context.Service<Racer, string>()("effect-doorman/test/Racer") {}

interface Waiting {
  readonly name: string
  readonly gate: Deferred.Deferred<void>
}

export interface Gates {
  /** The store behind the gates. */
  readonly store: AdapterShape
  /** Runs the programs against each other; `seed` decides the order. Answers their ends, and the order that it was. */
  readonly race: <A, E, R>(
    seed: number,
    racers: ReadonlyArray<Effect.Effect<A, E, R>>
  ) => Effect.Effect<{ readonly exits: ReadonlyArray<Exit.Exit<A, E>>; readonly order: string }, never, R>
}

/** Numbers that are the same for a seed and look like any others (a linear congruence, Knuth's constants). */
export const numbers = (seed: number): ((below: number) => number) => {
  let state = BigInt(seed) * 2862933555777941757n + 3037000493n
  return (below) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn
    return Number((state >> 33n) % BigInt(below))
  }
}

/** Turns of the event loop without anything new at the gates, after which everybody waits: here, or for one who does. */
const quiet = 3

export const makeGates = (real: AdapterShape, transactions: boolean): Gates => {
  const waiting: Array<Waiting> = []
  const atGate = <A, E, R>(method: string, call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const racer = Context.getOption(fiber.context, Racer)
      if (Option.isNone(racer)) return call
      const gate = Deferred.makeUnsafe<void>()
      waiting.push({ name: `${racer.value} ${method}`, gate })
      return Effect.andThen(Deferred.await(gate), call)
    })
  const gated = Object.fromEntries(
    [...allMethods]
      .filter((method): method is Exclude<AdapterMethod, "transaction"> => method !== "transaction")
      .map((method) => {
        const call = real[method] as (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, never>
        return [
          method,
          (...args: ReadonlyArray<unknown>) =>
            atGate(
              method,
              Effect.suspend(() => call(...args))
            )
        ]
      })
  ) as unknown as Omit<AdapterShape, "methods" | "transaction">
  const store: AdapterShape = {
    ...gated,
    methods: transactions ? allMethods : new Set([...allMethods].filter((method) => method !== "transaction")),
    transaction: (program) => (transactions ? atGate("begin", real.transaction(program)) : program)
  }
  return {
    store,
    race: Effect.fnUntraced(function* (seed, racers) {
      const choose = numbers(seed)
      const order: Array<string> = []
      const fibers = yield* Effect.forEach(racers, (racer, index) =>
        Effect.forkChild(Effect.provideService(racer, Racer, String.fromCharCode(97 + (index % 26))), {
          startImmediately: true
        })
      )
      while (fibers.some((fiber) => fiber.pollUnsafe() === undefined) || waiting.length > 0) {
        for (let turns = 0, before = -1; turns < quiet; turns++) {
          if (waiting.length !== before) turns = 0
          before = waiting.length
          // As many at the gates as there are racers left: nobody else can come.
          if (before >= fibers.filter((fiber) => fiber.pollUnsafe() === undefined).length && before > 0) break
          yield* settled
        }
        const [next] = waiting.length === 0 ? [] : waiting.splice(choose(waiting.length), 1)
        if (next === undefined) continue
        order.push(next.name)
        yield* Deferred.succeed(next.gate, undefined)
        yield* Effect.yieldNow
      }
      const exits = fibers.map((fiber) => fiber.pollUnsafe()).filter((exit) => exit !== undefined)
      return { exits, order: order.join(", ") }
    })
  }
}
