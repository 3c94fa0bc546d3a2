/**
 * Requests from this server to a provider, with the limits that hold for every one of them.
 *
 * One request has ten seconds, answer included. An answer is read up to 512 kB after decompression. Redirects are not
 * followed: their target is not the endpoint that was configured. Nothing of the request reaches a tracer, and
 * what failed is described without headers or bodies, because these hold the client secret and the code.
 *
 * @since 0.1.0
 */
import { providerScope, type Site } from "../crypto/Scope.ts"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readBounded, readIterable } from "../internal/BoundedStream.ts"
import { isJsonObject, type JsonObject, readJsonText } from "../internal/JsonText.ts"
import { describe, names, showAddress } from "../internal/Mismatch.ts"
import { hostOf, NetworkFailure, networkFailure } from "../internal/NetworkFailure.ts"
import {
  byFetch,
  type Fetch,
  type Network,
  type Outgoing,
  type Read,
  type Way,
  withoutBody
} from "../internal/Network.ts"
import { type Deadline, withSignal } from "../internal/Timeout.ts"
import { type Endpoint, logDebug, recordDuration, span } from "../telemetry/Signals.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { invalidResponse, OAuthFault, redirected, unavailable } from "./Fault.ts"

/** The name of an endpoint in the details of a fault, in spans and in metrics. */
const endpoints = {
  "discovery document": "discovery",
  "key set": "keys",
  "pushed authorization request endpoint": "par",
  "revocation endpoint": "revocation",
  "token endpoint": "token",
  "userinfo endpoint": "userinfo"
} as const satisfies Readonly<Record<string, Endpoint>>

/** The name of an endpoint in the details of a fault. */
export type EndpointName = keyof typeof endpoints

/** The way to one provider. */
export interface Transport {
  /** Sends one request, and reads the answer into memory; `what` names the endpoint in the details of a fault. */
  readonly send: (what: EndpointName, request: Outgoing) => Effect.Effect<Response, OAuthFault>
  /** Owner and scope identify the way: documents that one way fetched are never used for another. */
  readonly owner: object
  readonly scope: string
  /** The provider has a function of its own that is made anew again and again: nothing that it fetches is kept. */
  readonly isMadeAnew?: boolean
}

/** Time for one request, its answer included, in milliseconds. */
const milliseconds = 10_000

/** Largest answer, in bytes after decompression. */
const limit = 512 * 1024

/** The endpoint of a request: the name of the endpoint in the details of a fault, and its address. */
interface Target {
  readonly what: string
  readonly url: string
}

/** A client that throws or dies is one that cannot be reached. What it died of may throw when it is looked at. */
const unreachable =
  ({ url, what }: Target) =>
  (cause: unknown): OAuthFault =>
    OAuthFault.is(cause)
      ? cause
      : unavailable(`the ${what} could not be reached`, { cause: networkFailure(cause, hostOf(url)) })

const brokenOff =
  ({ url, what }: Target) =>
  (cause: unknown): OAuthFault =>
    unavailable(`the answer of the ${what} broke off`, { cause: networkFailure(cause, hostOf(url)) })

/** Ends a request that takes too long, and gives every failure and defect its fault. */
const deadlineOf = (target: Target): Deadline<OAuthFault> => ({
  milliseconds,
  failed: unreachable(target),
  late: () =>
    unavailable(`the ${target.what} did not answer within ten seconds`, {
      cause: new NetworkFailure("ETIMEDOUT", hostOf(target.url))
    })
})

/** The value of an application's function in place of a response. */
const isResponse = (u: unknown): u is Response =>
  typeof u === "object" && u !== null && "status" in u && "headers" in u && "arrayBuffer" in u

const isIterable = (body: object): body is AsyncIterable<unknown> =>
  Symbol.asyncIterator in body && typeof body[Symbol.asyncIterator] === "function"

