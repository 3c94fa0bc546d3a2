/**
 * Decoders for rows of the tables: what the database answers becomes what the library talks of, or the call fails.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { VerificationToken } from "../Models.ts"
import * as Stored from "../models/Stored.ts"
import { keyDetailsOf } from "../storage/Details.ts"

type Row = Readonly<Record<string, unknown>>

/** A row of users, with the table's further columns. @category schemas @since 0.1.0 */
export const decodeUser = Schema.decodeUnknownEffect(Stored.AdapterUser)

const account = Schema.decodeUnknownEffect(Stored.AdapterAccount)
/** A row of accounts, before its tokens are opened; empty columns are left out. @category schemas @since 0.1.0 */
export const decodeAccount = (row: Row) =>
  account(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))

const session = Schema.decodeUnknownEffect(Stored.AdapterSession)
/** A row of sessions; the token is the one that the caller knows. @category schemas @since 0.1.0 */
export const decodeSession = (sessionToken: string) => (row: Row) => session({ ...row, sessionToken })

const StoredSession = Schema.Struct({ sessionToken: Schema.String })
/** The stored value for the token of a session. @category schemas @since 0.1.0 */
export const decodeStoredSession = Schema.decodeUnknownEffect(StoredSession)
/** A row of sessions for a list: what is stored for its token, and its end. @category schemas @since 0.1.0 */
export const decodeListedSession = Schema.decodeUnknownEffect(
  Schema.StructWithRest(Schema.Struct({ ...StoredSession.fields, expires: Stored.Time }), [
    Schema.Record(Schema.String, Schema.Unknown)
  ])
)

const authenticator = Schema.decodeUnknownEffect(Stored.AdapterAuthenticator)
/** A row of authenticators; details that are empty are left out. @category schemas @since 0.1.0 */
export const decodeAuthenticator = ({ createdAt, label, lastUsedAt, ...row }: Row) =>
  authenticator({ ...row, ...keyDetailsOf({ createdAt, label, lastUsedAt }) })

const verificationToken = Schema.decodeUnknownEffect(Stored.VerificationToken)
/** A row of verification tokens; the token is the one that the caller knows. @category schemas @since 0.1.0 */
export const decodeVerificationToken =
  (token: string) =>
  (row: Row): Effect.Effect<VerificationToken, Schema.SchemaError> =>
    verificationToken({ ...row, token })
