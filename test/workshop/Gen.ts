/**
 * `it.gen`: a test whose body is a generator, as that of `Effect.gen`. What provides its services stands before the body.
 *
 * ```ts
 * it.gen("reads the clock", function* () { … })
 * it.gen("signs in", at(config()), function* () { … })
 * it.gen("mails a link", mailed(), function* (scene) { … })
 * it.gen("creates a user", inStore(engine), function* (store) { … })
 * ```
 */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"

type Step<R> = Effect.Effect<unknown, unknown, R>
type Failure<S> = S extends Effect.Effect<infer _A, infer E, infer _R> ? E : never
type Services<S> = S extends Effect.Effect<infer _A, infer _E, infer R> ? R : never

/** What a body does. It returns nothing: an effect that it returned instead of yielding it would not run. */
type Steps<S> = Generator<S, void, never>

/** Provides what the steps of a body need. */
type Provide<S> = (program: Effect.Effect<void, Failure<S>, Services<S>>) => Step<Scope>

interface Gen {
  <S extends Step<Scope>>(title: string, body: () => Steps<S>): void
  <S extends Step<unknown>>(title: string, provide: Provide<S>, body: () => Steps<S>): void
}

/** The body is given the scene, which provides what it needs. */
type Play = <Given, R>(
  title: string,
  scene: Given & { readonly at: (program: Step<R>) => Step<Scope> },
  body: (scene: Given) => Steps<Step<R>>
) => void

/** The body is given what the place makes, and runs there. */
type Use = <R, Given>(
  title: string,
  place: { readonly use: (body: (given: Given) => Step<R>) => Step<Scope> },
  body: (given: Given) => Steps<Step<R>>
) => void

declare module "@effect/vitest" {
  // oxlint-disable-next-line typescript/no-namespace -- The methods of `it` are declared in one.
  namespace Vitest {
    interface Methods {
      readonly gen: Gen
      readonly play: Play
      readonly use: Use
    }
  }
}

type Body = (given: unknown) => Steps<Step<never>>
type Provider = (program: Step<never>) => Step<Scope>

Object.assign(it, {
  gen: (title: string, ...given: readonly [body: Body] | readonly [provide: Provider, body: Body]) => {
    const [provide, body] = given.length === 1 ? [undefined, given[0]] : given
    it.effect(title, () => {
      const program = Effect.gen(() => body(undefined))
      return provide === undefined ? program : provide(program)
    })
  },
  play: (title: string, scene: { readonly at: Provider }, body: Body) =>
    it.effect(title, () => scene.at(Effect.gen(() => body(scene)))),
  use: (title: string, place: { readonly use: (body: (given: unknown) => Step<never>) => Step<Scope> }, body: Body) =>
    it.effect(title, () => place.use((given) => Effect.gen(() => body(given))))
})