/** Some implementations of fetch have streams of their own. A body that is no stream of any kind is in memory by now. */
const bytesOf = (response: Response, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | "too_large"> => {
  const body: unknown = response.body
  if (body === null) return Promise.resolve(new Uint8Array(0))
  const isObject = typeof body === "object"
  const reading =
    isObject && "getReader" in body && typeof body.getReader === "function"
      ? readBounded(body as ReadableStream, limit)
      : isObject && isIterable(body)
        ? readIterable(body, limit)
        : undefined
  if (reading === undefined) {
    return response.arrayBuffer().then((whole) => (whole.byteLength > limit ? "too_large" : new Uint8Array(whole)))
  }
  signal.addEventListener("abort", reading.cancel, { once: true })
  return reading.bytes
}

/** Reads a response to its end, or rejects with a fault. Fetch hides a redirect that it does not follow behind the status 0. */
const readWeb =
  (target: Target): Read<Response> =>
  (response, signal) => {
    const refuse = (fault: OAuthFault) => Promise.reject<Response>(fault)
    if (!isResponse(response)) return refuse(unreachable(target)(undefined))
    const status = Number(response.status)
    const refusal = signal.aborted
      ? unreachable(target)(signal.reason)
      : response.redirected || status < 200
        ? redirected(target.what)
        : undefined
    const begun = Promise.resolve()
    if (refusal !== undefined) {
      const end = () => refuse(refusal)
      return begun.then(() => response.body?.cancel()).then(end, end)
    }
    return begun
      .then(() => bytesOf(response, signal))
      .then(
        (bytes) =>
          bytes === "too_large"
            ? refuse(
                invalidResponse(
                  `the answer of the ${target.what} is larger than 512 kB, or comes in too many empty pieces`
                )
              )
            : Number.isInteger(status) && status <= 599
              ? new Response(withoutBody.has(status) ? null : bytes, { status, headers: new Headers(response.headers) })
              : refuse(unreachable(target)(undefined)),
        (cause: unknown) => refuse(brokenOff(target)(cause))
      )
  }

/** Reads a `Response` that a function of the application gave, with the same limits. */
export const readGiven = (what: string, response: Response): Effect.Effect<Response, OAuthFault> => {
  const target = { what, url: response.url }
  return withSignal((signal) => readWeb(target)(response, signal), deadlineOf(target))
}

const formType = "application/x-www-form-urlencoded"

/** The body of a form as Auth.js hands it to a `customFetch`, which may add members to it. */
const bodyFor = ({ body, headers }: Outgoing): Outgoing["body"] =>
  body instanceof Uint8Array && headers["content-type"]?.toLowerCase().startsWith(formType) === true
    ? new URLSearchParams(new TextDecoder().decode(body))
    : body

const byOwnFetch = (fetcher: Fetch): Way => {
  const way = byFetch(fetcher)
  return (request, read, deadline) => way({ ...request, body: bodyFor(request) }, read, deadline)
}

/** Sends over a way, within the limits. */
const limited =
  (way: Way): Transport["send"] =>
  (what, request) => {
    const target = { what, url: request.url }
    return way(request, readWeb(target), deadlineOf(target))
  }

/** A way in the form of `fetch`, for functions that call an endpoint from within this context. */
export const fetchOver =
  ({ send }: Pick<Transport, "send">, what: EndpointName, context: Context.Context<never>): Fetch =>
  (input, init) => {
    const request = new Request(input, init)
    const { headers, method, signal, url } = request
    const buffer = request.body === null ? Effect.undefined : Effect.promise(() => request.arrayBuffer())
    const sending = Effect.flatMap(buffer, (bytes) =>
      send(what, {
        method,
        url,
        headers: Object.fromEntries(headers.entries()),
        body: bytes === undefined ? undefined : new Uint8Array(bytes)
      })
    )
    return Effect.runPromiseWith(context)(sending, { signal })
  }

/** A transport with spans, metrics and debug messages: which endpoint of which provider, and how the request ended. */
const observed =
  (provider: string, send: Transport["send"]): Transport["send"] =>
  (what, request) => {
    const endpoint = endpoints[what]
    return send(what, request).pipe(
      logDebug<Response>(
        "provider_response",
        ({ status }) => ({ status }),
        () => ({ provider, endpoint: what, method: request.method, url: showAddress(request.url) })
      ),
      recordDuration(provider, endpoint),
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

/** The functions of a scope that were seen: how many, and the last one. */
interface SeenFetch {
  count: number
  last: WeakRef<Fetch>
}

const seenFetches = new Map<string, SeenFetch>()

/** Most scopes that are counted; the oldest is removed first. */
const capacity = 1000

/** So many different functions for one provider of one site are no accident. */
const tooMany = 5

const isMadeAnew = (fetch: Fetch, scope: string): boolean => {
  const seen = seenFetches.get(scope) ?? { count: 0, last: new WeakRef(fetch) }
  if (seen.count === 0 || seen.last.deref() !== fetch) {
    seen.count++
    seen.last = new WeakRef(fetch)
  }
  seenFetches.set(scope, seen)
  const [oldest] = seenFetches.size > capacity ? seenFetches.keys() : []
  if (oldest !== undefined) seenFetches.delete(oldest)
  return seen.count >= tooMany
}

/** The dependencies of transports: the network of the application, and the site. */
export interface Transports {
  readonly network: Network["Service"]
  readonly site: Site
}

/**
 * The way to a provider: over its own `fetch` if it has one, over the network of the application otherwise. Metadata and keys that
 * a provider's own `fetch` brings are kept for this function alone, and for the secret and base path of the site and the id, type,
 * issuer and client id of the provider.
 */
export const transportTo = (
  { network, site }: Transports,
  { adaptFetch, clientId, fetch, id, issuer, type }: RedirectProvider
): Transport => {
  const direct = limited(fetch === undefined ? network.send : byOwnFetch(fetch))
  const adapted: Transport["send"] =
    adaptFetch === undefined
      ? direct
      : (what, request) =>
          Effect.contextWith((context: Context.Context<never>) =>
            limited(byOwnFetch(adaptFetch(fetchOver({ send: direct }, what, context))))(what, request)
          )
  const isShared = fetch === undefined && adaptFetch === undefined
  const scope = isShared ? "" : providerScope("fetch", site, id, type, issuer, clientId)
  return {
    send: observed(id, adapted),
    owner: fetch ?? network.client ?? network,
    scope,
    isMadeAnew: fetch !== undefined && isMadeAnew(fetch, scope)
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The text of an answer, or `undefined` when it is not UTF-8. */
export const textOf = (response: Response): Effect.Effect<string | undefined> =>
  Effect.map(
    Effect.promise(() => response.arrayBuffer()),
    (bytes) => Result.getOrUndefined(Result.try(() => utf8.decode(bytes)))
  )

/** The media type of an answer, without parameters and in lower case. */
export const mediaType = ({ headers }: Response): string =>
  (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

/** The JSON object that an answer holds. */
export const readJson = Effect.fnUntraced(function* (
  what: string,
  response: Response
): Effect.fn.Return<JsonObject, OAuthFault> {
  const refuse = (reason: string) => invalidResponse(`the answer of the ${what} ${reason}`)
  const type = mediaType(response)
  if (!/^(?:application|text)\/json$|^[\w.-]+\/[\w.-]+\+json$/.test(type))
    return yield* refuse(`is not marked as JSON${names("application/json", type)}`)
  const text = yield* textOf(response)
  const read = text === undefined ? "not_json" : readJsonText(text)
  if (read === "repeated") return yield* refuse("gives a member twice: expected each once")
  return typeof read !== "string" && isJsonObject(read.value)
    ? read.value
    : yield* refuse(
        `is not a JSON object: got ${typeof read === "string" ? "a text that is not JSON" : describe(read.value)}`
      )
})
