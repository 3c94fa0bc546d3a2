/**
 * Reading providers in tests: the provider, or the failure, of one input.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { normalise } from "../../src/Provider/internal/Normalise.ts"
import type { NormaliseContext } from "../../src/Provider/internal/Normalise.ts"
import {
  type Answer,
  isRedirectProvider,
  type Provider,
  type RedirectProvider
} from "../../src/Provider/internal/Provider.ts"

/** The provider that an input describes. */
export const providerOf = (input: unknown, context?: NormaliseContext): Provider =>
  Result.getOrThrow(normalise(input, context))

/** The facts of a provider with a redirect. */
export const redirectOf = (input: unknown, context?: NormaliseContext): RedirectProvider => {
  const provider = providerOf(input, context)
  if (!isRedirectProvider(provider)) throw new Error("not a redirect provider")
  return provider
}

/** Tag and detail of the failure that an input has. */
export const failureOf = (
  input: unknown,
  context?: NormaliseContext
): readonly [tag: string, detail: string] | undefined => {
  const result = normalise(input, context)
  return Result.isFailure(result) ? [result.failure._tag, result.failure.message] : undefined
}

/** The answer of a provider's function, as an Effect. */
export const answered = <A>(answer: Answer<A>): Effect.Effect<A, unknown> =>
  Effect.isEffect(answer) ? answer : Effect.promise(() => Promise.resolve(answer))
