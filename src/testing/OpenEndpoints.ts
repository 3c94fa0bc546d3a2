/**
 * Which endpoints of an `HttpApi` answer a request without credentials, although nothing marks them as public.
 *
 * Every endpoint is called once, without a cookie or a token. One that does not answer 401 or 403 is open; it has to be marked
 * with `Access.Public`, on itself, its group or the whole API. A test that expects an empty list finds every endpoint that is
 * added later without protection.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpMethod from "effect/http/HttpMethod"
import { Public } from "../Access.ts"
import type { Browser } from "./Browser.ts"

/**
 * An endpoint that is open.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenEndpoint {
  readonly group: string
  readonly endpoint: string
  readonly method: string
  readonly path: string
  /** The status of its response to a signed-out visitor. */
  readonly status: number
}

/**
 * The parameters of the paths.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenEndpointsOptions {
  /** Values of path parameters, for routes that not every value leads to. Default: `1`. */
  readonly params?: Readonly<Record<string, string>> | undefined
}

/**
 * Calls every endpoint signed out and names those that answer although they are not marked as public. `site` is a browser, whose
 * cookies are not sent, or a client that has none.
 *
 * An endpoint is called without a payload and without a query: a protected one answers 401 before it reads anything. One that
 * answers 400, or redirects, did not check the session, and is open; so is one behind `OptionalSession`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const openEndpoints = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  site: Browser | HttpClient.HttpClient,
  { params = {} }: OpenEndpointsOptions = {}
): Effect.Effect<ReadonlyArray<OpenEndpoint>, HttpClientError.HttpClientError> => {
  const endpoints: Array<{ readonly group: string; readonly endpoint: HttpApiEndpoint.Top }> = []
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
      if (!Context.get(mergedAnnotations, Public)) endpoints.push({ group: group.identifier, endpoint })
    }
  })
  const call = (client: HttpClient.HttpClient) =>
    Effect.forEach(endpoints, ({ endpoint, group }) => {
      const path = fillPath(endpoint.path, params)
      const request = HttpMethod.isHttpMethod(endpoint.method)
        ? HttpClientRequest.make(endpoint.method)(path)
        : HttpClientRequest.get(path)
      return Effect.map(client.execute(request), ({ status }): OpenEndpoint => ({
        group,
        endpoint: endpoint.identifier,
        method: endpoint.method,
        path: endpoint.path,
        status
      }))
    })
  const signedOutClient = "another" in site ? Effect.map(site.another, ({ client }) => client) : Effect.succeed(site)
  return Effect.map(Effect.flatMap(signedOutClient, call), (answers) =>
    answers.filter(({ status }) => status !== 401 && status !== 403)
  )
}

/** A path with something in place of its parameters: `:id`, `:id?`, `:id(a|b)` and `*`. Two colons are one. */
const fillPath = (path: string, params: Readonly<Record<string, string>>): string => {
  let out = ""
  let rest = path
  while (rest !== "") {
    const [whole, name] = /^::|^:(\w+)|^[^:]+|^:/.exec(rest) ?? [rest]
    rest = rest.slice(whole.length)
    if (name === undefined) {
      out += whole === "::" ? ":" : whole.replaceAll("*", "1")
      continue
    }
    if (rest.startsWith("(")) rest = rest.slice(closing(rest) + 1)
    if (rest.startsWith("?")) rest = rest.slice(1)
    out += encodeURIComponent(params[name] ?? "1")
  }
  return out
}

/** Where the parenthesis ends that a text begins with. */
const closing = (text: string): number => {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === "(") depth++
    else if (text[at] === ")" && --depth === 0) return at
  }
  return text.length
}
