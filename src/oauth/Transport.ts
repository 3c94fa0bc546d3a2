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
import { readBounded, readIterable, type Reading } from "../internal/BoundedStream.ts"
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
import {
  type Endpoint,
  isDebugged,
  isMeasured,
  isTraced,
  logDebug,
  recordDuration,
  span
} from "../telemetry/Signals.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { invalidResponse, OAuthFault, redirected, unavailable } from "./Fault.ts"

/** What an endpoint is called in the details of a fault, and where it is traced or measured. */
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

/** A response whose body is in memory. */
export interface BufferedResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The same as a `Response`, for functions that take one. */
export const toWeb = ({ bytes, headers, status }: BufferedResponse): Response =>
  new Response(withoutBody.has(status) ? null : bytes, { status, headers })

/** The way to one provider. */
export interface Transport {
  /** Sends one request, and reads the answer to its end; `what` names the endpoint in the details of a fault. */
  readonly send: (what: EndpointName, request: Outgoing) => Effect.Effect<BufferedResponse, OAuthFault>
  /** The same way in the form of `fetch`, for functions of the application that call an endpoint from within this context. */
  readonly fetch: (what: EndpointName, context: Context.Context<never>) => Fetch
  /** Identity of the way: what was fetched over one is never taken for what another would bring. */
  readonly owner: object
  /** The provider has a function of its own that is made anew again and again: nothing that it fetches is kept. */
  readonly isMadeAnew?: boolean
}

/** Time for one request, its answer included, in milliseconds. */
const milliseconds = 10_000

/** Largest answer, in bytes after decompression. */
const limit = 512 * 1024

/** What is asked: the name of the endpoint in the details of a fault, and its address. */
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

/** What a function of the application gave in the place of a response. */
const isResponse = (u: unknown): u is Response =>
  typeof u === "object" && u !== null && "status" in u && "headers" in u && "arrayBuffer" in u

/** Is this a status that a `Response` can have? */
const isStatus = (status: number): boolean => Number.isInteger(status) && status <= 599

/** Some implementations of fetch have streams of their own. */
const readingOf = (body: unknown): Reading | undefined => {
  if (body instanceof ReadableStream) return readBounded(body, limit)
  if (typeof body !== "object" || body === null) return undefined
  if ("getReader" in body && typeof body.getReader === "function") return readBounded(body as ReadableStream, limit)
  return isIterable(body) ? readIterable(body, limit) : undefined
}

const isIterable = (body: object): body is AsyncIterable<unknown> =>
  Symbol.asyncIterator in body && typeof body[Symbol.asyncIterator] === "function"

