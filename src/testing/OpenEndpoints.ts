/**
 * Which endpoints of an `HttpApi` answer somebody without credentials, although nothing says that they may.
 *
 * Every endpoint is called once, without a cookie or a token. One that does not answer 401 or 403 is open; it has to be marked
 * with `Access.Public`, on itself, its group or the whole api. A test that expects an empty list finds the endpoint that somebody
 * adds next year and forgets to protect.
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
  /** What it answered to nobody. */
  readonly status: number
}

/**
 * Calls every endpoint as nobody and names those that answer although they are not marked as public.
 *
 * @category combinators
 * @since 0.1.0
 */
export const openEndpoints = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  client: HttpClient.HttpClient
): Effect.Effect<ReadonlyArray<OpenEndpoint>, HttpClientError.HttpClientError> => {
  const closed: Array<{ readonly group: string; readonly endpoint: HttpApiEndpoint.Top }> = []
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
      if (!Context.get(mergedAnnotations, Public)) closed.push({ group: group.identifier, endpoint })
    }
  })
  return Effect.map(
    Effect.forEach(closed, ({ endpoint, group }) => {
      const path = filled(endpoint.path)
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
    }),
    (answers) => answers.filter(({ status }) => status !== 401 && status !== 403)
  )
}

/** A path with something in place of its parameters. */
const filled = (path: string): string => path.replaceAll(/:\w+[?*+]?(?:\([^)]*\))?/g, "1").replaceAll("*", "1")
