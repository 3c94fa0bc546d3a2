/**
 * Where a browser is sent to sign out at its provider (OpenID Connect RP-Initiated Logout 1.0 section 2).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { discoveredFault } from "../http/NetworkAddress.ts"
import type { OidcProvider } from "../Provider/internal/Provider.ts"
import type { Metadata } from "./Connection.ts"
import { invalidResponse, type OAuthFault } from "./Fault.ts"

/**
 * What belongs to one logout request.
 *
 * @category models
 * @since 0.1.0
 */
export interface LogoutRequest {
  /** The ID token of the session. Without one the provider may ask the person. */
  readonly idTokenHint: Redacted.Redacted | undefined
  /** The address to come back to, which is registered at the provider. */
  readonly returnTo: string
  readonly state: string
}

/**
 * The address; `undefined` for a provider without an `end_session_endpoint`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const endSessionAddress = (
  { clientId }: OidcProvider,
  { end_session_endpoint: endpoint, issuer }: Metadata,
  { idTokenHint, returnTo, state }: LogoutRequest
): Effect.Effect<string | undefined, OAuthFault> => {
  if (endpoint === undefined) return Effect.undefined
  const refused = discoveredFault("end_session_endpoint", endpoint, issuer)
  if (refused !== undefined) return Effect.fail(invalidResponse(refused))
  const url = new URL(endpoint)
  const parameters = {
    ...(idTokenHint === undefined ? {} : { id_token_hint: Redacted.value(idTokenHint) }),
    post_logout_redirect_uri: returnTo,
    client_id: clientId,
    state
  }
  for (const [name, parameter] of Object.entries(parameters)) url.searchParams.set(name, parameter)
  return Effect.succeed(url.href)
}
