/**
 * A session as an ordinary server has it: the session that browsers see, and what the library knows of it beside that.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import { type Found, idOf, authenticationOf } from "../access/SessionDecoder.ts"
import type { Session } from "../compat/types.ts"

/**
 * The library's facts about a session. Browsers never see them.
 *
 * @category models
 * @since 0.1.0
 */
export interface SessionFacts {
  /** The id in the store, or the `sub` of the token. */
  readonly userId: string
  /**
   * Names the session among those of its user: `sessions.revoke(userId, id)` ends it. It is not its token. A token of the
   * application's own format that names no session has the id of its user and times, which a renewal changes.
   */
  readonly id: string
  /** Until when the session lasts, if nothing renews it: a time of ISO 8601. */
  readonly expires: string
  /**
   * When the user last proved who they are: for a provider the `auth_time` of a verified ID token, and otherwise the time of the
   * sign-in. `null` where the time is unknown: many providers send no `auth_time`, and adapters of Auth.js keep none.
   */
  readonly authenticatedAt: Date | null
  /** The methods by which they did (RFC 8176); empty where none is known. */
  readonly amr: ReadonlyArray<string>
  /** The authentication context class that a provider named. */
  readonly acr: string | null
  /** The generation of the user's sessions in which this one began; 0 for one from before the first `sessions.revokeAll`. */
  readonly generation: number
}

/**
 * A session on the server. The members of `SessionFacts` are those of the library, whatever `callbacks.session` answered.
 *
 * @category models
 * @since 0.1.0
 */
export type ServerSession = Omit<Session, keyof SessionFacts> & SessionFacts

/** The session that a request or a token proves, an object of its own for each caller. */
export const serverSession = (found: Found): ServerSession => {
  const session = JSON.parse(found.json.text()) as Session
  const { expires }: { readonly expires?: unknown } = session
  const { acr = null, amr, authenticatedAt } = authenticationOf(found)
  return {
    ...session,
    userId: found.userId,
    id: idOf(found),
    authenticatedAt: authenticatedAt === undefined ? null : DateTime.toDateUtc(authenticatedAt),
    amr,
    acr,
    generation: found.generation ?? 0,
    expires: found.end?.text ?? (typeof expires === "string" ? expires : new Date(0).toISOString())
  }
}
