/**
 * The ways into the provider: an `HttpClient`, and a `fetch`. Nothing that comes in here leaves the process.
 *
 * Every request is written down, for tests to look at. One to another origin fails with an error that names its address.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import type { ConnectionRefused } from "./Fault.ts"
import type { Provider } from "./Provider.ts"

/**
 * A request to the provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderRequest {
  readonly method: string
  readonly url: string
  /** The path alone, such as `/token`. */
  readonly path: string
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Status of the answer; `undefined` while there is none. */
  readonly status: number | undefined
}

/**
 * Something was sent to another origin than that of the provider.
 *
 * @category errors
 * @since 0.1.0
 */
export class StrayRequest extends Data.TaggedError("StrayRequest")<{
  /** Where it was sent to, without query. */
  readonly url: string
  /** The only origin that answers here. */
  readonly origin: string
}> {
  override get message(): string {
    return `a test sent a request to ${this.url}; only ${this.origin} answers here`
  }
}

/** The transports to one provider. */
export interface IdpTransport {
  readonly requests: ReadonlyArray<ProviderRequest>
  readonly record: (request: ProviderRequest) => void
  /** Writes down that the browser was at an address. */
  readonly visited: (address: URL, status: number) => void
  /** The provider as a client; requests to other origins go to `next`, or fail. */
  readonly client: (next?: HttpClient.HttpClient) => HttpClient.HttpClient
  readonly fetch: typeof globalThis.fetch
}

/** Seconds since 1970. */
export const seconds: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

/** The dependencies of transports besides the provider. */
interface TransportOptions {
  /** That of `fetch`. */
  readonly clock: Clock.Clock | undefined
  /** Where requests are recorded too. */
  readonly record: ((request: ProviderRequest) => void) | undefined
}

/** Makes the transports. */
export const make = (origin: string, provider: Provider, { clock, record: alsoAt }: TransportOptions): IdpTransport => {
  const requests: Array<ProviderRequest> = []
  const record = (request: ProviderRequest): void => {
    requests.push(request)
    alsoAt?.(request)
  }

  const answer = Effect.fnUntraced(function* (
    request: Request
  ): Effect.fn.Return<Response, ConnectionRefused | StrayRequest> {
    const url = new URL(request.url)
    const body = yield* Effect.promise(() => request.text())
    const { headers, method } = request
    const asked: { -readonly [Member in keyof ProviderRequest]: ProviderRequest[Member] } = {
      method,
      url: url.href,
      path: url.pathname,
      headers: Object.fromEntries(headers.entries()),
      body,
      status: undefined
    }
    record(asked)
    if (url.origin !== origin) return yield* new StrayRequest({ url: url.origin + url.pathname, origin })
    const response = yield* provider.answer({ method, url, headers, body }, yield* seconds)
    asked.status = response.status
    return response
  })

  return {
    requests,
    record,
    visited: (address, status) =>
      record({ method: "GET", url: address.href, path: address.pathname, headers: {}, body: "", status }),
    client: (next) =>
      HttpClient.make((request, url) => {
        if (next !== undefined && url.origin !== origin) return next.execute(request)
        return Effect.orDie(HttpClientRequest.toWeb(request)).pipe(
          Effect.flatMap(answer),
          Effect.map((response) => HttpClientResponse.fromWeb(request, response)),
          Effect.mapError(
            (cause) =>
              new HttpClientError.HttpClientError({
                reason: new HttpClientError.TransportError({ request, cause, description: cause.message })
              })
          )
        )
      }),
    fetch: (input, init) => {
      const request = new Request(input, init)
      const program = answer(request)
      return Effect.runPromise(clock === undefined ? program : Effect.provideService(program, Clock.Clock, clock), {
        signal: request.signal
      })
    }
  }
}
