/**
 * The data of a user in a store, without secrets: the shape of an export.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { SessionId, UserId } from "./Id.ts"

const text = Schema.optional(Schema.String)
const time = Schema.optional(Schema.Date)

/**
 * A user with their accounts, sessions and passkeys. Tokens of sessions and of providers are left out, and so are columns that the
 * application added. `Schema.toCodecJson(UserData)` writes it as JSON.
 *
 * @category models
 * @since 0.1.0
 */
export const UserData = Schema.Struct({
  user: Schema.Struct({
    id: UserId,
    name: Schema.NullOr(Schema.String),
    email: Schema.NullOr(Schema.String),
    emailVerified: Schema.NullOr(Schema.Date),
    image: Schema.NullOr(Schema.String)
  }),
  accounts: Schema.Array(
    Schema.Struct({ provider: Schema.String, providerAccountId: Schema.String, type: Schema.String, scope: text })
  ),
  sessions: Schema.Array(
    Schema.Struct({
      id: SessionId,
      expires: Schema.Date,
      createdAt: time,
      lastSeenAt: time,
      authenticatedAt: time,
      amr: text,
      acr: text,
      userAgent: text,
      clientAddress: text
    })
  ),
  passkeys: Schema.Array(
    Schema.Struct({
      credentialID: Schema.String,
      label: text,
      createdAt: time,
      lastUsedAt: time,
      deviceType: Schema.String,
      backedUp: Schema.Boolean,
      transports: Schema.NullOr(Schema.String)
    })
  )
})
/** @category models @since 0.1.0 */
export type UserData = typeof UserData.Type
