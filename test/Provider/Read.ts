/**
 * Reading providers in tests: the provider, or the failure, of one input.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { define } from "../../src/Provider/internal/Definition.ts"
import {
  examine,
  type ProviderContext,
  type ProviderProblem,
  type Surroundings
} from "../../src/Provider/internal/ReadProvider.ts"
import {
  type Answer,
  isRedirectProvider,
  type Provider,
  type RedirectProvider
} from "../../src/Provider/internal/Provider.ts"

const normalise = (input: unknown, context: ProviderContext = {}): Result.Result<Provider, ProviderProblem> =>
  Result.flatMap(define(input), (definition) => Result.mapError(examine(definition, context), ([problem]) => problem))

/** What is wrong with an input. */
export const problems = (input: unknown, position = 0, surroundings?: Surroundings): ReadonlyArray<ProviderProblem> =>
  Result.match(define(input, position), {
    onFailure: (failure): ReadonlyArray<ProviderProblem> => [failure],
    onSuccess: (definition) => Result.getOrElse(Result.flip(examine(definition, { surroundings })), () => [])
  })

/** The provider that an input describes. */
export const providerOf = (input: unknown, context?: ProviderContext): Provider =>
  Result.getOrThrow(normalise(input, context))

/** The facts of a provider with a redirect. */
export const redirectOf = (input: unknown, context?: ProviderContext): RedirectProvider => {
  const provider = providerOf(input, context)
  if (!isRedirectProvider(provider)) throw new Error("not a redirect provider")
  return provider
}

/** Tag and detail of the failure that an input has. */
export const failureOf = (
  input: unknown,
  context?: ProviderContext
): readonly [tag: string, detail: string] | undefined => {
  const result = normalise(input, context)
  return Result.isFailure(result) ? [result.failure._tag, result.failure.message] : undefined
}

/** The answer of a provider's function, as an Effect. */
export const answered = <A>(answer: Answer<A>): Effect.Effect<A, unknown> =>
  Effect.isEffect(answer) ? answer : Effect.promise(() => Promise.resolve(answer))
