/**
 * Schemas of stored values, one for each shape. Rows of SQL tables and answers of Auth.js adapters are decoded by them.
 *
 * Stores write the same value in several ways: a date as an object, as text or as milliseconds, a number as text because it
 * may be large, a truth as 1, the id of a user as a number. A Schema accepts each of these and decodes it to one form.
 * Further members pass through.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { UserId } from "./Id.ts"
import type * as Shape from "./Shape.ts"

/** A whole number as text. */
export const whole = /^(?:0|-?[1-9]\d{0,18})$/

/** Date and time (ISO 8601, RFC 3339), with a blank for the T and without a zone as SQLite writes it, which means UTC. */
const moment = /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?(Z|[+-]\d\d(?::?\d\d)?)?$/
const zone = /^([+-]\d\d):?(\d\d)?$/

/** @internal */
export const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === "[object Date]"

const millisecondsOf = (value: unknown): number => {
  if (isDate(value) || typeof value === "number" || typeof value === "bigint") return Number(value)
  if (typeof value !== "string") return Number.NaN
  if (whole.test(value)) return Number(value)
  const parts = moment.exec(value)
  if (parts === null) return Number.NaN
  const [, day, time, offset = "Z"] = parts
  return Date.parse(
    `${day}T${time}${offset.replace(zone, (_, hours: string, minutes = "00") => `${hours}:${minutes}`)}`
  )
}

const ValidDate = Schema.Date.check(Schema.makeFilter((date) => !Number.isNaN(date.getTime())))

/** A date of a row; `undefined` for an invalid one. Hot paths read it without a Schema. */
export const momentOf = (value: unknown): Date | undefined => {
  if (value === undefined || value === null) return undefined
  const milliseconds = millisecondsOf(value)
  return Number.isNaN(new Date(milliseconds).getTime()) ? undefined : new Date(milliseconds)
}

/** A moment. In the SQL store a `timestamptz`; in SQLite milliseconds since 1970, or text of ISO 8601 of another program. */
export const Time = Schema.Unknown.pipe(
  Schema.decodeTo(
    ValidDate,
    SchemaTransformation.transform({
      decode: (value: unknown): Date => new Date(millisecondsOf(value)),
      encode: (date: Date): unknown => date
    })
  )
)

/** The id of a user, which some stores keep as a number. */
const Id = Schema.Union([Schema.NonEmptyString, Schema.Int, Schema.BigInt]).pipe(
  Schema.decodeTo(
    UserId,
    SchemaTransformation.transform({
      decode: (id: string | number | bigint) => String(id),
      encode: (id: string): string | number | bigint => id
    })
  )
)

const Integer = Schema.Union([Schema.Finite, Schema.BigInt, Schema.String.check(Schema.isPattern(whole))]).pipe(
  Schema.decodeTo(
    Schema.Finite,
    SchemaTransformation.transform({
      decode: (value: number | bigint | string) => Number(value),
      encode: (value: number): number | bigint | string => value
    })
  )
)

const Flag = Schema.Union([Schema.Boolean, Schema.Literals([0, 1, 0n, 1n, "0", "1"])]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({
      decode: (flag): boolean => Boolean(Number(flag)),
      encode: (flag: boolean): boolean | 0 | 1 | 0n | 1n | "0" | "1" => flag
    })
  )
)

/** A text or `null`. */
const Text = Schema.NullishOr(Schema.String).pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.String),
    SchemaTransformation.transform({
      decode: (text): string | null => text ?? null,
      encode: (text: string | null): string | null | undefined => text
    })
  )
)

/** A name. Stores that look at the form of values alone answer one that reads as a moment as a date. */
const Name = Schema.Union([Schema.NullishOr(Schema.String), Schema.Date]).pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.String),
    SchemaTransformation.transform({
      decode: (name): string | null =>
        isDate(name) ? (Number.isNaN(name.getTime()) ? null : name.toISOString()) : (name ?? null),
      encode: (name: string | null): string | null | undefined | Date => name
    })
  )
)

/** The address of a user; empty for one who has none. */
const Address = Schema.NullishOr(Schema.String).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (email): string => email ?? "",
      encode: (email: string): string | null | undefined => email
    })
  )
)

/** When an address was first proven. */
const Proof = Schema.Unknown.pipe(
  Schema.decodeTo(
    // The kind of value picks null at once; a date in front of it would fail first.
    Schema.Union([Schema.Null, ValidDate]),
    SchemaTransformation.transform({
      decode: (proof: unknown): Date | null =>
        proof === undefined || proof === null || proof === false ? null : new Date(millisecondsOf(proof)),
      encode: (proof: Date | null): unknown => proof
    })
  )
)

const isLowerCase = (text: string): text is Lowercase<string> => text === text.toLowerCase()

/** A type of tokens (RFC 6749 section 5.1), which other programs keep as the provider wrote it. */
const TokenType = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.pipe(Schema.refine(isLowerCase)),
    SchemaTransformation.transform({ decode: (type: string) => type.toLowerCase(), encode: (type: string) => type })
  )
)

const anyMember = Schema.Record(Schema.String, Schema.Unknown)

/** A user. @category schemas @since 0.1.0 */
export const AdapterUser = Schema.StructWithRest(
  Schema.Struct({ id: Id, email: Address, emailVerified: Proof, name: Name, image: Text }),
  [anyMember]
) satisfies Schema.ConstraintDecoder<Shape.AdapterUser>

/** An account; a token that it does not have is not there. @category schemas @since 0.1.0 */
export const AdapterAccount = Schema.StructWithRest(
  Schema.Struct({
    userId: Id,
    type: Schema.Literals(["oauth", "oidc", "email", "webauthn"]),
    provider: Schema.String,
    providerAccountId: Schema.String,
    access_token: Schema.optionalKey(Schema.String),
    refresh_token: Schema.optionalKey(Schema.String),
    id_token: Schema.optionalKey(Schema.String),
    token_type: Schema.optionalKey(TokenType),
    scope: Schema.optionalKey(Schema.String),
    expires_at: Schema.optionalKey(Integer),
    expires_in: Schema.optionalKey(Integer)
  }),
  // Columns that an application adds are its own affair.
  [Schema.Record(Schema.String, Schema.Any)]
) satisfies Schema.ConstraintDecoder<Shape.AdapterAccount>

/** A session. @category schemas @since 0.1.0 */
export const AdapterSession = Schema.StructWithRest(
  Schema.Struct({ sessionToken: Schema.String, userId: Id, expires: Time }),
  [anyMember]
) satisfies Schema.ConstraintDecoder<Shape.AdapterSession>

/** A link that was sent. @category schemas @since 0.1.0 */
export const VerificationToken = Schema.Struct({
  identifier: Schema.String,
  token: Schema.String,
  expires: Time
}) satisfies Schema.ConstraintDecoder<Shape.VerificationToken>

/** A credential. @category schemas @since 0.1.0 */
export const AdapterAuthenticator = Schema.StructWithRest(
  Schema.Struct({
    credentialID: Schema.String,
    userId: Id,
    providerAccountId: Schema.String,
    credentialPublicKey: Schema.String,
    counter: Integer,
    credentialDeviceType: Schema.String,
    credentialBackedUp: Flag,
    transports: Text
  }),
  [anyMember]
) satisfies Schema.ConstraintDecoder<Shape.AdapterAuthenticator>
