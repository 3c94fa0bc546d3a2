/**
 * The begin of a sign-in at a provider: the browser is sent there.
 *
 * @since 0.1.0
 */
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import type { Seal } from "../browser/Seal.ts"
import type { Callbacks } from "../Callbacks.ts"
import { Settings } from "../config/Settings.ts"
import { sha256 } from "../crypto/Sha256.ts"
import { type AuthError, Verification } from "../Errors.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { starter } from "../session/CurrentUser.ts"
import { remembersIn } from "../session/RememberMe.ts"
import type { SessionServices } from "../session/SessionStore.ts"
import { heldProof, holdProof } from "../signin/AddressChoice.ts"
import type { Adapter } from "../storage/Storage.ts"
import { viewOfAuthorization } from "../telemetry/DebugView.ts"
import { logWithinLimit } from "../telemetry/LogLimit.ts"
import { logDebug } from "../telemetry/Signals.ts"
import * as AuthorizationParameters from "./AuthorizationParameters.ts"
import type { AuthorizationAddress } from "./AuthorizationRequest.ts"
import * as Checks from "./Checks.ts"
import { OAuthClient } from "./OAuthClient.ts"

/** The dependencies of the start. */
type Services =
  | Adapter
  | Settings
  | AuthRequest
  | Callbacks
  | OAuthClient
  | Seal
  | SecureRandom.SecureRandom
  | SessionServices

/**
 * Starts an attempt. With `isAnew` the person chose a new account.
 *
 * @category combinators
 * @since 0.1.0
 */
export const beginSignIn = Effect.fnUntraced(function* (
  provider: RedirectProvider,
  isAnew: boolean
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError, Services> {
  const request = yield* AuthRequest
  const settings = yield* Settings
  const target = yield* CallbackUrl.target(request)
  const remembered = CallbackUrl.remember(settings, request, target)
  const choice = isAnew ? [yield* newAccountChoice(provider)] : []
  const flow = yield* Checks.start(provider, {
    target,
    isRemembered: remembersIn(settings, request),
    session: yield* starter
  })
  const { codeVerifier, nonce, redirectUri, state } = flow
  const { authorizationUrl } = yield* OAuthClient
  const { requested, url } = yield* authorizationUrl(provider, {
    redirectUri,
    state,
    nonce,
    codeChallenge: codeVerifier && sha256(codeVerifier, "base64url"),
    parameters: yield* addedParameters(request, provider),
    fromServer: request.fromServer === true
  }).pipe(
    logDebug(
      "authorization url is ready",
      ({ url }: AuthorizationAddress) => ({ url: viewOfAuthorization(url) }),
      () => ({ provider: provider.id })
    )
  )
  return AuthResponse.redirect(url, [...remembered, ...choice, ...(yield* Checks.remember(provider, flow, requested))])
})

/** Remembers that the person chose a new account: the provider confirms the address again, and then it is theirs. */
const newAccountChoice = Effect.fnUntraced(function* ({ id }: RedirectProvider) {
  const held = yield* heldProof(yield* Settings, yield* AuthRequest)
  if (held?.provider === id) return yield* holdProof({ ...held, startsAnew: true })
  return yield* new Verification({ provider: id, detail: "This browser holds no proof of an address" })
})

/** The parameters that this request adds; the log names those that it may not. */
const addedParameters = Effect.fnUntraced(function* (
  { fromServer = false, url }: AuthRequest["Service"],
  { allowScopeFromBrowser, id }: RedirectProvider
) {
  const { parameters, refused } = fromServer
    ? AuthorizationParameters.fromServer(url.searchParams)
    : AuthorizationParameters.fromBrowser(url.searchParams, allowScopeFromBrowser)
  if (refused.length > 0) {
    yield* logWithinLimit(
      "AuthorizationParameters",
      Effect.logInfo(
        `The authorization request of ${id} goes without ${refused.join(", ")}: the server decides about these`
      )
    )
  }
  return parameters
})
