/**
 * Exports what the store holds of a user, and removes it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AdapterError, MissingAdapter, MissingAdapterMethods, SharedStateError } from "../Errors.ts"
import { Events } from "../Events.ts"
import { Jwt } from "../Jwt.ts"
import type { UserId } from "../models/Id.ts"
import { UserData } from "../models/UserData.ts"
import * as ProviderToken from "../oauth/ProviderToken.ts"
import { refuseLinks } from "../email/RemovedMailbox.ts"
import { forgetUser } from "../session/ProviderSessions.ts"
import { keyDetailsOf } from "../storage/Details.ts"
import { type Adapter, listable, storageWith } from "../storage/Storage.ts"
import { unit } from "../storage/Unit.ts"
import { note, userOf } from "../telemetry/AuditEmitter.ts"

/**
 * Failures of exporting and removing a user.
 *
 * @category models
 * @since 0.1.0
 */
export type UserDataError = AdapterError | MissingAdapter | MissingAdapterMethods | SharedStateError

/** The dependencies of removing a user. */
export type Services = Adapter | Events | Jwt | Effect.Services<ReturnType<typeof ProviderToken.revokeTokens>>

/**
 * Everything that the store holds of a user, without secrets; none for a user whom it does not know.
 *
 * @category combinators
 * @since 0.1.0
 */
export const exportUser = Effect.fnUntraced(function* (
  userId: UserId
): Effect.fn.Return<Option.Option<UserData>, UserDataError, Adapter> {
  const adapter = yield* storageWith("Accounts.export", ["getUser", "listAccounts"])
  const found = yield* adapter.getUser(userId)
  if (Option.isNone(found)) return Option.none()
  const { email, emailVerified, image, name } = found.value
  const accounts = yield* adapter.listAccounts(userId)
  const sessions = yield* listable(adapter, "listSessions", adapter.listSessions(userId))
  const keys = yield* listable(adapter, "listAuthenticatorsByUserId", adapter.listAuthenticatorsByUserId(userId))
  return Option.some(
    UserData.make({
      user: { id: userId, name: name ?? null, email: email === "" ? null : email, emailVerified, image: image ?? null },
      accounts: accounts.map(({ provider, providerAccountId, scope, type }) => ({
        provider,
        providerAccountId,
        type,
        ...(scope === undefined ? {} : { scope })
      })),
      sessions,
      passkeys: keys.map((key) => ({
        credentialID: key.credentialID,
        ...keyDetailsOf(key),
        deviceType: key.credentialDeviceType,
        backedUp: key.credentialBackedUp,
        transports: key.transports ?? null
      }))
    })
  )
})

/** Revokes tokens of providers. A provider that is down, or cannot revoke, does not keep a user here. */
const revokeProviderTokens = Effect.fnUntraced(function* (adapter: Adapter["Service"], userId: UserId) {
  const accounts = yield* listable(adapter, "listAccounts", adapter.listAccounts(userId))
  const withTokens = accounts.filter(
    ({ access_token, refresh_token }) => access_token !== undefined || refresh_token !== undefined
  )
  yield* Effect.forEach(
    adapter.methods.has("updateAccount") ? withTokens : [],
    (account) => {
      const { provider, providerAccountId } = account
      return Effect.andThen(
        Effect.catch(ProviderToken.revokeTokens({ userId, provider, providerAccountId }), (failure) =>
          Effect.logInfo(failure)
        ),
        ProviderToken.forgetPending(account)
      )
    },
    { concurrency: 4, discard: true }
  )
})

/**
 * Removes a user with their accounts, sessions and passkeys; `false` for a user whom the store does not know. Sessions that are
 * tokens end first, with `session.revocation`, and once more at the end: those of a sign-in meanwhile. Tokens of providers are revoked.
 * Links that were sent before to an address that they proved sign in no user, and the shared state holds no id of the user
 * afterwards. A removal that fails can be repeated: where the user is gone already, the rest is done and the answer is `false`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const removeUser = Effect.fnUntraced(function* (
  userId: UserId
): Effect.fn.Return<boolean, UserDataError, Services> {
  const adapter = yield* storageWith("Accounts.remove", ["getUser", "deleteUser"])
  const { revocation } = yield* Jwt
  const known = yield* adapter.getUser(userId)
  const endOpen = Effect.fnUntraced(function* (user: typeof known) {
    if (revocation !== undefined) yield* revocation.revokeAll(userId)
    // An address that the user never proved may be that of another person, whose links work on.
    if (Option.isSome(user) && user.value.emailVerified !== null) yield* refuseLinks(user.value.email)
  })
  yield* endOpen(known)
  yield* revokeProviderTokens(adapter, userId)
  const removed = yield* unit(
    adapter,
    Effect.gen(function* () {
      const user = yield* adapter.getUser(userId)
      if (Option.isNone(user)) return user
      if (adapter.methods.has("deleteSessions")) yield* adapter.deleteSessions(userId)
      yield* adapter.deleteUser(userId)
      return user
    })
  )
  // The next steps need the shared state, which may be down. A repeated call finds no user and has no event.
  if (Option.isSome(removed)) {
    yield* (yield* Events).emit("deleteUser", { user: removed.value })
    yield* note({ _tag: "UserRemoved", ...userOf(userId) })
  }
  // Providers take up to ten seconds each to revoke their tokens: a sign-in or a link meanwhile began a session.
  yield* endOpen(removed)
  yield* forgetUser(userId)
  return Option.isSome(removed)
})
