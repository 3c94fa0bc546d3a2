/**
 * Pushed authorization requests (RFC 9126): the parameters go from this server to the provider, and the browser carries a
 * reference to them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { discoveredFault } from "../http/NetworkAddress.ts"
import { isLine } from "../internal/Text.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { answerFault, readAnswer } from "./ClientResponse.ts"
import type { Metadata } from "./Discovery.ts"
import { invalidResponse, providerError } from "./Fault.ts"
import { call, currentSeconds, library, ParsedResponse } from "./Library.ts"
import { prepareRequest } from "./PreparedRequest.ts"
import type { Transport } from "./Transport.ts"

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
): metadata is Metadata =>
  metadata !== undefined && (pushedAuthorizationRequests ?? metadata.require_pushed_authorization_requests === true)

const isReference = (reference: string): boolean => isLine(reference, longestReference) && URL.canParse(reference)

/** Sends the parameters of `address`, and answers the address that refers to them. `endpoint` is where the browser goes. */
export const push = Effect.fnUntraced(function* (
  transport: Transport,
  provider: RedirectProvider,
  { issuer, pushed_authorization_request_endpoint: pushedEndpoint }: Metadata,
  endpoint: string,
  address: string
) {
  if (pushedEndpoint === undefined) {
    return yield* providerError(
      "the metadata of the issuer names no pushed_authorization_request_endpoint; leave pushedAuthorizationRequests out"
    )
  }
  const unfit = discoveredFault("pushed_authorization_request_endpoint", pushedEndpoint, issuer)
  if (unfit !== undefined) return yield* invalidResponse(unfit)
  const server = { issuer, pushed_authorization_request_endpoint: pushedEndpoint }
  const client = { client_id: provider.clientId }
  const now = yield* currentSeconds
  const protocol = yield* library
  const { searchParams } = new URL(address)
  const request = yield* prepareRequest(what, protocol, provider, now, (authentication, options) =>
    protocol.pushedAuthorizationRequest(server, client, authentication, searchParams, options)
  )
  const { body, status } = yield* readAnswer(what, yield* transport.send(what, request), 201)
  const { expires_in, request_uri } = yield* call(
    () => protocol.processPushedAuthorizationResponse(server, client, new ParsedResponse(body, status)),
    answerFault(what, status, searchParams.get("redirect_uri") ?? "")
  )
  if (!isReference(request_uri) || expires_in <= 0) {
    return yield* invalidResponse(`the answer of the ${what} has no request_uri that can be used`)
  }
  const url = new URL(endpoint)
  url.searchParams.set("client_id", provider.clientId)
  url.searchParams.set("request_uri", request_uri)
  return url.href
})
