import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"

/** A network that must not be used. */
export const offline = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make((request) => Effect.die(`nothing may be sent to ${request.url}`))
)
