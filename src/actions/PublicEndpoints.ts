/**
 * The public actions: the CSRF token, and the list of providers.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Settings, cookiesFor } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { clear } from "../http/Cookie.ts"
import { Csrf } from "../browser/Csrf.ts"
import type { SessionServices } from "../session/SessionStore.ts"
import { subjectOf } from "../session/SessionOwner.ts"
import type { PublicProvider } from "../Models.ts"
import type { Registry } from "../Provider/internal/ReadProvider.ts"
import { CsrfDisabled } from "../telemetry/Warnings.ts"

/**
 * `GET csrf`: the token of this browser; 404 when the framework has a protection of its own.
 *
 * @category actions
 * @since 0.1.0
 */
export const csrf: Effect.Effect<AuthResponse.AuthResponse, never, Settings | AuthRequest | Csrf | SessionServices> =
  Effect.contextWith((context: Context.Context<Settings | AuthRequest | Csrf | SessionServices>) => {
    const request = Context.get(context, AuthRequest)
    const settings = Context.get(context, Settings)
    return settings.skipCsrfCheck
      ? Effect.as(
          Effect.logWarning(CsrfDisabled.value),
          AuthResponse.empty(404, [clear(cookiesFor(settings, request.url).csrfToken)])
        )
      : Effect.map(
          Effect.flatMap(subjectOf(request), (subject) => Context.get(context, Csrf).token(request, subject)),
          ({ cookies, token }) => AuthResponse.json({ csrfToken: token }, cookies)
        )
  })

/**
 * `GET providers`: all providers by id, with the addresses where their sign-in starts and ends.
 *
 * @category actions
 * @since 0.1.0
 */
export const providers: Effect.Effect<AuthResponse.AuthResponse, never, Settings | AuthRequest> = Effect.contextWith(
  (context: Context.Context<Settings | AuthRequest>) => {
    const { basePath, providers } = Context.get(context, Settings)
    const base = Context.get(context, AuthRequest).origin + basePath
    return Effect.succeed(listingOf(providers, base))
  }
)

/** The answer for one address. Its list is frozen, because all answers share it. */
const makeListing = ({ identities }: Registry, base: string): AuthResponse.AuthResponse => {
  const list: Record<string, PublicProvider> = {}
  for (const { id, name, type } of identities) {
    const addresses = { signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` }
    list[id] = Object.freeze({ id, name, type, ...addresses })
  }
  return { ...AuthResponse.jsonResponse(Object.freeze(list), JSON.stringify(list), []), isShared: true }
}

/** Addresses for which the list is kept; a site has one or two. */
const most = 8
const listings = new WeakMap<Registry, Map<string, AuthResponse.AuthResponse>>()

const listingOf = (registry: Registry, base: string): AuthResponse.AuthResponse => {
  const cache = listings.get(registry) ?? new Map<string, AuthResponse.AuthResponse>()
  listings.set(registry, cache)
  const listing = cache.get(base) ?? makeListing(registry, base)
  if (cache.size < most) cache.set(base, listing)
  return listing
}
