/**
 * The sign-out action. Whatever else fails, the session cookies are removed.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { endSession } from "./actions/DatabaseSession.ts"
import { note, userOf } from "./audit/Trail.ts"
import { AuthConfig } from "./AuthConfig.ts"
import { AuthRequest } from "./AuthRequest.ts"
import * as AuthResponse from "./AuthResponse.ts"
import type { Interrupted } from "./Callback.ts"
import type { Callbacks } from "./Callbacks.ts"
import * as CallbackUrl from "./CallbackUrl.ts"
import { Csrf } from "./Csrf.ts"
import { type MissingCsrf, SignOutError } from "./Errors.ts"
import { Events } from "./Events.ts"
import { Jwt, subject } from "./Jwt.ts"
import type { AdapterShape } from "./storage/AdapterShape.ts"
import { subjectOf } from "./Subject.ts"

/**
 * `POST signout`: ends the session and goes where the client asked, if it may.
 *
 * @category actions
 * @since 0.1.0
 */
export const signOut: Effect.Effect<
  AuthResponse.AuthResponse,
  MissingCsrf | Interrupted,
  AuthConfig | AuthRequest | Callbacks | Csrf | Events | Jwt
> = Effect.gen(function* () {
  const request = yield* AuthRequest
  const settings = yield* AuthConfig
  const { adapter, session } = settings
  if (session.strategy === "database" && adapter !== undefined) return yield* fromDatabase(adapter)
  const jwt = yield* Jwt
  const token = yield* jwt.read(request)
  if (!settings.skipCsrfCheck) yield* Effect.flatMap(Csrf, (csrf) => csrf.verify(request, subject(token)))
  const target = yield* Effect.catch(CallbackUrl.target(request), () => Effect.succeed(request.origin))
  const remembered = CallbackUrl.remember(settings, request, target)
  if (token.names.length === 0) return AuthResponse.redirect(target, remembered)
  if (token._tag === "Valid") {
    yield* Effect.flatMap(Events, ({ emit }) => emit("signOut", { token: token.claims }))
    yield* note({ _tag: "SignedOut", ...userOf(token.claims.sub) })
  } else {
    const cause = token._tag === "Invalid" ? token.error : undefined
    yield* Effect.logError(new SignOutError({ detail: "The token of the session that ended could not be read", cause }))
    yield* note({ _tag: "SignedOut" })
  }
  return AuthResponse.redirect(target, [...remembered, ...jwt.remove(request, token.names)])
})

/**
 * Ends a session in the database. When the row could not be deleted the answer is a failure, so that nobody believes they
 * are signed out everywhere; the cookie goes all the same, and this process refuses the session from here on.
 */
const fromDatabase = Effect.fnUntraced(function* (
  adapter: AdapterShape
): Effect.fn.Return<
  AuthResponse.AuthResponse,
  MissingCsrf | Interrupted,
  AuthConfig | AuthRequest | Callbacks | Csrf | Events | Jwt
> {
  const request = yield* AuthRequest
  const settings = yield* AuthConfig
  if (!settings.skipCsrfCheck) {
    const subject = yield* subjectOf(request)
    yield* Effect.flatMap(Csrf, (csrf) => csrf.verify(request, subject))
  }
  const target = yield* Effect.catch(CallbackUrl.target(request), () => Effect.succeed(request.origin))
  const remembered = CallbackUrl.remember(settings, request, target)
  const { cookies, failure, isPresent, session } = yield* endSession(adapter)
  if (failure !== undefined) {
    return yield* Effect.fail({
      failure: new SignOutError({ detail: "The session could not be deleted", cause: failure }),
      cookies
    })
  }
  if (isPresent) {
    yield* Effect.flatMap(Events, ({ emit }) => emit("signOut", { session }))
    yield* note({ _tag: "SignedOut", ...userOf(session?.userId) })
  }
  return AuthResponse.redirect(target, [...remembered, ...cookies])
})
