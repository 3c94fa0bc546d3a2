/**
 * The way to a provider that repeats what it was told, in every place where an answer or a failure has room for it.
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import type * as Sinks from "./Sinks.ts"
import type { TestProvider } from "../../src/testing/IdentityProvider.ts"
import type { Plan } from "./Plan.ts"

/** The client of the site: the provider, which may repeat what it was told. */
export const clientOf = (idp: TestProvider, { fault }: Plan, sinks: Sinks.Sinks): HttpClient.HttpClient =>
  HttpClient.make((request, url) => {
    sinks.say("request address", url.href)
    const told = Effect.map(Effect.orDie(HttpClientRequest.toWeb(request)), (web) => web)
    const repeating = (respond: (text: string) => Response) =>
      Effect.flatMap(told, (web) =>
        Effect.map(
          Effect.promise(() => web.text()),
          (body) =>
            HttpClientResponse.fromWeb(
              request,
              respond(
                `${decodeURIComponent(body.replaceAll("+", " "))} ${body} ${[...web.headers].join(" ")} ${url.href}`
              )
            )
        )
      )
    switch (`${fault} ${url.pathname}`) {
      case "token endpoint echoes as JSON /token":
        return repeating((text) =>
          Response.json(
            {
              error: text.slice(0, 200),
              error_description: text,
              error_uri: `https://idp.test/?${encodeURIComponent(text)}`
            },
            { status: 400 }
          )
        )
      case "token endpoint echoes as a page /token":
        return repeating(
          (text) => new Response(`<p>${text}`, { status: 500, headers: { "content-type": "text/html" } })
        )
      case "token endpoint breaks with the request /token":
        return repeating((text) => new Response(text)).pipe(
          Effect.flatMap((response) => response.text),
          Effect.orDie,
          Effect.flatMap((text) =>
            Effect.fail(
              new HttpClientError.HttpClientError({
                reason: new HttpClientError.TransportError({
                  request,
                  cause: Object.assign(new Error(`connection lost: ${text}`), { request, text }),
                  description: text
                })
              })
            )
          )
        )
      case "userinfo echoes /userinfo":
        return repeating((text) =>
          Response.json(
            { error: text },
            { status: 401, headers: { "www-authenticate": `Bearer error="${encodeURIComponent(text)}"` } }
          )
        )
      case "metadata echoes /.well-known/openid-configuration":
        return repeating((text) => Response.json({ issuer: text }))
      default:
        return idp.client.execute(request)
    }
  })
