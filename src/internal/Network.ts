/**
 * How a request to a provider leaves this server: by the `HttpClient` of an Effect application (`UntracedClient.ts`), or by the
 * `fetch` of the platform. An ordinary server loads no `HttpClient`.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import { type Deadline, withSignal } from "./Timeout.ts"

/** A request to a provider. Header names are lower case. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A form is one of its own: a `customFetch` may add members to it. */
  readonly body: Uint8Array<ArrayBuffer> | URLSearchParams | undefined
}

export type Fetch = typeof globalThis.fetch

/** Statuses whose responses cannot have a body (Fetch standard, "null body status"). */
export const withoutBody: ReadonlySet<number> = new Set([101, 103, 204, 205, 304])

/** How a request leaves; `read` is given what comes back, in the form of fetch. The deadline is that of both. */
export type Way = <A, E>(request: Outgoing, read: Read<A>, deadline: Deadline<E>) => Effect.Effect<A, E>

/** Reads a response. The signal is aborted when nothing waits for it any more. */
export type Read<A> = (response: unknown, signal: AbortSignal) => Promise<A>

/** The way of requests to providers that have no `fetch` of their own. */
export class Network extends Context.Service<
  Network,
  {
    readonly send: Way
    /** The client of an Effect application. */
    readonly client?: HttpClient.HttpClient
  }
>()("effect-doorman/internal/Network") {}

/** The way over a function in the form of `fetch`. Redirects are not followed. The headers are the function's own: it may change them. */
export const byFetch =
  (fetcher: Fetch): Way =>
  ({ body, headers, method, url }, read, deadline) =>
    withSignal(
      (signal) =>
        Promise.resolve(
          fetcher(url, {
            method,
            headers: { ...headers },
            redirect: "manual",
            ...(body === undefined ? {} : { body }),
            signal
          })
        ).then((response: unknown) => read(response, signal)),
      deadline
    )

// @effect-diagnostics-next-line globalFetch:off
const byPlatform = byFetch((url, init) => fetch(url, init))

/** The `fetch` of the platform, as it is when a request is sent. It counts the bytes of a body itself. */
export const platformNetwork: Network["Service"] = {
  send: (request, read, deadline) => {
    const { "content-length": _length, ...headers } = request.headers
    return byPlatform({ ...request, headers }, read, deadline)
  }
}
