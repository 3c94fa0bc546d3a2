/**
 * The parameters of the `session` callback, and what clients see of a session.
 *
 * @since 0.1.0
 */
import type { AdapterSession, AdapterUser, DefaultSession, JWT, Session } from "../models/Shape.ts"
import type { UserFields } from "../Provider/internal/ProviderOptions.ts"

/**
 * A session of a database with its user. Whatever of it the `session` callback returns, clients see.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoredSession extends AdapterSession {
  user: AdapterUser
  [member: string]: unknown
}

/**
 * What clients see of a session.
 *
 * @category models
 * @since 0.1.0
 */
export type VisibleSession =
  | Session
  | DefaultSession
  | StoredSession
  | {
      user?: UserFields | undefined
      expires: string | Date
      [member: string]: unknown
    }

/**
 * The parameters of the `session` callback with JWT sessions.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenSessionParams {
  readonly session: Session
  readonly token: JWT
  readonly user?: undefined
  readonly newSession?: undefined
  readonly trigger?: undefined
}

/**
 * The parameters of the `session` callback with database sessions.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoredSessionParams {
  readonly session: StoredSession
  readonly user: AdapterUser
  readonly token?: undefined
  /** What a client sent to the session action; never trust it. */
  readonly newSession?: unknown
  readonly trigger?: "update"
}
