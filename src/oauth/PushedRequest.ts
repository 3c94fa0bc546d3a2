/**
 * Pushed authorization requests (RFC 9126): the parameters go from this server to the provider, and the browser carries a
 * reference to them.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { discoveredFault } from "../internal/NetworkAddress.ts"
import { isLine } from "../internal/Text.ts"
import type { RedirectProvider } from "../preset/Provider.ts"
import type { Metadata } from "./Discovery.ts"
import { invalidResponse, nameOf, type OAuthFault, providerError, unavailable } from "./Fault.ts"
import { call, library } from "./Library.ts"
import { prepareRequest } from "./PreparedRequest.ts"
import { clientErrors } from "./TokenEndpoint.ts"
import { type Incoming, readJson, statusFault, toResponse, type Transport } from "./Transport.ts"

const what = "pushed authorization request endpoint"

/** Longest reference, in characters: it travels in an address. */
const longestReference = 1024

/**
 * Is the request pushed? An issuer that accepts pushed requests may not have enabled the client for them, so without the option
 * they are sent only where the issuer requires them (RFC 9126 section 5).
 */
export const isPushed = (
  { pushedAuthorizationRequests }: RedirectProvider,
  metadata: Metadata | undefined
): metadata is Metadata => metadata !== undefined && (pushedAuthorizationRequests ?? metadata.requiresPushedRequests)

/** The fault behind an error response (RFC 9126 section 2.3). */
const errorFault = (error: unknown): OAuthFault =>
  typeof error === "string" && clientErrors.has(error)
    ? providerError(`the ${what} does not accept this client (${error}); check the client id and secret`)
    : error === "temporarily_unavailable"
      ? unavailable(`the ${what} is overloaded (temporarily_unavailable)`)
      : providerError(`the ${what} reports ${nameOf(error)}`)

/** The status of every answer but 201 (RFC 9126 section 2.2), with the error that its body names. */
const refused = (incoming: Incoming): Effect.Effect<never, OAuthFault> => {
  const plain = statusFault(what, incoming.status)
  if (incoming.status < 400 || incoming.status > 499 || plain.retryable) return Effect.fail(plain)
  return Effect.flatMap(
    Effect.orElseSucceed(readJson(what, incoming), () => undefined),
    (body) => Effect.fail(typeof body?.["error"] === "string" ? errorFault(body["error"]) : plain)
  )
}

const isReference = (reference: string): boolean => isLine(reference, longestReference) && URL.canParse(reference)

/** Sends the parameters of `address`, and answers the address that refers to them. `endpoint` is where the browser goes. */
export const push = Effect.fnUntraced(function* (
  transport: Transport,
  provider: RedirectProvider,
  { issuer, pushedRequestEndpoint }: Metadata,
  endpoint: string,
  address: string
) {
  if (pushedRequestEndpoint === undefined) {
    return yield* providerError(
      "the metadata of the issuer names no pushed_authorization_request_endpoint; leave pushedAuthorizationRequests out"
    )
  }
  const unfit = discoveredFault("pushed_authorization_request_endpoint", pushedRequestEndpoint, issuer)
  if (unfit !== undefined) return yield* invalidResponse(unfit)
  const server = { issuer, pushed_authorization_request_endpoint: pushedRequestEndpoint }
  const client = { client_id: provider.clientId }
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const protocol = yield* library
  const { searchParams } = new URL(address)
  const request = yield* prepareRequest(what, protocol, provider, now, (authentication, options) =>
    protocol.pushedAuthorizationRequest(server, client, authentication, searchParams, options)
  )
  const incoming = yield* transport.send(what, request)
  if (incoming.status !== 201) return yield* refused(incoming)
  // A member that is there twice is refused, which oauth4webapi does not do.
  yield* readJson(what, incoming)
  const { expires_in, request_uri } = yield* call(
    () => protocol.processPushedAuthorizationResponse(server, client, toResponse(incoming)),
    () => invalidResponse(`the answer of the ${what} is malformed`)
  )
  if (!isReference(request_uri) || expires_in <= 0) {
    return yield* invalidResponse(`the answer of the ${what} has no request_uri that can be used`)
  }
  const url = new URL(endpoint)
  url.searchParams.set("client_id", provider.clientId)
  url.searchParams.set("request_uri", request_uri)
  return url.href
})
