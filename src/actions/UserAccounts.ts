/**
 * The accounts and passkeys of a user in the store: lists, names and removes them.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { note, userOf } from "../telemetry/AuditEmitter.ts"
import {
  AdapterError,
  LastWayToSignIn,
  type LinkError,
  MissingAdapterMethods,
  type SharedStateError
} from "../Errors.ts"
import type { AdapterAccount, AdapterAuthenticator, UserId } from "../Models.ts"
import type { AccountKey, AdapterShape } from "../storage/AdapterShape.ts"
import { toLine } from "../internal/Text.ts"
import type { RetainedSession, TokenRevocation } from "../session/TokenRevocation.ts"
import type { KeyDetails } from "../storage/Details.ts"
import { unit } from "../storage/Unit.ts"

/**
 * The sign-in methods of one user. `authenticators` are the passkeys that still have their account row: the library refuses
 * a passkey without one.
 * `reauthenticationRequired` marks an account whose access token has ended and cannot be refreshed, because the provider has refused
 * the refresh token or never gave one: `ProviderTokens.get` fails until the user has signed in there again.
 * `mailbox` is the address that a link can be sent to, when it has been proven.
 *
 * @category models
 * @since 0.1.0
 */
export interface Ways {
  readonly accounts: ReadonlyArray<AdapterAccount & { readonly reauthenticationRequired?: true }>
  /** With `label`, `createdAt` and `lastUsedAt`, where the store keeps them. */
  readonly authenticators: ReadonlyArray<AdapterAuthenticator & KeyDetails>
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
  userId: UserId
): Effect.fn.Return<Ways, AdapterError> {
  const user = yield* adapter.getUser(userId)
  if (Option.isNone(user)) return { accounts: [], authenticators: [], mailbox: undefined }
  const { email, emailVerified } = user.value
  const accounts = yield* adapter.listAccounts(userId)
  const authenticators = listsKeys(adapter) ? yield* adapter.listAuthenticatorsByUserId(userId) : []
  const now = (yield* Clock.currentTimeMillis) / 1000
  return {
    accounts: accounts.map((account) =>
      hasEnded(account, now) ? { ...account, reauthenticationRequired: true } : account
    ),
    authenticators: authenticators.filter((key) => accounts.some((account) => isKeyOf(key, account))),
    mailbox: emailVerified === null || email === "" ? undefined : email
  }
})

/** Has the access token of an account ended, and is there nothing to refresh it with? */
const hasEnded = ({ expires_at, refresh_token }: AdapterAccount, now: number): boolean =>
  typeof expires_at === "number" && expires_at <= now && typeof refresh_token !== "string"

const listsKeys = ({ methods }: AdapterShape): boolean => methods.has("listAuthenticatorsByUserId")

const isKeyOf = ({ providerAccountId }: AdapterAuthenticator, account: AdapterAccount): boolean =>
  account.type === "webauthn" && account.providerAccountId === providerAccountId

/**
 * The application's knowledge of a user, when one of their accounts is removed. `hasMailbox` says that links by email are
 * configured, so that a proven address is a way too; `hasPassword` that the application keeps a password of this user, which
 * the library cannot see; `keep` is the token of the session that stays.
 *
 * @category models
 * @since 0.1.0
 */
export interface UnlinkOptions {
  readonly hasMailbox?: boolean | undefined
  readonly hasPassword?: boolean | undefined
  readonly keep?: string | undefined
}

/** Longest name of a passkey, in UTF-16 code units. */
const longestLabel = 100

/**
 * Names a passkey of a user, as they see it in a list: one line of at most 100 characters. `false` when the user has no such passkey.
 * Needs `describeAuthenticator` of the adapter.
 *
 * @category combinators
 * @since 0.1.0
 */
export const renamePasskey = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  userId: UserId,
  credentialID: string,
  label: string
): Effect.fn.Return<boolean, AdapterError | MissingAdapterMethods> {
  if (!adapter.methods.has("describeAuthenticator")) {
    const detail = "Accounts.renamePasskey needs describeAuthenticator of the adapter"
    return yield* new MissingAdapterMethods({ field: "adapter", detail })
  }
  const key = yield* adapter.getAuthenticator(credentialID)
  if (Option.isNone(key) || key.value.userId !== userId) return false
  return yield* adapter.describeAuthenticator(key.value.credentialID, { label: toLine(label.trim(), longestLabel) })
})

