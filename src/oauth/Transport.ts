/**
 * Requests from this server to a provider, with the limits that hold for every one of them.
 *
 * One request has ten seconds, answer included. An answer is read up to 512 kB after decompression. Redirects are not
 * followed: whoever answers with one is not the endpoint that was configured. Nothing of the request reaches a tracer, and
 * what failed is described without headers or bodies, because these hold the client secret and the code.
 *
 * @since 0.1.0
 */
import { ownMemory } from "../internal/Markers.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as HttpBody from "effect/http/HttpBody"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpMethod from "effect/http/HttpMethod"
import { collector } from "../internal/BoundedStream.ts"
import { boundedFetch, type Fetched, readResponse } from "./BoundedFetch.ts"
import { isJsonObject, type JsonObject, readJsonText } from "../internal/JsonText.ts"
import { showAddress } from "../internal/Mismatch.ts"
import { hostOf, NetworkFailure, networkFailure } from "../internal/NetworkFailure.ts"
import { patiently } from "../internal/Timeout.ts"
import { quiet } from "../internal/UntracedClient.ts"
import { span } from "../telemetry/Span.ts"
import { debugged } from "../telemetry/DebugLog.ts"
import { type Endpoint, timed } from "../telemetry/Metrics.ts"
import { invalidResponse, OAuthFault, redirected, unavailable } from "./Fault.ts"

/** A request to a provider. Header names are lower case. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | URLSearchParams | undefined
}

type Fetch = typeof globalThis.fetch

/** What a provider says about the way to it. */
export interface Route {
  /** Its id, for whoever measures. */
  readonly id?: string | undefined
  readonly fetch: Fetch | undefined
  readonly adaptFetch: ((inner: Fetch) => Fetch) | undefined
}

/** What an endpoint is called in the details of a fault, and where it is traced or measured. */
const endpoints = {
  "discovery document": "discovery",
  "key set": "keys",
  "pushed authorization request endpoint": "par",
  "token endpoint": "token",
  "userinfo endpoint": "userinfo"
} as const satisfies Readonly<Record<string, Endpoint>>

/** The name of an endpoint in the details of a fault. */
export type EndpointName = keyof typeof endpoints

/** The way to one provider. */
export interface Transport {
  /** Sends one request, and reads the answer to its end; `what` names the endpoint in the details of a fault. */
  readonly send: (what: EndpointName, request: Outgoing) => Effect.Effect<Response, OAuthFault>
  /** The same way in the form of `fetch`, for functions of the application in the place of an endpoint. */
  readonly fetch: (what: EndpointName) => Effect.Effect<Fetch>
  /** Identity of the way: what was fetched over one is never taken for what another would bring. */
  readonly owner: object
}

/** Time for one request, its answer included. */
const deadline = "10 seconds"

/** Largest answer, in bytes after decompression. */
const limit = 512 * 1024

/** What is asked: the name of the endpoint in the details of a fault, and its address. */
interface Target {
  readonly what: string
  readonly url: string
}

const unreachable =
  ({ url, what }: Target) =>
  (cause: unknown): OAuthFault =>
    OAuthFault.is(cause) ? cause : unavailable(`the ${what} could not be reached`, networkFailure(cause, hostOf(url)))

const brokenOff =
  ({ url, what }: Target) =>
  (cause: unknown): OAuthFault =>
    unavailable(`the answer of the ${what} broke off`, networkFailure(cause, hostOf(url)))

const tooLarge = (what: string): OAuthFault =>
  invalidResponse(`the answer of the ${what} is larger than 512 kB, or comes in too many empty pieces`)

const late = ({ url, what }: Target): OAuthFault =>
  unavailable(`the ${what} did not answer within ten seconds`, new NetworkFailure("ETIMEDOUT", hostOf(url)))

const ignore = (): undefined => undefined

/** The answer, or the fault that stands for what went wrong. */
const answerOf =
  (target: Target) =>
  (fetched: Fetched): Effect.Effect<Response, OAuthFault> => {
    switch (fetched._tag) {
      case "Answer":
        return toResponse(target.what, fetched)
      case "Unreachable":
        return Effect.fail(unreachable(target)(fetched.cause))
      case "BrokenOff":
        return Effect.fail(brokenOff(target)(fetched.cause))
      case "TooLarge":
        return Effect.fail(tooLarge(target.what))
      case "Redirected":
        return Effect.fail(redirected(target.what))
    }
  }

