/**
 * What a sign-in keeps of the session at its provider, so that the two end together.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { AuthRequest } from "../http/AuthRequest.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import type { SharedStateError } from "../Errors.ts"
import type { SignedIdToken } from "./Profiles.ts"
import type { OidcProvider } from "../Provider/internal/Provider.ts"
import type { Seal } from "../browser/Seal.ts"
import { remember, type SiteSession } from "../session/ProviderSessions.ts"
import type { Settings } from "../config/Settings.ts"
import type { Adapter } from "../storage/Storage.ts"
import { keepIdToken } from "./ProviderLogout.ts"

/**
 * Remembers which session of this site belongs to which one at the provider, as far as its options ask for it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const begin = Effect.fnUntraced(function* (
  {
    idToken,
    provider
  }: {
    readonly provider: OidcProvider
    readonly idToken: SignedIdToken
  },
  session: SiteSession
): Effect.fn.Return<ReadonlyArray<ResponseCookie>, SharedStateError, Adapter | AuthRequest | Settings | Seal> {
  const { sid, sub } = idToken.claims
  if (provider.backchannelLogout !== false || provider.frontchannelLogout) {
    yield* remember(
      {
        provider: provider.id,
        issuer: idToken.issuer,
        sub: typeof sub === "string" ? sub : undefined,
        sid: typeof sid === "string" ? sid : undefined
      },
      session
    )
  }
  return provider.logout === undefined ? [] : yield* keepIdToken(provider, idToken, session.id)
})
