/**
 * Objects that hold secrets as plain text, for functions of the application that expect them so. A log, `JSON.stringify` and
 * `util.inspect` show no secret of such an object.
 *
 * @since 0.1.0
 */
import { NodeInspectSymbol } from "effect/Inspectable"
import { symbolRedactable } from "effect/Redactable"

/** A copy with the same members that shows none of them. A copy of the copy shows them again: it is the application's. */
export const unseen = <A extends object>(value: A): A => {
  const copy = { ...value }
  for (const name of ["toJSON", NodeInspectSymbol, symbolRedactable]) {
    Object.defineProperty(copy, name, { value: () => "<unseen>", configurable: true })
  }
  return copy
}
