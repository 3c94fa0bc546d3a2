/**
 * Random ids for users that no store has yet.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { UserId } from "./Id.ts"

/** A random id for a user. A store may replace it by an id of its own. */
export const newUserId: Effect.Effect<UserId, never, SecureRandom.SecureRandom> = Effect.map(
  Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV4()),
  (id) => UserId.make(id)
)
