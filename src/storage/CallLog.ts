/**
 * Debug messages of the calls of an adapter: the method, its arguments and what it answered, without secrets.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { placeholder, view, viewOfId } from "../telemetry/DebugView.ts"
import { debug, DebugMessages, isDebugged, logDebug } from "../telemetry/Signals.ts"
import type { AdapterMethod } from "./AdapterShape.ts"
import { methodTable } from "./MethodTable.ts"

const argumentsOf = (method: AdapterMethod, args: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  args.map((arg, place) => (methodTable[method].takes[place] === "secret" ? placeholder : viewOfId(arg)))

/** The answer of a call: a row, or nothing. The id of a session in a list is made of its token. */
const resultOf = (method: AdapterMethod, answer: unknown): unknown => {
  if (method === "listSessions" && Array.isArray(answer)) return { rows: answer.length }
  if (Option.isOption(answer)) return view(Option.getOrNull(answer))
  return typeof answer === "number" ? answer : view(answer)
}

/**
 * A call, with a message before it and one behind it, where debug messages are written. A store that calls another one
 * has one pair for both.
 */
export const debuggedCall =
  (method: AdapterMethod, args: ReadonlyArray<unknown>) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) =>
      isDebugged(fiber.context)
        ? Effect.andThen(
            debug(`adapter_${method}`, () => ({ args: argumentsOf(method, args) })),
            logDebug<A>(`adapter_${method}_result`, (answer) => ({
              result: resultOf(method, answer)
            }))(Effect.provideService(call, DebugMessages, false))
          )
        : call
    )
