/**
 * The sign-in action: sends the browser to a provider.
 *
 * Without a provider, or with one that takes a form of its own, the answer is the sign-in page's address.
 *
 * @since 0.1.0
 */
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { starter } from "./session/CurrentUser.ts"
import { AuthConfig } from "./AuthConfig.ts"
import { AuthRequest } from "./AuthRequest.ts"
import * as AuthResponse from "./AuthResponse.ts"
import type { Callbacks } from "./Callbacks.ts"
import * as CallbackUrl from "./CallbackUrl.ts"
import { Checks } from "./Checks.ts"
import { Csrf } from "./Csrf.ts"
import { type AuthError, InvalidProvider, recognise, UnexpectedError } from "./Errors.ts"
import type { Jwt } from "./Jwt.ts"
import type { MailRoom } from "./mail/MailRoom.ts"
import { OAuthClient } from "./OAuthClient.ts"
import { isRedirectProvider, type Provider, type RedirectProvider } from "./Provider/Provider.ts"
import type { Seal } from "./Seal.ts"
import { subjectOf } from "./Subject.ts"
import * as Result from "effect/Result"

/**
 * Parameters of the authorization request that a client may choose (OIDC Core section 3.1.2.1 and platforms' own). All
 * others are the server's.
 */
const choosable: ReadonlySet<string> = new Set([
  "acr_values",
  "display",
  "domain_hint",
  "hd",
  "login_hint",
  "max_age",
  "prompt",
  "screen_hint",
  "ui_locales"
])

/** Loaded when the first link is asked for. */
const links = Effect.runSync(Effect.cached(Effect.promise(() => import("./SignInWithEmail.ts"))))

/**
 * Finds the provider of the request; unknown ids are the client's mistake.
 *
 * @category combinators
 * @since 0.1.0
 */
export const provider: Effect.Effect<Provider, AuthError, AuthConfig | AuthRequest> = Effect.gen(function* () {
  const { providers } = yield* AuthConfig
  const { providerId } = yield* AuthRequest
  if (providerId === undefined) return yield* new InvalidProvider({ detail: "The path names no provider" })
  const found = providers.get(providerId)
  if (Result.isSuccess(found)) return found.success
  return yield* Effect.fail(recognise(found.failure) ?? new UnexpectedError({ cause: found.failure }))
})

/**
 * Where a provider sends the browser back to, and whether that is a proxy that must forward to this deployment.
 *
 * @category combinators
 * @since 0.1.0
 */
export const callbackAddress = (
  { basePath }: AuthConfig["Service"],
  request: AuthRequest["Service"],
  redirectProvider: RedirectProvider
): { readonly redirectUri: string; readonly proxied: string | undefined } => {
  const own = `${request.origin}${basePath}/callback/${redirectProvider.id}`
  const proxy = redirectProvider.redirectProxyUrl
  if (proxy === undefined) return { redirectUri: own, proxied: undefined }
  const url = new URL(proxy)
  return url.origin === request.origin
    ? { redirectUri: own, proxied: undefined }
    : { redirectUri: `${proxy.replace(/\/$/, "")}/callback/${redirectProvider.id}`, proxied: own }
}

/**
 * `POST signin/‹provider›`: starts an attempt.
 *
 * @category actions
 * @since 0.1.0
 */
export const signIn: Effect.Effect<
  AuthResponse.AuthResponse,
  AuthError,
  AuthConfig | AuthRequest | Callbacks | Checks | Csrf | Jwt | MailRoom | OAuthClient | Seal | SecureRandom.SecureRandom
> = Effect.gen(function* () {
  const request = yield* AuthRequest
  const settings = yield* AuthConfig
  const chosen = request.providerId === undefined ? undefined : yield* provider
  if (!settings.skipCsrfCheck) {
    const csrf = yield* Csrf
    yield* csrf.verify(request, yield* subjectOf(request))
  }
  const target = yield* CallbackUrl.target(request)
  const remembered = CallbackUrl.remember(settings, request, target)
  if (chosen?._tag === "Email") return yield* (yield* links).sendLink(chosen, target, remembered)
  if (chosen === undefined || !isRedirectProvider(chosen)) {
    return AuthResponse.redirect(`${request.origin}${settings.basePath}/signin`, remembered)
  }
  const { start } = yield* Checks
  const { authorizationUrl } = yield* OAuthClient
  const { proxied, redirectUri } = callbackAddress(settings, request, chosen)
  const { codeChallenge, cookies, flow } = yield* start(request, chosen, {
    redirectUri,
    target,
    proxied,
    session: yield* starter
  })
  const url = yield* authorizationUrl(chosen, {
    redirectUri,
    state: flow.state,
    nonce: flow.nonce,
    codeChallenge,
    parameters: wishes(request.url)
  })
  return AuthResponse.redirect(url, [...remembered, ...(yield* cookies)])
})

const wishes = (url: URL): ReadonlyArray<readonly [string, string]> => {
  if (url.search === "") return []
  const chosen: Array<readonly [string, string]> = []
  for (const [name, value] of url.searchParams) {
    // oxlint-disable-next-line no-control-regex
    if (choosable.has(name) && value.length <= 512 && !/[\u0000-\u001f\u007f]/.test(value)) chosen.push([name, value])
  }
  return chosen
}
