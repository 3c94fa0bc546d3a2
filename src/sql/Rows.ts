/**
 * Rows of the tables, as Schemas: what the database answers becomes what the library talks of, or the call fails.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser, VerificationToken } from "../Models.ts"

const Id = Schema.Union([Schema.String, Schema.Number, Schema.BigInt]).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (id: string | number | bigint) => String(id),
      encode: (id: string): string | number | bigint => id
    })
  )
)

/** A `timestamptz`; in SQLite milliseconds since 1970, or what another program wrote there as text of ISO 8601. */
const Time = Schema.Union([Schema.Date, Schema.Number, Schema.String]).pipe(
  Schema.decodeTo(
    Schema.Date.check(Schema.makeFilter((date) => !Number.isNaN(date.getTime()))),
    SchemaTransformation.transform({
      decode: (value): Date => (value instanceof Date ? value : new Date(value)),
      encode: (date: Date): Date | number | string => date
    })
  )
)

const Integer = Schema.Union([Schema.Number, Schema.BigInt, Schema.FiniteFromString]).pipe(
  Schema.decodeTo(
    Schema.Number,
    SchemaTransformation.transform({
      decode: (value: number | bigint) => Number(value),
      encode: (value: number): number | bigint => value
    })
  )
)

const Flag = Schema.Union([Schema.Boolean, Schema.Number, Schema.BigInt]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({
      decode: (flag: boolean | number | bigint) => Boolean(flag),
      encode: (flag: boolean): boolean | number | bigint => flag
    })
  )
)

const text = Schema.NullOr(Schema.String)
const anyMember = Schema.Record(Schema.String, Schema.Unknown)

const UserRow = Schema.StructWithRest(
  Schema.Struct({ id: Id, name: text, email: text, emailVerified: Schema.NullOr(Time), image: text }),
  [anyMember]
)

const AccountRow = Schema.Struct({
  userId: Id,
  type: Schema.Literals(["oauth", "oidc", "email", "webauthn"]),
  provider: Schema.String,
  providerAccountId: Schema.String,
  refresh_token: text,
  access_token: text,
  expires_at: Schema.NullOr(Integer),
  id_token: text,
  scope: text,
  session_state: text,
  token_type: text
})

const SessionRow = Schema.Struct({ userId: Id, expires: Time })

const ListedSession = Schema.Struct({ sessionToken: Schema.String, expires: Time })
const StoredSession = Schema.Struct({ sessionToken: Schema.String })

const AuthenticatorRow = Schema.Struct({
  credentialID: Schema.String,
  userId: Id,
  providerAccountId: Schema.String,
  credentialPublicKey: Schema.String,
  counter: Integer,
  credentialDeviceType: Schema.String,
  credentialBackedUp: Flag,
  transports: text
})

const TokenRow = Schema.Struct({ identifier: Schema.String, expires: Time })

/** A row of users, with the table's further columns. @category schemas @since 0.1.0 */
export const decodeUser = Schema.decodeUnknownEffect(UserRow)
/** A row of accounts. @category schemas @since 0.1.0 */
export const decodeAccount = Schema.decodeUnknownEffect(AccountRow)
/** A row of sessions. @category schemas @since 0.1.0 */
export const decodeSession = Schema.decodeUnknownEffect(SessionRow)
/** A row of sessions for a list: what is stored for its token, and its end. @category schemas @since 0.1.0 */
export const decodeListedSession = Schema.decodeUnknownEffect(ListedSession)
/** What is stored for the token of a session. @category schemas @since 0.1.0 */
export const decodeStoredSession = Schema.decodeUnknownEffect(StoredSession)
/** A row of authenticators. @category schemas @since 0.1.0 */
export const decodeAuthenticator = Schema.decodeUnknownEffect(AuthenticatorRow)
/** A row of verification tokens. @category schemas @since 0.1.0 */
export const decodeToken = Schema.decodeUnknownEffect(TokenRow)

/** An account before its tokens are opened. @category models @since 0.1.0 */
export type AccountRow = typeof AccountRow.Type

/** A user; without an address it is empty. @category constructors @since 0.1.0 */
export const asUser = (row: typeof UserRow.Type): AdapterUser => ({ ...row, email: row.email ?? "" })

/** A session; the token is the one that the caller knows. @category constructors @since 0.1.0 */
export const asSession = (sessionToken: string, { expires, userId }: typeof SessionRow.Type): AdapterSession => ({
  sessionToken,
  userId,
  expires
})

/** A verification token; the token is the one that the caller knows. @category constructors @since 0.1.0 */
export const asToken = (token: string, { expires, identifier }: typeof TokenRow.Type): VerificationToken => ({
  identifier,
  token,
  expires
})

/** An authenticator. @category constructors @since 0.1.0 */
export const asAuthenticator = (row: typeof AuthenticatorRow.Type): AdapterAuthenticator => ({ ...row })

/** An account without the members that are empty. @category constructors @since 0.1.0 */
export const asAccount = (row: AccountRow): AdapterAccount => {
  const { expires_at, provider, providerAccountId, token_type, type, userId, ...texts } = row
  const filled = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== null))
  const lower = token_type?.toLowerCase() // Other programs keep it as the provider wrote it.
  return {
    userId,
    type,
    provider,
    providerAccountId,
    ...filled,
    ...(expires_at === null ? {} : { expires_at }),
    ...(isLowerCase(lower) ? { token_type: lower } : {})
  }
}

const isLowerCase = (value: string | undefined): value is Lowercase<string> =>
  value !== undefined && value === value.toLowerCase()
