/**
 * The claims that a session token must have, as a Schema.
 *
 * It is the rule that `crypto/Claims.ts` is compared with, claim for claim, by a property test. Requests do not use it:
 * docs/decisions/decoders-by-hand.md has the figures.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/** Claims whose times are numbers (RFC 7519 section 4.1). Whether the token is valid now is another question. */
export const Claims = Schema.StructWithRest(
  Schema.Struct({ exp: Schema.Finite, iat: Schema.Finite, nbf: Schema.optionalKey(Schema.Finite) }),
  [Schema.Record(Schema.String, Schema.Unknown)]
).check(Schema.makeFilter((claims) => !Object.hasOwn(claims, "__proto__")))
