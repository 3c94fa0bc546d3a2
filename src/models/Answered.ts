/**
 * What functions of an application say of a user, as Schemas: `profile` of a provider, and `authorize`.
 *
 * The functions may be written without types, and a user may be a record of a database whose members are accessors.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { UserId } from "./Id.ts"

/** Zero stands for "none" in too many systems. */
const WholeNumber = Schema.Int.check(Schema.makeFilter((id) => id !== 0))

/** The id of a user as text. Systems have whole numbers too. */
export const Id = Schema.Union([Schema.String, WholeNumber]).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (id: string | number) => String(id),
      encode: (id: string): string | number => id
    })
  )
)

const text = Schema.optional(Schema.NullOr(Schema.String))

/** The user that a `profile` function made. Without an `id` it is the one of the profile. Further members are kept. */
export const MappedUser = Schema.StructWithRest(
  Schema.Struct({ id: Schema.optionalKey(Id), name: text, email: text, image: text }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

/** What `authorize` must say of a user: the id, or that it has none. The other members are the application's, and not read. */
export const AuthorizedUser = Schema.Struct({
  id: Schema.optional(Schema.NullOr(Schema.Union([UserId, WholeNumber])))
})
