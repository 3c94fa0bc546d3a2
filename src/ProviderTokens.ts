/**
 * Access tokens of providers: `ProviderTokens.get({ userId, provider })` answers one that is valid for at least a minute.
 *
 * The tokens of a sign-in are in the store, and are refreshed when they end. However many fibers and processes ask at once, each
 * refresh token is sent to the provider once. `ProviderTokens.revoke` ends them at the provider.
 * `docs/tasks/provider-tokens.md` shows a handler.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as ProviderToken from "./oauth/ProviderToken.ts"
import type * as Refreshes from "./oauth/RunningRefreshes.ts"
import { Doorman } from "./Doorman.ts"

export type { ProviderToken } from "./oauth/RunningRefreshes.ts"

/**
 * An access token of a user at a provider of the configuration.
 *
 * Needs `listAccounts` and `updateAccount` of the adapter. Fails with `ReauthenticationRequired` when the user has to sign in
 * there again, and with `ProviderTokenError` when the provider gives no token now; then a repeat may succeed.
 *
 * @category combinators
 * @since 0.1.0
 */
export const get = (
  request: ProviderToken.TokenRequest
): Effect.Effect<Refreshes.ProviderToken, Refreshes.TokenFailure, Doorman> =>
  Effect.flatMap(Doorman, ({ servicesHere }) =>
    Effect.flatMap(servicesHere, (services) => Effect.provideContext(ProviderToken.getToken(request), services))
  )

/**
 * Revokes the tokens of a user at a provider (RFC 7009), and removes them from the store: for a user who disconnects an
 * application. The account stays, and the user may sign in with it again.
 *
 * Without `providerAccountId`, those of the account whose token ends last. Needs `listAccounts` and `updateAccount` of the adapter.
 * Fails with `ProviderTokenError` when the provider has no `revocation_endpoint`, refuses, or is down: the tokens are in the store
 * then. Fails with `ReauthenticationRequired` for a user without an account there.
 *
 * @category combinators
 * @since 0.1.0
 */
export const revoke = (
  request: Omit<ProviderToken.TokenRequest, "minimumValidity">
): Effect.Effect<void, Refreshes.TokenFailure, Doorman> =>
  Effect.flatMap(Doorman, ({ servicesHere }) =>
    Effect.flatMap(servicesHere, (services) => Effect.provideContext(ProviderToken.revokeTokens(request), services))
  )