/** A body that is no stream of any kind is in memory by now. */
const bytesOf = (response: Response, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | "too_large"> => {
  const { body } = response
  if (body === null) return Promise.resolve(new Uint8Array(0))
  const reading = readingOf(body)
  if (reading === undefined) {
    return response.arrayBuffer().then((whole) => (whole.byteLength > limit ? "too_large" : new Uint8Array(whole)))
  }
  const { bytes, cancel } = reading
  signal.addEventListener("abort", cancel, { once: true })
  return bytes
}

/** Reads a response to its end, or rejects with a fault. Fetch hides a redirect that it does not follow behind the status 0. */
const readWeb =
  (target: Target): Read<BufferedResponse> =>
  (response, signal) => {
    const { what } = target
    const refuse = (fault: OAuthFault) => Promise.reject<BufferedResponse>(fault)
    if (!isResponse(response)) return refuse(unreachable(target)(undefined))
    const { headers } = response
    const status = Number(response.status)
    const begun = Promise.resolve()
    if (signal.aborted) {
      const refuseLate = () => refuse(unreachable(target)(signal.reason))
      return begun.then(() => response.body?.cancel()).then(refuseLate, refuseLate)
    }
    if (response.redirected || status < 200) {
      const refuseRedirect = () => refuse(redirected(what))
      return begun.then(() => response.body?.cancel()).then(refuseRedirect, refuseRedirect)
    }
    return begun
      .then(() => bytesOf(response, signal))
      .then(
        (bytes) =>
          bytes === "too_large"
            ? refuse(
                invalidResponse(`the answer of the ${what} is larger than 512 kB, or comes in too many empty pieces`)
              )
            : isStatus(status)
              ? { status, headers: headers instanceof Headers ? headers : new Headers(headers), bytes }
              : refuse(unreachable(target)(undefined)),
        (cause: unknown) => refuse(brokenOff(target)(cause))
      )
  }

/** Reads a `Response` that a function of the application gave, with the same limits. */
export const readGiven = (what: string, response: Response): Effect.Effect<BufferedResponse, OAuthFault> => {
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

/** `send` in the form of `fetch`. */
const fetchOver =
  (send: Transport["send"], what: EndpointName, context: Context.Context<never>): Fetch =>
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
    return Effect.runPromiseWith(context)(Effect.map(sending, toWeb), { signal })
  }

const owners = new WeakMap<object, Map<string, object>>()

/** Most scopes for one function or client; the oldest is removed first. */
const capacity = 1000

/** The object that stands for the providers of one scope, as long as the function or the client is there. */
const ownerOf = (client: object, scope: string): object => {
  const scopes = owners.get(client) ?? new Map<string, object>()
  owners.set(client, scopes)
  const owner = scopes.get(scope) ?? {}
  scopes.set(scope, owner)
  const [oldest] = scopes.size > capacity ? scopes.keys() : []
  if (oldest !== undefined) scopes.delete(oldest)
  return owner
}

/** The same transport with spans, metrics and debug messages: which endpoint of which provider, and how the request ended. */
const observed =
  (provider: string, send: Transport["send"]): Transport["send"] =>
  (what, request) => {
    const endpoint = endpoints[what]
    const sending = send(what, request)
    const observe = () =>
      sending.pipe(
        logDebug<BufferedResponse>(
          "provider_response",
          ({ status }) => ({ status }),
          () => ({ provider, endpoint: what, ...sent(request) })
        ),
        recordDuration(provider, endpoint),
        span<BufferedResponse>("effect-doorman.provider", {
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
    return Effect.contextWith((context: Context.Context<never>) =>
      isTraced(context) || isMeasured(context) || isDebugged(context) ? observe() : sending
    )
  }

/** What of a request a debug message shows: the method, and the address without its query. */
const sent = ({ method, url }: Outgoing) => ({ method, url: showAddress(url) })

/**
 * The way to a provider: over its own `fetch` if it has one, over the network of the application otherwise. `scope` names
 * the provider of a site, with the options that decide what is fetched.
 */
export const make = (
  network: Network["Service"],
  { adaptFetch, fetch, id }: Pick<RedirectProvider, "adaptFetch" | "fetch" | "id">,
  scope: () => string
): Transport => {
  const direct = limited(fetch === undefined ? network.send : byOwnFetch(fetch))
  const adapted: Transport["send"] =
    adaptFetch === undefined
      ? direct
      : (what, request) =>
          Effect.contextWith((context: Context.Context<never>) =>
            limited(byOwnFetch(adaptFetch(fetchOver(direct, what, context))))(what, request)
          )
  const send = observed(id, adapted)
  const shared = network.client ?? network
  return {
    send,
    fetch: (what, context) => fetchOver(send, what, context),
    owner: fetch === undefined && adaptFetch === undefined ? shared : ownerOf(fetch ?? shared, scope()),
    isMadeAnew: fetch !== undefined && isMadeAnew(fetch, scope())
  }
}

/** The functions of a scope that were seen: how many, and the last one. */
interface SeenFetch {
  count: number
  last: WeakRef<Fetch>
}

const seenFetches = new Map<string, SeenFetch>()

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

/** The transports of a client, each made when its provider is first asked. */
export interface Transports {
  readonly network: Network["Service"]
  readonly site: Site
  readonly byProvider: WeakMap<RedirectProvider, Transport>
}

/**
 * The transport to a provider. Metadata and keys that a provider's own `fetch` function brings are kept for this function alone, and
 * for the secret and base path of the site and the id, type, issuer and client id of the provider.
 */
export const transportTo = ({ byProvider, network, site }: Transports, provider: RedirectProvider): Transport => {
  const cached = byProvider.get(provider)
  if (cached !== undefined) return cached
  const { clientId, id, issuer, type } = provider
  const transport = make(network, provider, () => providerScope("fetch", site, id, type, issuer, clientId))
  byProvider.set(provider, transport)
  return transport
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The text of an answer, or `undefined` when it is not UTF-8. */
export const textOf = ({ bytes }: BufferedResponse): string | undefined =>
  Result.getOrUndefined(Result.try(() => utf8.decode(bytes)))

/** The media type of an answer, without parameters and in lower case. */
export const mediaType = (headers: Headers): string =>
  (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

const isJson = (type: string): boolean =>
  type === "application/json" || type === "text/json" || /^[\w.-]+\/[\w.-]+\+json$/.test(type)

/** The JSON object that an answer holds. */
export const readJson = (what: string, response: BufferedResponse): Effect.Effect<JsonObject, OAuthFault> => {
  if (!isJson(mediaType(response.headers))) {
    return Effect.fail(
      invalidResponse(
        `the answer of the ${what} is not marked as JSON${names("application/json", mediaType(response.headers))}`
      )
    )
  }
  const text = textOf(response)
  const read = text === undefined ? "not_json" : readJsonText(text)
  if (read === "repeated")
    return Effect.fail(invalidResponse(`the answer of the ${what} gives a member twice: expected each once`))
  return typeof read !== "string" && isJsonObject(read.value)
    ? Effect.succeed(read.value)
    : Effect.fail(
        invalidResponse(
          `the answer of the ${what} is not a JSON object: got ${typeof read === "string" ? "a text that is not JSON" : describe(read.value)}`
        )
      )
}
