/**
 * The signed-in user in the store, for actions that link or switch accounts.
 *
 * A failing store is a failure here, never a signed-out visitor: a user whose session cannot be read must not become a new
 * user.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isUserId } from "../models/Id.ts"
import { Adapter, storageOf } from "../storage/Storage.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import type { AdapterError, SharedStateError } from "../Errors.ts"
import type { Jwt } from "../Jwt.ts"
import { endOfToken, isRetired } from "./SessionMark.ts"
import type { AdapterUser } from "../Models.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { SharedState } from "../SharedState.ts"
import { openToken, sessionSubject, sessionTokens, subjectOf } from "./SessionOwner.ts"
import { type Authentication, authenticationOfRow, ofMark } from "./Authentication.ts"
import { isRevoked } from "./Revocation.ts"

/**
 * A user who is signed in. `subject` names the session where accounts can be linked in it, `sessionToken` is that of a session
 * in a database.
 *
 * @category models
 * @since 0.1.0
 */
export interface CurrentUser {
  readonly user: AdapterUser
  readonly subject: string | undefined
  readonly sessionToken: string | undefined
  /** What the session is worth. */
  readonly authentication: Authentication
}

/**
 * The user of the request's session; `undefined` without a session, with one that has ended, and for deleted users.
 *
 * @category combinators
 * @since 0.1.0
 */
export const currentUser = Effect.fnUntraced(function* (
  adapter: AdapterShape
): Effect.fn.Return<CurrentUser | undefined, AdapterError | SharedStateError, Settings | AuthRequest | Jwt> {
  const settings = yield* Settings
  const request = yield* AuthRequest
  const token = yield* openToken(request)
  if (token !== undefined) {
    if (token._tag === "Unknown") return yield* token.error
    if (token._tag !== "Valid" || !isUserId(token.claims.sub)) return undefined
    const user = yield* adapter.getUser(token.claims.sub)
    if (Option.isNone(user)) return undefined
    // A session that a retired secret opened links nothing: an account or a key would stay after that secret has ended.
    const subject = isRetired(token.mark) ? undefined : yield* subjectOf(request)
    const authentication = ofMark(token.mark, yield* Clock.currentTimeMillis)
    return { user: user.value, subject, sessionToken: undefined, authentication }
  }
  const state = yield* SharedState
  for (const sessionToken of sessionTokens(settings, request).tokens) {
    // What is linked in a session that ended would stay in the account, so its row counts here as little as anywhere.
    if (yield* isRevoked(state, sessionToken)) continue
    const found = yield* adapter.getSessionAndUser(sessionToken)
    const now = yield* Clock.currentTimeMillis
    const isOver = (endOfToken(sessionToken) ?? now + 1) <= now
    if (!isOver && Option.isSome(found) && found.value.session.expires.getTime() > now) {
      const { session, user } = found.value
      const authentication = authenticationOfRow(adapter, session)
      return { user, subject: sessionSubject(sessionToken), sessionToken, authentication }
    }
  }
  return undefined
})

/**
 * Names the session that starts a sign-in, so that only this session can link the resulting account.
 *
 * @category combinators
 * @since 0.1.0
 */
export const starter: Effect.Effect<
  string | undefined,
  AdapterError | SharedStateError,
  Adapter | Settings | AuthRequest | Jwt
> = Effect.contextWith((context: Context.Context<Adapter | AuthRequest>) => {
  const adapter = storageOf(Context.get(context, Adapter))
  if (adapter === undefined) return Effect.undefined
  // Without a session cookie no user is signed in, and the store is not asked.
  return Effect.flatMap(subjectOf(Context.get(context, AuthRequest)), (subject) =>
    subject === undefined ? Effect.undefined : Effect.map(currentUser(adapter), (current) => current?.subject)
  )
})
