/**
 * Sends mail after the answer, where the platform keeps a process alive for a promise (`waitUntil`).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { WaitUntil } from "../config/Options.ts"
import { InvalidConfiguration } from "../Errors.ts"
import { fromAnswer } from "../internal/Answer.ts"
import { report } from "../telemetry/Report.ts"

/**
 * Starts a program and gives its promise to `waitUntil`. Where `waitUntil` throws, the program is awaited: a process that
 * ends with the answer would send nothing.
 *
 * @category combinators
 * @since 0.1.0
 */
export const handOver = Effect.fnUntraced(function* <R>(
  waitUntil: WaitUntil,
  program: Effect.Effect<void, never, R>
): Effect.fn.Return<void, never, R> {
  const sending = Effect.runPromiseWith(yield* Effect.context<R>())(program)
  const handOver = Effect.try({ try: () => waitUntil(sending), catch: toMisuse })
  return yield* Effect.matchEffect(handOver, {
    onFailure: (cause) =>
      Effect.andThen(
        report(toMisuse(cause)),
        Effect.promise(() => sending)
      ),
    // The request does not wait for an asynchronous function; a rejection that nothing handles would end the process.
    onSuccess: (answer) =>
      Effect.asVoid(
        Effect.forkDetach(
          Effect.catch(
            fromAnswer("waitUntil", () => answer),
            (cause) => report(toMisuse(cause))
          ),
          { startImmediately: true }
        )
      )
  })
})

const toMisuse = (cause: unknown): InvalidConfiguration =>
  new InvalidConfiguration({
    field: "waitUntil",
    detail: "waitUntil failed for the promise of a mail",
    fix: "Give a function that takes any promise, such as (promise) => context.waitUntil(promise).",
    cause
  })
