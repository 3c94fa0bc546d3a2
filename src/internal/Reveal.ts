/**
 * Secrets of options as texts: plain ones as they are, redacted ones revealed.
 *
 * The function face takes texts and the layers take `Redacted`; what the compiled settings hold is redacted in both.
 */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { isList } from "./Merge.ts"

/**
 * The value inside a `Redacted`; anything else as it is. One that another copy of Effect made opens there alone: it stays,
 * and whatever reads the option refuses it by its name.
 */
export const reveal = <A>(value: A | Redacted.Redacted<A>): A =>
  Redacted.isRedacted(value)
    ? Result.getOrElse(
        Result.try(() => Redacted.value(value)),
        () => value as A
      )
    : value

/** Reveals each element of a list. */
export const revealAll = <A>(value: A | Redacted.Redacted<A> | ReadonlyArray<A | Redacted.Redacted<A>>): A | Array<A> =>
  isList(value) ? value.map((one) => reveal(one)) : reveal(value)
