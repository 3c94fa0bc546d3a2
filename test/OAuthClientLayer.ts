/** The client of no site in particular, over the HTTP client of a test. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { networkOf } from "../src/internal/UntracedClient.ts"
import { OAuthClient } from "../src/oauth/OAuthClient.ts"

export const clientLayer: Layer.Layer<OAuthClient, never, HttpClient.HttpClient> = Layer.effect(
  OAuthClient,
  Effect.map(HttpClient.HttpClient, (client) => OAuthClient.make(networkOf(client)))
)
