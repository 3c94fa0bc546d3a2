/**
 * The signed-in user in the store, for actions that link or switch accounts.
 *
 * A failing store is a failure here, never a signed-out visitor: a user whose session cannot be read must not become a new
 * user.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { AdapterError, SharedStateError } from "../Errors.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { Adapter, storageOf } from "../storage/Storage.ts"
import { type CurrentUser, type SessionServices, SessionStore } from "./SessionStore.ts"

export type { CurrentUser } from "./SessionStore.ts"

/**
 * The user of the request's session; `undefined` without a session, with one that has ended, and for deleted users.
 *
 * @category combinators
 * @since 0.1.0
 */
export const currentUser = Effect.fnUntraced(function* (
  adapter: AdapterShape
): Effect.fn.Return<CurrentUser | undefined, AdapterError | SharedStateError, AuthRequest | SessionServices> {
  return yield* (yield* SessionStore).user(yield* AuthRequest, adapter)
})

/**
 * Names the session that starts a sign-in, so that only this session can link the resulting account.
 *
 * @category combinators
 * @since 0.1.0
 */
export const starter = Effect.gen(function* () {
  const adapter = storageOf(yield* Adapter)
  return adapter === undefined ? undefined : (yield* currentUser(adapter))?.subject
})
