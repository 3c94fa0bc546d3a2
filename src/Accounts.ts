/**
 * The ways by which a user can sign in: seeing them, and taking one away.
 *
 * For pages of the application. A user is never left without a way: the last one is not taken away. Whether the person who
 * asks is the user, and has shown that lately, is for the application to know.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AdapterError, LastWayToSignIn } from "./Errors.ts"
import type { AdapterAccount, AdapterAuthenticator } from "./Models.ts"
import type { AccountKey, AdapterShape } from "./storage/AdapterShape.ts"
import { unit } from "./storage/Unit.ts"

/**
 * The ways of one user. `mailbox` is the address that a link can be sent to, when it has been proven.
 *
 * @category models
 * @since 0.1.0
 */
export interface Ways {
  readonly accounts: ReadonlyArray<AdapterAccount>
  readonly authenticators: ReadonlyArray<AdapterAuthenticator>
  readonly mailbox: string | undefined
}

/**
 * The ways by which a user can sign in. Needs `listAccounts` of the adapter.
 *
 * @category combinators
 * @since 0.1.0
 */
export const waysOf = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  userId: string
): Effect.fn.Return<Ways, AdapterError> {
  const user = yield* adapter.getUser(userId)
  if (Option.isNone(user)) return { accounts: [], authenticators: [], mailbox: undefined }
  const { email, emailVerified } = user.value
  return {
    accounts: yield* adapter.listAccounts(userId),
    authenticators: adapter.methods.has("listAuthenticatorsByUserId")
      ? yield* adapter.listAuthenticatorsByUserId(userId)
      : [],
    mailbox: emailVerified === null || email === "" ? undefined : email
  }
})

/**
 * Takes an account away from its user and ends all other sessions of theirs, in one unit of work. Fails when it is not
 * linked to this user, or when nothing would be left to sign in by. `hasMailbox` says that links by e-mail are configured, so
 * that a proven address is a way too; `keep` is the token of the session that stays. A passkey is an account: the credential
 * goes with it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const unlink = (
  adapter: AdapterShape,
  userId: string,
  key: AccountKey,
  options: { readonly hasMailbox?: boolean | undefined; readonly keep?: string | undefined } = {}
): Effect.Effect<void, AdapterError | LastWayToSignIn> =>
  unit(
    adapter,
    Effect.gen(function* () {
      const user = yield* adapter.getUser(userId)
      // Writing the row holds it until the unit ends: of two who take the last two ways away, one finds what the other did.
      if (Option.isSome(user)) yield* adapter.updateUser({ id: userId, emailVerified: user.value.emailVerified })
      const { accounts, mailbox } = yield* waysOf(adapter, userId)
      const isThis = (account: AdapterAccount): boolean =>
        account.provider === key.provider && account.providerAccountId === key.providerAccountId
      if (!accounts.some(isThis)) {
        return yield* new AdapterError({
          method: "unlinkAccount",
          reason: "missing",
          detail: "The user has no such account"
        })
      }
      const isLast = accounts.every(isThis) && !(options.hasMailbox === true && mailbox !== undefined)
      if (isLast) return yield* new LastWayToSignIn({ detail: "Nothing would be left to sign in by" })
      yield* adapter.unlinkAccount(key)
      if (adapter.methods.has("deleteSessions")) yield* adapter.deleteSessions(userId, options.keep)
    })
  )
