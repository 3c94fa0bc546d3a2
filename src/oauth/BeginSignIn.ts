/**
 * The begin of a sign-in at a provider: the browser is sent there.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import type { Seal } from "../browser/Seal.ts"
import type { Callbacks } from "../Callbacks.ts"
import { maySeal } from "../config/HostPolicy.ts"
import { unvouchedState } from "../config/HostProblems.ts"
import { Settings } from "../config/Settings.ts"
import { type AuthError, Verification } from "../Errors.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { starterIn } from "../session/CurrentUser.ts"
import { remembersIn } from "../session/RememberMe.ts"
import type { SessionServices } from "../session/SessionStore.ts"
import { heldProof, holdProof } from "../signin/AddressChoice.ts"
import type { Adapter } from "../storage/Storage.ts"
import { viewOfAuthorization } from "../telemetry/DebugView.ts"
import { logWithinLimit } from "../telemetry/LogLimit.ts"
import { isDebugged, logDebug } from "../telemetry/Signals.ts"
import * as AuthorizationParameters from "./AuthorizationParameters.ts"
import type { Parameters } from "./AuthorizationParameters.ts"
import { callbackAddress } from "./CallbackAddress.ts"
import { Checks } from "./Checks.ts"
import { type AuthorizationAddress, OAuthClient } from "./OAuthClient.ts"

/** What the begin needs. */
type Services =
  | Adapter
  | Settings
  | AuthRequest
  | Callbacks
  | Checks
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
export const beginSignIn = (
  provider: RedirectProvider,
  isAnew: boolean
): Effect.Effect<AuthResponse.AuthResponse, AuthError, Services> =>
  Effect.contextWith((context: Context.Context<Services>) => beginIn(context, provider, isAnew))

const beginIn = Effect.fnUntracedEager(function* (
  context: Context.Context<Services>,
  provider: RedirectProvider,
  isAnew: boolean
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError, Services> {
  const request = Context.get(context, AuthRequest)
  const settings = Context.get(context, Settings)
  const target = yield* CallbackUrl.targetIn(context, request)
  const remembered = CallbackUrl.remember(settings, request, target)
  const choice = isAnew ? yield* newAccountChoice(provider) : []
  const { start } = Context.get(context, Checks)
  const { authorizationUrl } = Context.get(context, OAuthClient)
  const { own, proxied, redirectUri } = callbackAddress(settings, request, provider)
  if (proxied !== undefined && !maySeal(settings.hosts, settings.production, request.url))
    return yield* unvouchedState(provider.id)
  const { codeChallenge, cookies, flow } = yield* start(request, provider, {
    own,
    redirectUri,
    target,
    proxied,
    isRemembered: remembersIn(settings, request),
    session: yield* starterIn(context)
  })
  const address = authorizationUrl(provider, {
    redirectUri,
    state: flow.state,
    nonce: flow.nonce,
    codeChallenge,
    parameters: yield* addedParameters(request, provider),
    fromServer: request.fromServer === true
  })
  const { requested, url } = yield* isDebugged(context) ? logAddress(provider)(address) : address
  return AuthResponse.redirect(url, [...remembered, ...choice, ...(yield* cookies(requested))])
})

const logAddress = ({ id }: RedirectProvider) =>
  logDebug(
    "authorization url is ready",
    ({ url }: AuthorizationAddress) => ({ url: viewOfAuthorization(url) }),
    () => ({ provider: id })
  )

/** Remembers that the person chose a new account: the provider confirms the address again, and then it is theirs. */
const newAccountChoice = Effect.fnUntraced(function* ({
  id
}: RedirectProvider): Effect.fn.Return<
  ReadonlyArray<ResponseCookie>,
  Verification,
  Settings | AuthRequest | Seal | SecureRandom.SecureRandom
> {
  const held = yield* heldProof(yield* Settings, yield* AuthRequest)
  if (held?.provider === id) return [yield* holdProof({ ...held, startsAnew: true })]
  return yield* new Verification({ provider: id, detail: "This browser holds no proof of an address" })
})

/** The parameters that this request adds; the log names those that it may not. */
const addedParameters = (
  { fromServer = false, url }: AuthRequest["Service"],
  { allowScopeFromBrowser, id }: RedirectProvider
): Effect.Effect<Parameters> => {
  if (url.search === "") return Effect.succeed([])
  const { parameters, refused } = fromServer
    ? AuthorizationParameters.fromServer(url.searchParams)
    : AuthorizationParameters.fromBrowser(url.searchParams, allowScopeFromBrowser)
  if (refused.length === 0) return Effect.succeed(parameters)
  return Effect.as(
    logWithinLimit(
      "AuthorizationParameters",
      Effect.logInfo(
        `The authorization request of ${id} goes without ${refused.join(", ")}: the server decides about these`
      )
    ),
    parameters
  )
}
