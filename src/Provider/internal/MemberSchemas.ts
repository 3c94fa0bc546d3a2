/**
 * Schemas that the members of every kind of provider share.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/** A member that may be missing; plain JavaScript writes `null` too. */
export const maybe = <S extends Schema.Constraint>(schema: S) => Schema.optional(Schema.NullOr(schema))

/** A function of the application. Its parameters and answers cannot be seen from outside, so its declared type is believed. */
export const functionOf = <F>() =>
  maybe(Schema.declare((value): value is F => typeof value === "function", { expected: "a function" }))
