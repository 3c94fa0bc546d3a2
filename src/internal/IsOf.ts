/**
 * Guards of schemas.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/**
 * Is a value of the type of this schema? As `Schema.is`, whose function replaces itself at its first call. SWC 1.13 inlines that
 * replacement and loses it (vercel/next.js#82640), so production builds of Next.js 15.4 and 15.5 end in a TypeError.
 *
 * @internal
 */
export const isOf = <S extends Schema.Constraint>(schema: S): ((value: unknown) => value is S["Type"]) => {
  const read = Schema.decodeUnknownResult(Schema.toType(schema))
  return (value): value is S["Type"] => Result.isSuccess(read(value))
}
