/**
 * What functions of an application require, read off their types.
 *
 * One type parameter for the requirements of several functions would have to be guessed from all of them at once, and the
 * compiler takes the first. Read off the functions themselves, none is lost.
 *
 * The types of `Auth.layer` stand on this one, so no tag may keep it, or the import below, out of the declarations.
 */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** What the Effects that a function answers require. A scope is given to each call. */
type NeedsOf<Function> = Function extends (...params: never) => infer Answer
  ? 0 extends 1 & Answer
    ? never
    : Answer extends Effect.Effect<unknown, unknown, infer R>
      ? Exclude<R, Scope.Scope>
      : never
  : never

/** What the Effects of all these functions require. */
export type Needs<Functions> = Functions extends object ? NeedsOf<Functions[keyof Functions]> : never