/** Does something that a signal can end, within the deadline; whatever interrupts it ends it. */
const within = (
  target: Target,
  start: (signal: AbortSignal) => Promise<Fetched>
): Effect.Effect<Response, OAuthFault> =>
  Effect.suspend(() => {
    const controller = new AbortController()
    return patiently(start(controller.signal), {
      duration: deadline,
      failed: brokenOff(target),
      late: () => late(target)
    }).pipe(
      Effect.onExit((exit) => (exit._tag === "Success" ? Effect.void : Effect.sync(() => controller.abort()))),
      Effect.flatMap(answerOf(target))
    )
  })

const fromWeb = (target: Target, response: Response): Effect.Effect<Response, OAuthFault> =>
  within(target, (signal) => readResponse(response, limit, signal))

/** Clients that are not made of fetch hand over a stream of Effect. */
const fromStream = (
  target: Target,
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<Response, OAuthFault> =>
  response.stream.pipe(
    Stream.mapError(brokenOff(target)),
    Stream.runFoldEffect(
      () => collector(limit),
      (collected, chunk) =>
        Effect.suspend(() => (collected.add(chunk) ? Effect.succeed(collected) : Effect.fail(tooLarge(target.what))))
    ),
    Effect.flatMap((collected) =>
      toResponse(target.what, {
        status: response.status,
        headers: new Headers(response.headers),
        body: collected.bytes()
      })
    )
  )

const toClientRequest = (request: Outgoing): HttpClientRequest.HttpClientRequest => {
  const { "content-type": contentType, ...others } = request.headers
  // A type goes with the content; where there is none, whoever named a type wants it sent all the same.
  const headers = request.body === undefined ? request.headers : others
  const content = request.body instanceof URLSearchParams ? request.body.toString() : request.body
  const body =
    typeof content === "string"
      ? HttpBody.text(content, contentType)
      : content === undefined
        ? undefined
        : HttpBody.uint8Array(content, contentType)
  const method = HttpMethod.isHttpMethod(request.method) ? request.method : "POST"
  const empty = HttpClientRequest.make("GET")(request.url, { headers })
  const named = HttpClientRequest.setMethod(empty, method)
  return body === undefined ? named : HttpClientRequest.setBody(named, body)
}

const sendByClient =
  (client: HttpClient.HttpClient): Transport["send"] =>
  (what, request) => {
    const target = { what, url: request.url }
    return client.execute(toClientRequest(request)).pipe(
      Effect.mapError(unreachable(target)),
      Effect.flatMap((response) => {
        const web = HttpClientResponse.toWeb(response)
        return Option.isSome(web) ? fromWeb(target, web.value) : fromStream(target, response)
      }),
      // A client that dies is one that cannot be reached. What it died of may throw when it is looked at.
      Effect.catchDefect((defect) => Effect.fail(unreachable(target)(defect))),
      Effect.updateContext(quiet),
      Effect.timeoutOrElse({ duration: deadline, orElse: () => Effect.fail(late(target)) })
    )
  }

const formType = "application/x-www-form-urlencoded"

/** The body of a form as Auth.js hands it to a `customFetch`, which may add members to it. */
const bodyFor = ({ body, headers }: Outgoing): Outgoing["body"] =>
  body !== undefined &&
  !(body instanceof URLSearchParams) &&
  headers["content-type"]?.toLowerCase().startsWith(formType) === true
    ? new URLSearchParams(typeof body === "string" ? body : new TextDecoder().decode(body))
    : body

const sendByFetch =
  (fetcher: Fetch): Transport["send"] =>
  (what, request) =>
    within({ what, url: request.url }, (signal) => {
      const { headers, method, url } = request
      const body = bodyFor(request)
      // The headers are the function's own: it may change them.
      const init: RequestInit = { method, headers: { ...headers }, redirect: "manual", signal }
      return boundedFetch(() => fetcher(url, body === undefined ? init : { ...init, body }), limit, signal)
    })

/** Statuses whose responses cannot have a body (Fetch standard, "null body status"). */
const withoutBody: ReadonlySet<number> = new Set([101, 103, 204, 205, 304])

/** An answer that is in memory. Fetch hides a redirect that it does not follow behind the status 0. */
const toResponse = (
  what: string,
  { body, headers, status }: Omit<Extract<Fetched, { readonly _tag: "Answer" }>, "_tag">
): Effect.Effect<Response, OAuthFault> =>
  status < 200
    ? Effect.fail(redirected(what))
    : Effect.succeed(new Response(withoutBody.has(status) ? null : body, { status, headers }))

/** Reads a `Response` that a function of the application gave, with the same limit. */
export const readBounded = (what: string, response: Response): Effect.Effect<Response, OAuthFault> =>
  fromWeb({ what, url: response.url }, response)

/** `send` in the form of `fetch`. */
const fetchOver = (send: Transport["send"], what: EndpointName): Effect.Effect<Fetch> =>
  Effect.withFiber((fiber) => {
    const run = Effect.runPromiseWith(fiber.context)
    const fetcher: Fetch = (input, init) => {
      const request = new Request(input, init)
      const outgoing = Effect.map(
        Effect.promise(() => (request.body === null ? Promise.resolve(undefined) : request.arrayBuffer())),
        (body): Outgoing => ({
          method: request.method,
          url: request.url,
          headers: Object.fromEntries(request.headers.entries()),
          body: body === undefined ? undefined : new Uint8Array(body)
        })
      )
      return run(
        Effect.flatMap(outgoing, (made) => send(what, made)),
        { signal: request.signal }
      )
    }
    return Effect.succeed(fetcher)
  })

const owners = new WeakMap<object, Map<string, object>>()

/** Most scopes for one function or client; the oldest is removed first. */
const capacity = 1000

/**
 * The object that stands for the providers of one scope. A configuration that is made for every request has a new function
 * each time, and keeps what was fetched.
 */
const ownerOf = (client: object, scope: string): object => {
  const scopes = owners.get(client) ?? new Map<string, object>()
  owners.set(client, scopes)
  const owner = scopes.get(scope) ?? {}
  scopes.set(scope, owner)
  const [oldest] = scopes.size > capacity ? scopes.keys() : []
  if (oldest !== undefined) scopes.delete(oldest)
  return owner
}

/** The same way, seen by whoever traces or measures: which endpoint of which provider, and how it ended. */
const observed =
  (provider: string, send: Transport["send"]): Transport["send"] =>
  (what, request) => {
    const endpoint = endpoints[what]
    return send(what, request).pipe(
      debugged<Response>(
        "provider_response",
        ({ status }) => ({ status }),
        () => ({ provider, endpoint: what, ...sent(request) })
      ),
      timed(provider, endpoint),
      span<Response>("effect-doorman.provider", {
        kind: "client",
        attributes: () => ({
          "effect-doorman.provider": provider,
          "effect-doorman.endpoint": endpoint,
          "server.address": hostOf(request.url) ?? "unknown",
          "http.request.method": request.method
        }),
        ended: ({ status }) => ({ "http.response.status_code": status })
      })
    )
  }

/** What of a request a debug message shows: the method, and the address without its query. */
const sent = ({ method, url }: Outgoing) => ({ method, url: showAddress(url) })

/**
 * The way to a provider: over its own `fetch` if it has one, over the client of the application otherwise. `scope` names
 * the provider of a site, with the options that decide what is fetched.
 */
export const make = (client: HttpClient.HttpClient, route: Route, scope: () => string): Transport => {
  const direct = route.fetch === undefined ? sendByClient(client) : sendByFetch(route.fetch)
  const { adaptFetch } = route
  const adapted: Transport["send"] =
    adaptFetch === undefined
      ? direct
      : (what, request) =>
          Effect.flatMap(fetchOver(direct, what), (inner) => sendByFetch(adaptFetch(inner))(what, request))
  const send = observed(route.id ?? "unknown", adapted)
  const isOwn = route.fetch !== undefined || adaptFetch !== undefined
  return {
    send,
    fetch: (what) => fetchOver(send, what),
    owner:
      route.fetch !== undefined && ownMemory in route.fetch ? route.fetch : isOwn ? ownerOf(client, scope()) : client
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The text of an answer, or `undefined` when it is not UTF-8. */
export const textOf = (response: Response): Effect.Effect<string | undefined> =>
  Effect.flatMap(
    Effect.promise(() => response.arrayBuffer()),
    (body) => Effect.orElseSucceed(Effect.try({ try: () => utf8.decode(body), catch: ignore }), ignore)
  )

/** The media type of an answer, without parameters and in lower case. */
export const mediaType = (headers: Headers): string =>
  (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

const isJson = (type: string): boolean =>
  type === "application/json" || type === "text/json" || /^[\w.-]+\/[\w.-]+\+json$/.test(type)

/** The JSON object that an answer holds. */
export const readJson = (what: string, response: Response): Effect.Effect<JsonObject, OAuthFault> => {
  if (!isJson(mediaType(response.headers))) {
    return Effect.fail(invalidResponse(`the answer of the ${what} is not marked as JSON`))
  }
  return Effect.flatMap(textOf(response), (text) => {
    const read = text === undefined ? "not_json" : readJsonText(text)
    if (read === "repeated") return Effect.fail(invalidResponse(`the answer of the ${what} gives a member twice`))
    return typeof read !== "string" && isJsonObject(read.value)
      ? Effect.succeed(read.value)
      : Effect.fail(invalidResponse(`the answer of the ${what} is not a JSON object`))
  })
}
