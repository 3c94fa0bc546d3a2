/**
 * What a sign-in keeps of the session at its provider, so that the two end together.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { AuthRequest } from "../http/AuthRequest.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { type AdapterError, OAuthCallbackError, type SharedStateError, type SignOutError } from "../Errors.ts"
import type { SignedIdToken } from "./Profiles.ts"
import type { OidcProvider } from "../Provider/internal/Provider.ts"
import type { Seal } from "../browser/Seal.ts"
import { remember } from "../session/ProviderSessions.ts"
import type { SessionServices, SiteSession } from "../session/SessionStore.ts"
import type { Settings } from "../config/Settings.ts"
import type { Adapter } from "../storage/Storage.ts"
import { keepIdToken } from "./ProviderLogout.ts"

/**
 * A session at a provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface BegunAtProvider {
  readonly provider: OidcProvider
  readonly idToken: SignedIdToken
  /** When the browser was sent there, in milliseconds since 1970. */
  readonly begun: number
}

/**
 * Remembers which session of this site belongs to which one at the provider, as far as its options ask for it. Fails where
 * the provider has ended its session meanwhile.
 *
 * @category combinators
 * @since 0.1.0
 */
export const begin = Effect.fnUntraced(function* (
  { begun, idToken, provider }: BegunAtProvider,
  session: SiteSession
): Effect.fn.Return<
  ReadonlyArray<ResponseCookie>,
  AdapterError | OAuthCallbackError | SharedStateError | SignOutError,
  Adapter | AuthRequest | SessionServices | Settings | Seal
> {
  const { sid, sub } = idToken.claims
  if (provider.backchannelLogout !== false || provider.frontchannelLogout) {
    const at = {
      provider: provider.id,
      issuer: idToken.issuer,
      sub: typeof sub === "string" ? sub : undefined,
      sid: typeof sid === "string" ? sid : undefined
    }
    if (!(yield* remember(at, session, begun))) {
      return yield* new OAuthCallbackError({
        provider: provider.id,
        code: "login_required",
        detail: "The provider ended the session while the sign-in went on"
      })
    }
  }
  return provider.logout === undefined ? [] : yield* keepIdToken(provider, idToken, session.id)
})
