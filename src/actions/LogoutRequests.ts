/**
 * Logouts that a provider begins, by tokens that it posts (OpenID Connect Back-Channel Logout 1.0).
 *
 * They end sessions by what the shared state knows of them and need no cookie of the browser: there is nothing that a page of
 * another site could abuse, and no CSRF token is asked for.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { AuthRequest, field } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { type AuthError, MalformedRequest } from "../Errors.ts"
import { OAuthClient } from "../oauth/OAuthClient.ts"
import type { OidcProvider } from "../Provider/internal/Provider.ts"
import { Settings } from "../config/Settings.ts"
import { verifyLogout } from "../signin/Limits.ts"
import { end } from "../session/ProviderSessions.ts"
import { SharedState } from "../SharedState.ts"

type Services = AuthRequest | OAuthClient | Settings | Effect.Services<ReturnType<typeof end>>

const purpose = "logout-token"

/** Most that the clocks of two processes differ, in milliseconds. */
const leeway = 60_000

/**
 * `POST backchannel-logout/‹provider›`: ends the sessions that a logout token names.
 *
 * A token counts once. It is marked after the sessions have ended: where that fails, the provider can send it again.
 *
 * @category actions
 * @since 0.1.0
 */
export const backchannel = Effect.fnUntraced(function* (
  provider: OidcProvider
): Effect.fn.Return<AuthResponse.AuthResponse, AuthError, Services> {
  const request = yield* AuthRequest
  const text = isForm(request) ? field(request, "logout_token") : undefined
  if (text === undefined) return yield* new MalformedRequest({ provider: provider.id, detail: "No logout token came" })
  const { logoutToken } = yield* OAuthClient
  const token = yield* verifyLogout(yield* Settings, logoutToken(provider, text))
  const { isMarked, mark } = yield* SharedState
  const key = JSON.stringify([provider.id, token.issuer, token.jti])
  if (yield* isMarked(purpose, key)) {
    return yield* new MalformedRequest({ provider: provider.id, detail: "The logout token was used before" })
  }
  yield* end({ provider: provider.id, issuer: token.issuer, sub: token.sub, sid: token.sid }, true)
  const left = token.until * 1000 - (yield* Clock.currentTimeMillis)
  yield* mark(purpose, key, Duration.millis(Math.max(left, 0) + leeway))
  return AuthResponse.empty(200)
})

/** The specification knows no other content type (section 2.5). */
const isForm = ({ headers }: AuthRequest["Service"]): boolean =>
  headers.get("content-type")?.toLowerCase().startsWith("application/x-www-form-urlencoded") === true

/**
 * The answer to a logout token that ended nothing (section 2.8). With a status of 5xx the provider may send it again.
 *
 * @category constructors
 * @since 0.1.0
 */
export const refuse = ({ remedy, status }: AuthError): AuthResponse.AuthResponse =>
  AuthResponse.json(
    { error: status < 500 ? "invalid_request" : "temporarily_unavailable", error_description: remedy },
    [],
    status
  )
