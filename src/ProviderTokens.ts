/**
 * Access tokens of providers: `ProviderTokens.get({ userId, provider })` answers one that is valid for at least a minute.
 *
 * The tokens of a sign-in are in the store, or by option in a cookie, and are refreshed when they end. However many fibers and processes ask at once, each
 * refresh token is sent to the provider once. `ProviderTokens.revoke` ends them at the provider.
 * `docs/tasks/provider-tokens.md` shows a handler.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type NotAllowed, NotSignedIn, type SessionUnavailable } from "./access/AccessProblem.ts"
import { current } from "./access/RequestState.ts"
import { idOf } from "./access/SessionDecoder.ts"
import { Settings } from "./config/Settings.ts"
import { Doorman } from "./Doorman.ts"
import type { MalformedRequest } from "./Errors.ts"
import { ownSession } from "./Http.ts"
import { AuthRequest } from "./http/AuthRequest.ts"
import * as ProviderToken from "./oauth/ProviderToken.ts"
import { forgetProviderTokens } from "./session/SignOutCookie.ts"

export type { ProviderToken, TokenFailure, TokenRequest } from "./oauth/ProviderToken.ts"
export type { NotAllowed, NotSignedIn, SessionUnavailable } from "./access/AccessProblem.ts"

/**
 * An access token of a user at a provider of the configuration. Without `userId` it is that of the user of the current request,
 * and with the option `providerTokens: "cookie"` it comes from the cookie of the browser: a renewed cookie is set on the response.
 *
 * A store needs `listAccounts` and `updateAccount`. Fails with `ReauthenticationRequired` when the user has to sign in there
 * again, and with `ProviderTokenError` when the provider gives no token now; then a repeat may succeed.
 *
 * @category combinators
 * @since 0.1.0
 */
export function get(
  request: ProviderToken.TokenRequest
): Effect.Effect<ProviderToken.ProviderToken, ProviderToken.TokenFailure, Doorman>
export function get(
  request: Omit<ProviderToken.TokenRequest, "userId"> & { readonly userId?: undefined }
): Effect.Effect<
  ProviderToken.ProviderToken,
  MalformedRequest | NotAllowed | NotSignedIn | ProviderToken.TokenFailure | SessionUnavailable,
  Doorman | HttpServerRequest
>
export function get(
  request: Omit<ProviderToken.TokenRequest, "userId"> & {
    readonly userId?: ProviderToken.TokenRequest["userId"] | undefined
  }
): Effect.Effect<
  ProviderToken.ProviderToken,
  MalformedRequest | NotAllowed | NotSignedIn | ProviderToken.TokenFailure | SessionUnavailable,
  Doorman | HttpServerRequest
> {
  const { userId } = request
  return userId === undefined ? ofCurrentUser(request) : ofUser({ ...request, userId })
}

const ofUser = (
  request: ProviderToken.TokenRequest
): Effect.Effect<ProviderToken.ProviderToken, ProviderToken.TokenFailure, Doorman> =>
  Effect.flatMap(Doorman, ({ servicesHere }) =>
    Effect.flatMap(servicesHere, (services) => Effect.provideContext(ProviderToken.getToken(request), services))
  )

/** A visitor without a session keeps no tokens of one. */
const ofCurrentUser = Effect.fnUntraced(function* (request: Omit<ProviderToken.TokenRequest, "userId">) {
  const state = yield* current
  const settings = Context.get(state.services, Settings)
  const found = yield* Effect.tapError(ownSession, (failure) =>
    failure instanceof NotSignedIn
      ? Effect.flatMap(state.request(), (sent) => state.set(forgetProviderTokens(settings, sent)))
      : Effect.void
  )
  const asked = { ...request, userId: found.userId }
  if (settings.providerTokens !== "cookie") {
    return yield* Effect.provideContext(ProviderToken.getToken(asked), state.services)
  }
  const context = Context.add(state.services, AuthRequest, yield* state.request())
  const { cookies, token } = yield* Effect.provideContext(ProviderToken.getTokenOfCookie(asked, idOf(found)), context)
  yield* state.set(cookies)
  return yield* Effect.fromResult(token)
})

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
): Effect.Effect<void, ProviderToken.TokenFailure, Doorman> =>
  Effect.flatMap(Doorman, ({ servicesHere }) =>
    Effect.flatMap(servicesHere, (services) => Effect.provideContext(ProviderToken.revokeTokens(request), services))
  )
