/**
 * Pushed authorization requests (RFC 9126): the parameters go from this server to the provider, and the browser carries a
 * reference to them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isLine } from "../internal/Text.ts"
import type { Connection } from "./Connection.ts"
import { invalidResponse, libraryFault } from "./Fault.ts"
import { answerOf, call, readAnswer, request, sendingOf } from "./Request.ts"

const what = "pushed authorization request endpoint"

/** Longest reference, in characters: it travels in an address. */
const longestReference = 1024

const isReference = (reference: string): boolean => isLine(reference, longestReference) && URL.canParse(reference)

/** Sends the parameters of `address`, and answers the address that refers to them. `endpoint` is where the browser goes. */
export const push = Effect.fnUntraced(function* (connection: Connection, endpoint: string, address: string) {
  const { searchParams } = new URL(address)
  const sending = yield* sendingOf(connection)
  const { authentication, client, protocol, server } = sending
  const { expires_in, request_uri } = yield* request(sending, what, {
    make: (options) => protocol.pushedAuthorizationRequest(server, client, authentication, searchParams, options),
    read: (response) =>
      Effect.flatMap(readAnswer(what, response, 201), (answer) =>
        call(() => protocol.processPushedAuthorizationResponse(server, client, answerOf(answer)))
      ),
    fault: libraryFault(what, searchParams.get("redirect_uri") ?? "")
  })
  if (!isReference(request_uri) || expires_in <= 0) {
    return yield* invalidResponse(
      `the answer of the ${what} has no request_uri that can be used: expected a URI of at most ${longestReference} visible characters that has not expired, got another`
    )
  }
  const url = new URL(endpoint)
  url.searchParams.set("client_id", connection.provider.clientId)
  url.searchParams.set("request_uri", request_uri)
  return url.href
})