/**
 * The sessions that are tokens, where they can be ended: all of the user but `keep`.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenSessions {
  readonly revocation: TokenRevocation
  readonly keep: RetainedSession | undefined
}

/**
 * Takes an account away from its user and ends all other sessions of theirs, in one unit of work. Fails when it is not
 * linked to this user, or when nothing would be left to sign in by. A passkey is an account: the credential goes with it.
 *
 * Sessions that are tokens end first, so that a failure has removed nothing, and once more at the end: those of a sign-in meanwhile.
 *
 * Of two concurrent calls that remove the last two sign-in methods, at most one succeeds. A store with transactions refuses the
 * other one. On a store without, a call that finds no method left restores what it removed; both calls may do so.
 *
 * @category combinators
 * @since 0.1.0
 */
export const unlink = (
  adapter: AdapterShape,
  userId: UserId,
  key: AccountKey,
  options: UnlinkOptions = {},
  tokens?: TokenSessions
): Effect.Effect<void, LinkError | SharedStateError> => {
  const endTokens = tokens === undefined ? Effect.void : Effect.asVoid(tokens.revocation.revokeAll(userId, tokens.keep))
  return Effect.flatMap(
    unit(
      adapter,
      Effect.gen(function* () {
        const hasUnits = adapter.methods.has("transaction")
        if (hasUnits) yield* hold(adapter, userId)
        const ways = yield* waysOf(adapter, userId)
        const account = ways.accounts.find((one) => isNamed(one, key))
        if (account === undefined) {
          return yield* new AdapterError({
            method: "unlinkAccount",
            reason: "missing",
            detail: "The user has no such account"
          })
        }
        if (!canEnter(adapter, ways, options, key)) return yield* nothingLeft()
        yield* endTokens
        yield* adapter.unlinkAccount(key)
        if (!hasUnits && !canEnter(adapter, yield* waysOf(adapter, userId), options, key)) {
          yield* putBack(adapter, account, ways)
          return yield* nothingLeft()
        }
        const endsRows = adapter.methods.has("deleteSessions")
        if (endsRows) yield* adapter.deleteSessions(userId, options.keep)
        return { ended: endsRows || tokens !== undefined, type: account.type }
      })
    ),
    // Noted when it is done for good: a unit that fails has taken nothing away.
    ({ ended, type }) =>
      Effect.all(
        [
          note({
            _tag: type === "webauthn" ? "KeyRemoved" : "AccountUnlinked",
            provider: key.provider,
            ...userOf(userId)
          }),
          ended
            ? note({ _tag: "SessionsRevoked", which: options.keep === undefined ? "all" : "others", ...userOf(userId) })
            : Effect.void,
          // The shared state may be down. The account is gone all the same, which the audit events say.
          endTokens
        ],
        { discard: true }
      )
  )
}

const nothingLeft = () => new LastWayToSignIn({ detail: "Nothing would be left to sign in by" })

const isNamed = (account: AdapterAccount, { provider, providerAccountId }: AccountKey): boolean =>
  account.provider === provider && account.providerAccountId === providerAccountId

/** Is there a way without this account? An account that is a key is one as long as the key is there, where that shows. */
const canEnter = (
  adapter: AdapterShape,
  { accounts, authenticators, mailbox }: Ways,
  { hasMailbox, hasPassword }: UnlinkOptions,
  without: AccountKey
): boolean =>
  hasPassword === true ||
  (hasMailbox === true && mailbox !== undefined) ||
  accounts.some(
    (account) =>
      !isNamed(account, without) &&
      (account.type !== "webauthn" || !listsKeys(adapter) || authenticators.some((key) => isKeyOf(key, account)))
  )

/**
 * Writing the row of a user holds it until the unit ends: of two who take the last two ways away, one finds what the other
 * did. The picture is what may be written twice without harm: the mark of a proven address may have come meanwhile.
 */
const hold = Effect.fnUntraced(function* (adapter: AdapterShape, userId: UserId): Effect.fn.Return<void, AdapterError> {
  const user = yield* adapter.getUser(userId)
  if (Option.isSome(user)) yield* adapter.updateUser({ id: userId, image: user.value.image ?? null })
})

/** Links an account again, with its key where that went as well. A user who is gone needs no way. */
const putBack = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  account: AdapterAccount,
  { authenticators }: Ways
): Effect.fn.Return<void, AdapterError> {
  if (Option.isNone(yield* adapter.getUser(account.userId))) return
  yield* adapter.linkAccount(account)
  for (const key of authenticators.filter((one) => isKeyOf(one, account))) {
    const found = yield* adapter.getAuthenticator(key.credentialID)
    if (Option.isNone(found)) yield* adapter.createAuthenticator(key)
  }
})
