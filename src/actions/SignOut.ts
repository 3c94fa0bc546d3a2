/**
 * The sign-out action. Whatever else fails, the session cookies are removed.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { cookiesFor, Settings } from "../config/Settings.ts"
import { AuthRequest, field } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { FailureWithCookies } from "../http/AuthResponse.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import type { MalformedRequest, MissingCsrf } from "../Errors.ts"
import type { Events } from "../Events.ts"
import { guard } from "../session/CsrfGuard.ts"
import { endSession } from "../session/EndSession.ts"
import { type SessionServices, SessionStore } from "../session/SessionStore.ts"
import { forgetProviderTokens } from "../session/SignOutCookie.ts"
import { lazily } from "../internal/Lazily.ts"

/** Loaded with the first sign-out that may go on to a provider. */
const providerLogout = lazily(() => import("../oauth/ProviderLogout.ts"))

/** The dependencies of the action. */
type Services =
  | AuthRequest
  | Events
  | SessionServices
  | Effect.Services<ReturnType<typeof guard | typeof CallbackUrl.targetOrOrigin>>
  | Effect.Services<ReturnType<Effect.Success<typeof providerLogout>["goOn"]>>

/**
 * `POST signout`: ends the session and goes where the client asked, if it may. A client that sends its token itself, as a
 * bearer, ends the session of that token. A token that is in no store stays valid until it expires, which is an error here,
 * unless `session.revocation` is on.
 *
 * The browser goes on to the provider, where it has the ID token of the session or the form asks for it.
 *
 * @category actions
 * @since 0.1.0
 */
export const signOut: Effect.Effect<
  AuthResponse.AuthResponse,
  MalformedRequest | MissingCsrf | FailureWithCookies,
  Services
> = Effect.contextWith((context: Context.Context<Services>) => endAndGoOn(context))

const endAndGoOn = Effect.fnUntraced(function* (
  context: Context.Context<Services>
): Effect.fn.Return<AuthResponse.AuthResponse, MalformedRequest | MissingCsrf | FailureWithCookies, Services> {
  const request = Context.get(context, AuthRequest)
  const settings = Context.get(context, Settings)
  const store = Context.get(context, SessionStore)
  const ending = yield* store.ending(request, request.headers.get("authorization"))
  if (ending.refusal !== undefined) return yield* ending.refusal
  if (ending.isOfBrowser) yield* guard(ending.opened)
  const target = yield* CallbackUrl.targetOrOrigin(request)
  const remembered = CallbackUrl.remember(settings, request, target)
  const ended = yield* endSession(ending)
  const cookies = [...remembered, ...ended.cookies, ...forgetProviderTokens(settings, request)]
  if (ended.failure !== undefined) return yield* new FailureWithCookies({ failure: ended.failure, cookies })
  const { name } = cookiesFor(settings, request.url).idToken
  const hasIdToken = request.cookies.values.has(name) || request.cookies.values.has(`${name}.0`)
  return hasIdToken || field(request, "logout") !== undefined
    ? yield* (yield* providerLogout).goOn(ended.idOf?.(), target, cookies)
    : AuthResponse.redirect(target, cookies)
})
