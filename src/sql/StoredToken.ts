/**
 * Stores tokens that are as good as a password as digests, which cannot be inverted.
 *
 * A digest has a prefix, so that a table may hold digests beside older plain tokens. An attacker who has read the table gains
 * nothing: a token from a request that begins like a digest is never looked up as it is.
 *
 * @since 0.1.0
 */
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { sha256 } from "../crypto/Sha256.ts"
import type { SessionId } from "../models/Id.ts"
import { isSessionId, sessionIdOf } from "../storage/Details.ts"
import { isStorable } from "../internal/Text.ts"

const mark = "sha256:"

/**
 * The digest of a token, as it is stored.
 *
 * @category constructors
 * @since 0.1.0
 */
export const digestOf = (token: string): string => mark + sha256(token, "base64url")

/**
 * Returns the stored value of a new token.
 *
 * @category constructors
 * @since 0.1.0
 */
export const storedForm = (token: string, hashed: boolean): string => (hashed ? digestOf(token) : token)

/**
 * Returns the possible stored values of a token, also from before hashing was switched on or off.
 *
 * @category constructors
 * @since 0.1.0
 */
export const storedForms = (token: string): readonly [string, string] => {
  const digest = digestOf(token)
  return [digest, isDigest(token) || !isStorable(token) ? digest : token]
}

/**
 * Does a text look like a digest? Such a token is not stored as it is.
 *
 * @category guards
 * @since 0.1.0
 */
export const isDigest = (token: string): boolean => token.startsWith(mark)

/**
 * The id of the session for which this is stored, whether hashed or not; `undefined` for a digest of another length.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sessionIdOfStored = (stored: string): SessionId | undefined => {
  const id = isDigest(stored) ? stored.slice(mark.length) : sessionIdOf(stored)
  return isSessionId(id) ? id : undefined
}

/**
 * Returns the stored value for the session of this id when tokens are hashed.
 *
 * @category constructors
 * @since 0.1.0
 */
export const digestOfSessionId = (id: string): string => mark + id

/**
 * The condition that a column holds a token as it is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const isClear = (sql: SqlClient, column: string): Fragment =>
  sql`substr(${sql(column)}, 1, ${sql.literal(String(mark.length))}) <> ${mark}`
