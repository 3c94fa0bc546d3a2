/**
 * The sign-out action. Whatever else fails, the session cookies are removed.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { AuthConfig } from "./AuthConfig.ts"
import { AuthRequest } from "./AuthRequest.ts"
import * as AuthResponse from "./AuthResponse.ts"
import type { Callbacks } from "./Callbacks.ts"
import * as CallbackUrl from "./CallbackUrl.ts"
import { Csrf } from "./Csrf.ts"
import { type MissingCsrf, SignOutError } from "./Errors.ts"
import { Events } from "./Events.ts"
import { Jwt, subject } from "./Jwt.ts"

/**
 * `POST signout`: ends the session and goes where the client asked, if it may.
 *
 * @category actions
 * @since 0.1.0
 */
export const signOut: Effect.Effect<
  AuthResponse.AuthResponse,
  MissingCsrf,
  AuthConfig | AuthRequest | Callbacks | Csrf | Events | Jwt
> = Effect.gen(function* () {
  const request = yield* AuthRequest
  const settings = yield* AuthConfig
  const jwt = yield* Jwt
  const token = yield* jwt.read(request)
  if (!settings.skipCsrfCheck) yield* Effect.flatMap(Csrf, (csrf) => csrf.verify(request, subject(token)))
  const target = yield* Effect.catch(CallbackUrl.target(request), () => Effect.succeed(request.origin))
  const remembered = CallbackUrl.remember(settings, request, target)
  if (token.names.length === 0) return AuthResponse.redirect(target, remembered)
  if (token._tag === "Valid") {
    yield* Effect.flatMap(Events, ({ emit }) => emit("signOut", { token: token.claims }))
  } else {
    const cause = token._tag === "Invalid" ? token.error : undefined
    yield* Effect.logError(new SignOutError({ detail: "The token of the session that ended could not be read", cause }))
  }
  return AuthResponse.redirect(target, [...remembered, ...jwt.remove(request, token.names)])
})
