/**
 * The claims that a session token must have, as a Schema: the rule that the decoder written by hand is compared with, claim for
 * claim, by a property test.
 */
import * as Schema from "effect/Schema"

/** Claims whose times are numbers (RFC 7519 section 4.1). Whether the token is valid now is another question. */
export const Claims = Schema.StructWithRest(
  Schema.Struct({ exp: Schema.Finite, iat: Schema.Finite, nbf: Schema.optionalKey(Schema.Finite) }),
  [Schema.Record(Schema.String, Schema.Unknown)]
).check(Schema.makeFilter((claims) => !Object.hasOwn(claims, "__proto__")))
