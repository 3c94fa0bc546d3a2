/**
 * A token endpoint that replaces a refresh token whenever one is used, and ends the whole family when an old one comes again
 * (RFC 9700 section 4.14.2), behind an `HttpClient` without sockets.
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { acme } from "./Visitor.ts"

/** The provider as an application configures it. */
export const rotating = (more: object = {}) => acme(more)

export interface RotatingProvider {
  /** Bodies of the token requests. */
  readonly requests: Array<URLSearchParams>
  /** Did an old refresh token come? */
  readonly isEnded: () => boolean
  /** Changes the members of the next answers; a `Response` replaces them. */
  change: (members: Readonly<Record<string, unknown>>) => object
  /** Runs after the refresh token was used and before the answer comes. */
  between: Effect.Effect<unknown>
  /** Answers a token request. */
  readonly answer: (fields: URLSearchParams) => Response
  readonly client: HttpClient.HttpClient
}

/** The tokens at the beginning are `access-0` and `refresh-0`, the next ones `access-1` and `refresh-1`. */
export const rotatingProvider = (): RotatingProvider => {
  const requests: Array<URLSearchParams> = []
  const spent = new Set<string>()
  let [current, isEnded] = ["refresh-0", false]
  const answer = (fields: URLSearchParams): Response => {
    requests.push(fields)
    const sent = fields.get("refresh_token") ?? ""
    if (spent.has(sent)) isEnded = true
    if (isEnded || sent !== current) return Response.json({ error: "invalid_grant" }, { status: 400 })
    const number = requests.length
    const members = provider.change({
      access_token: `access-${number}`,
      refresh_token: `refresh-${number}`,
      token_type: "Bearer",
      expires_in: 3600,
      scope: "read write"
    })
    if (members instanceof Response) return members
    const next: unknown = Reflect.get(members, "refresh_token")
    if (typeof next === "string") {
      spent.add(current)
      current = next
    }
    return Response.json(members)
  }
  const provider: RotatingProvider = {
    requests,
    isEnded: () => isEnded,
    change: (members) => members,
    between: Effect.void,
    answer,
    client: HttpClient.make((request) =>
      Effect.gen(function* () {
        const web = yield* Effect.orDie(HttpClientRequest.toWeb(request))
        const fields = new URLSearchParams(yield* Effect.promise(() => web.text()))
        const response = answer(fields)
        yield* provider.between
        return HttpClientResponse.fromWeb(request, response)
      })
    )
  }
  return provider
}
