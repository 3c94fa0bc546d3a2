/**
 * Session tokens of users who have not proven their address: good until somebody proves it.
 *
 * A token cannot be called back. So the one that a user gets beside a store, while nobody has proven their address, says so,
 * and is looked up at every reading: once the owner of the mailbox has come, it was a stranger's, and ends. Users whose
 * address is proven have tokens without this claim, and their sessions ask no store.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AdapterError } from "../Errors.ts"
import type { AdapterUser, JWT } from "../Models.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"

/** The claim; a client cannot wish for it. @internal */
export const provisionalClaim = "unproven"

/** Says in a token that the address of its user is not proven. @internal */
export const provisional = (token: JWT): JWT => ({ ...token, [provisionalClaim]: true })

/** Does a token say so? @internal */
export const isProvisional = (token: JWT): boolean => token[provisionalClaim] === true

/** Has somebody proven the address since, so that the token is nobody's any more? @internal */
export const isOver = (token: JWT, user: AdapterUser | undefined): boolean =>
  isProvisional(token) && (user === undefined || user.emailVerified !== null)

/** The same, asking the store where there is a question. @internal */
export const hasEnded = (token: JWT, adapter: AdapterShape | undefined): Effect.Effect<boolean, AdapterError> =>
  adapter === undefined || !isProvisional(token) || typeof token.sub !== "string"
    ? Effect.succeed(false)
    : Effect.map(adapter.getUser(token.sub), (user) => isOver(token, Option.getOrUndefined(user)))
