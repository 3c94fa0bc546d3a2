/**
 * The session of the request that is being answered, as the application's code sees it.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type SessionId, UserId } from "../models/Id.ts"

/**
 * A session and the user whom it belongs to.
 *
 * @category models
 * @since 0.1.0
 */
export interface ActiveSession<User = SessionUser, Claims = unknown> {
  /** The signed-in user, as the schema of the application decodes them. */
  readonly user: User
  /** The id in the store, or the `sub` of the token. */
  readonly userId: UserId
  /**
   * Names the session among those of its user: it is ended and followed by it, and is not its token. A token of the application's
   * own format that names no session has the id of its user and times, which a renewal changes.
   */
  readonly id: SessionId
  /** The generation of the user's sessions when a session that is a token began, once sessions of theirs were revoked. */
  readonly generation: number | undefined
  /** Until when the session lasts, if nothing renews it. */
  readonly expires: DateTime.Utc
  /**
   * When the user last proved who they are, if that is known: for a provider the `auth_time` of a verified ID token, and otherwise the
   * time of the sign-in.
   */
  readonly authenticatedAt: DateTime.Utc | undefined
  /** The methods by which they did (RFC 8176). */
  readonly amr: ReadonlyArray<string>
  /** The authentication context class that a provider named. */
  readonly acr: string | undefined
  /** How the request proved it: a browser's cookie, or `Authorization: Bearer` (RFC 6750). */
  readonly via: "cookie" | "bearer"
  /** Whatever else `callbacks.session` answered, as the schema of the application reads it. */
  readonly claims: Claims
}

const text = Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

/**
 * The user of a session where the application names no schema of its own.
 *
 * @category models
 * @since 0.1.0
 */
export const SessionUser = Schema.Struct({
  /** The id in the store, or the `sub` of the token. */
  id: UserId,
  name: text,
  email: text,
  image: text
})
/** @category models @since 0.1.0 */
export type SessionUser = typeof SessionUser.Type
