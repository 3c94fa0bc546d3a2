/**
 * A client for secret requests: no trace headers, no client spans (URLs and bodies hold codes and keys), and no redirects
 * followed. The application's other settings of `fetch` stay.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpMethod from "effect/http/HttpMethod"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type Network, type Outgoing, withoutBody } from "./Network.ts"
import { within } from "./Timeout.ts"

const never = () => true

/** For `Effect.updateContext` around a request. */
export const quiet = (context: Context.Context<never>): Context.Context<never> =>
  context.pipe(
    Context.add(HttpClient.TracerPropagationEnabled, false),
    Context.add(HttpClient.TracerDisabledWhen, never),
    Context.add(FetchHttpClient.RequestInit, {
      ...Context.getOrUndefined(context, FetchHttpClient.RequestInit),
      redirect: "manual"
    })
  )

/** The response of a client in the form of fetch. Clients that are not made of fetch hand over a stream of Effect. */
const webOf = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<Response> =>
  Option.match(HttpClientResponse.toWeb(response), {
    onSome: Effect.succeed,
    onNone: () =>
      Effect.map(
        Stream.toReadableStreamEffect(response.stream),
        (body) => new Response(withoutBody.has(response.status) ? null : body, response)
      )
  })

const toClientRequest = ({ body, headers, method, url }: Outgoing): HttpClientRequest.HttpClientRequest => {
  // A content type goes with the body. Without a body, a type that the caller set is sent all the same.
  const { "content-type": contentType, ...others } = headers
  const request = HttpClientRequest.setMethod(
    HttpClientRequest.make("GET")(url, { headers: body === undefined ? headers : others }),
    HttpMethod.isHttpMethod(method) ? method : "POST"
  )
  if (body === undefined) return request
  const bytes = body instanceof URLSearchParams ? new TextEncoder().encode(body.toString()) : body
  return HttpClientRequest.setBody(request, HttpBody.uint8Array(bytes, contentType))
}

/** The network of an Effect application: its client. */
export const networkOf = (client: HttpClient.HttpClient): Network["Service"] => ({
  client,
  send: (request, read, deadline) =>
    within(
      client.execute(toClientRequest(request)).pipe(
        Effect.flatMap(webOf),
        Effect.updateContext(quiet),
        Effect.flatMap((response) =>
          // The fault reads whatever was thrown.
          // @effect-diagnostics-next-line unknownInEffectCatch:off
          Effect.tryPromise({ try: (signal) => read(response, signal), catch: (error) => error })
        )
      ),
      deadline
    )
})
