/**
 * The sign-in action: sends the browser to a provider.
 *
 * Without a provider, or with one that takes a form of its own, the answer is the sign-in page's address.
 *
 * @since 0.1.0
 */
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Adapter } from "../storage/Storage.ts"
import { starter } from "../session/CurrentUser.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest, field } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import type { Callbacks } from "../Callbacks.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import { Checks } from "../oauth/Checks.ts"
import { maySeal } from "../config/HostPolicy.ts"
import { unvouchedState } from "../config/HostProblems.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import type { Csrf } from "../browser/Csrf.ts"
import { findProvider } from "../signin/FindProvider.ts"
import { heldProof, holdProof } from "../signin/AddressChoice.ts"
import type { FailureWithCookies } from "../http/FailureWithCookies.ts"
import { type AuthError, Verification } from "../Errors.ts"
import type { Events } from "../Events.ts"
import type { SessionServices } from "../session/SessionStore.ts"
import type { EmailSender } from "../email/EmailSender.ts"
import * as AuthorizationParameters from "../oauth/AuthorizationParameters.ts"
import type { Parameters } from "../oauth/AuthorizationParameters.ts"
import { OAuthClient } from "../oauth/OAuthClient.ts"
import { isRedirectProvider, type RedirectProvider } from "../Provider/internal/Provider.ts"
import type { Seal } from "../browser/Seal.ts"
import { guard } from "../session/CsrfGuard.ts"
import { logWithinLimit } from "../telemetry/LogLimit.ts"

/** Loaded when the first link is asked for. */
const links = Effect.runSync(Effect.cached(Effect.promise(() => import("../email/SignInWithEmail.ts"))))

/** The redirect URI among the parameters of the authorization request that the configuration asks for. */
const configuredAddress = ({ authorization, authorizationParameters }: RedirectProvider): string | undefined => {
  const value =
    authorizationParameters.findLast(([name]) => name === "redirect_uri")?.[1] ??
    (authorization.url?.includes("redirect_uri=") === true
      ? new URL(authorization.url).searchParams.get("redirect_uri")
      : undefined)
  return value !== undefined && value !== null && /^https?:/.test(value) && URL.canParse(value) ? value : undefined
}

/**
 * Where a provider sends the browser back to, and whether that is a proxy that must forward to this deployment.
 *
 * A redirect URI that the configuration names takes precedence: applications behind a reverse proxy name the address that
 * the provider knows. The token request repeats it (RFC 6749 section 4.1.3).
 *
 * @category combinators
 * @since 0.1.0
 */
export const callbackAddress = (
  { basePath }: Settings["Service"],
  request: AuthRequest["Service"],
  redirectProvider: RedirectProvider
): { readonly own: string; readonly redirectUri: string; readonly proxied: string | undefined } => {
  const own = `${request.origin}${basePath}/callback/${redirectProvider.id}`
  const configured = configuredAddress(redirectProvider)
  const proxy = redirectProvider.redirectProxyUrl
  if (proxy === undefined || new URL(proxy).origin === request.origin)
    return { own, redirectUri: configured ?? own, proxied: undefined }
  return {
    own,
    redirectUri: configured ?? `${proxy.replace(/\/$/, "")}/callback/${redirectProvider.id}`,
    proxied: own
  }
}

/** What the action needs. */
type Services =
  | Adapter
  | Settings
  | AuthRequest
  | Callbacks
  | Checks
  | Csrf
  | Events
  | SessionServices
  | EmailSender
  | OAuthClient
  | Seal
  | SecureRandom.SecureRandom

/**
 * `POST signin/‹provider›`: starts an attempt.
 *
 * @category actions
 * @since 0.1.0
 */
export const signIn: Effect.Effect<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Services> = Effect.gen(
  function* () {
    const context = yield* Effect.context<Services>()
    const request = Context.get(context, AuthRequest)
    const settings = Context.get(context, Settings)
    const chosen =
      request.providerId === undefined ? undefined : yield* Effect.fromResult(findProvider(settings, request))
    yield* guard()
    const startsAnew = chosen !== undefined && field(request, "account") === "new"
    if (startsAnew && chosen._tag === "Email") return yield* (yield* links).beginNewAccount(chosen)
    const target = yield* CallbackUrl.target(request)
    const remembered = CallbackUrl.remember(settings, request, target)
    if (chosen?._tag === "Email") return yield* (yield* links).sendLink(chosen, target, remembered)
    if (chosen === undefined || !isRedirectProvider(chosen)) {
      return AuthResponse.redirect(`${request.origin}${settings.basePath}/signin`, remembered)
    }
    const choice = startsAnew ? yield* newAccountChoice(chosen) : []
    const { start } = Context.get(context, Checks)
    const { authorizationUrl } = Context.get(context, OAuthClient)
    const { own, proxied, redirectUri } = callbackAddress(settings, request, chosen)
    if (proxied !== undefined && !maySeal(settings.hosts, settings.production, request.url))
      return yield* unvouchedState(chosen.id)
    const { codeChallenge, cookies, flow } = yield* start(request, chosen, {
      own,
      redirectUri,
      target,
      proxied,
      session: yield* starter
    })
    const { requested, url } = yield* authorizationUrl(chosen, {
      redirectUri,
      state: flow.state,
      nonce: flow.nonce,
      codeChallenge,
      parameters: yield* addedParameters(request, chosen),
      fromServer: request.fromServer === true
    })
    return AuthResponse.redirect(url, [...remembered, ...choice, ...(yield* cookies(requested))])
  }
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
