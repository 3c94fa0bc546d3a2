/**
 * The passkey of a user whose address is not proven yet.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

const text = Schema.optional(Schema.String)

/**
 * A passkey of a new user, which waits until the link that was sent for it is followed in this browser.
 *
 * @category models
 * @since 0.1.0
 */
export const WaitingPasskey = Schema.Struct({
  /** Id of the WebAuthn provider. */
  provider: Schema.String,
  /** The data of the new user beside the address. In the cookie there is `padding` beside them. */
  person: Schema.Struct({ name: text, image: text }),
  credential: Schema.Struct({
    credentialID: Schema.String,
    providerAccountId: Schema.String,
    credentialPublicKey: Schema.String,
    counter: Schema.Number,
    credentialDeviceType: Schema.String,
    credentialBackedUp: Schema.Boolean,
    transports: Schema.String
  })
})

/** @category models @since 0.1.0 */
export type WaitingPasskey = typeof WaitingPasskey.Type
