/**
 * How a sign-in at a provider begins: where to send the browser. Loaded with the first one.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { OAuthSignInError } from "../Errors.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { type AuthorizationAddress, type AuthorizationUrlRequest, writeRequest } from "./AuthorizationRequest.ts"
import { connect, type Endpoint } from "./Connection.ts"
import { failureFields, type OAuthFault } from "./Fault.ts"
import { push } from "./PushedRequest.ts"
import { thumbprintOf } from "./Request.ts"
import { type Transport, transportTo, type Transports } from "./Transport.ts"

/** The address to send the browser to, as `OAuthClient` describes it. */
export const authorizationUrl = (
  transports: Transports,
  provider: RedirectProvider,
  request: AuthorizationUrlRequest
): Effect.Effect<AuthorizationAddress, OAuthSignInError> => {
  const transport = transportTo(transports, provider)
  return Effect.mapErrorEager(
    Effect.flatMapEager(connect(transport, provider, authorizing), ({ server }) => {
      const { authorization_endpoint: endpoint = "", require_pushed_authorization_requests: isRequired } = server
      const address = Effect.mapEager(thumbprintOf(provider), (thumbprint) =>
        writeRequest(provider, endpoint, request, thumbprint)
      )
      // An issuer that accepts pushed requests may not have enabled the client for them: they are sent where it requires them.
      return (provider.pushedAuthorizationRequests ?? isRequired === true)
        ? Effect.flatMap(address, (direct) => pushed(transport, provider, endpoint, direct))
        : address
    }),
    (fault) => new OAuthSignInError(failureFields(provider, fault))
  )
}

const authorizing: ReadonlyArray<Endpoint> = ["authorization_endpoint"]

/** The address that refers to a request, which the provider was sent. */
const pushed = Effect.fnUntraced(function* (
  transport: Transport,
  provider: RedirectProvider,
  endpoint: string,
  { requested, url }: AuthorizationAddress
): Effect.fn.Return<AuthorizationAddress, OAuthFault> {
  const pushing = yield* connect(transport, provider, [
    "authorization_endpoint",
    "pushed_authorization_request_endpoint"
  ])
  return { url: yield* push(pushing, endpoint, url), requested }
})
