/**
 * The predicates behind the rows of `docs/compatibility.md`: one per row, by id. A predicate says exactly which
 * differences its row explains; a difference no predicate explains fails the differential tests.
 */
import type { Difference } from "./Compare.ts"

/** A row's predicate. */
export interface Deviation {
  readonly id: string
  readonly covers: (difference: Difference) => boolean
}

/** Every deviation, in the order of the document. */
export const deviations: ReadonlyArray<Deviation> = []
