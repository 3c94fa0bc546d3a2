/**
 * Random ids for users that no store has yet.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { UserId } from "./Id.ts"

/** A random id for a user. A store may replace it by an id of its own. */
export const newUserId: Effect.Effect<UserId, never, SecureRandom.SecureRandom> = Effect.contextWith(
  (context: Context.Context<SecureRandom.SecureRandom>) =>
    Effect.map(Context.get(context, SecureRandom.SecureRandom).uuidV4(), (id) => UserId.make(id))
)
