/**
 * How presets ask a platform for a profile where one GET with a bearer token does not do.
 *
 * The request goes through the `fetch` of the sign-in attempt, with its limits of time and size. What does not answer with a
 * JSON object of status 200 is a typed failure; no text of the platform is kept.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { OAuthCallbackError } from "../../Errors.ts"
import { readJsonText } from "../../internal/JsonText.ts"
import type { TokenSet } from "../../Models.ts"

/**
 * One request of a preset.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProfileRequest {
  /** Id of the provider, for failures. */
  readonly provider: string
  readonly url: string
  /** Default: `GET`. */
  readonly method?: "GET" | "POST" | undefined
  /** Laid over the bearer token and the others; a header whose value is `undefined` is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly body?: string | undefined
}

/** What of the sign-in attempt a request needs. */
interface Attempt {
  readonly tokens: TokenSet
  readonly fetch: typeof globalThis.fetch
}

const decodeObject = Schema.decodeUnknownEffect(Schema.Record(Schema.String, Schema.MutableJson))
const decodeList = Schema.decodeUnknownEffect(Schema.Array(Schema.Unknown))

// Without a cause: what a reader of JSON or a writer of headers fails with repeats what it was given.
const invalid = (provider: string, detail: string) =>
  new OAuthCallbackError({ provider, code: "invalid_response", detail })

const headersOf = ({ tokens }: Attempt, { headers }: ProfileRequest): Record<string, string> => {
  const all: Record<string, string | undefined> = {
    accept: "application/json",
    authorization: `Bearer ${tokens.access_token ?? ""}`,
    "user-agent": "effect-doorman",
    ...headers
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )
}

/** Asks; the answer is whatever JSON came. */
const ask = Effect.fnUntraced(function* (attempt: Attempt, request: ProfileRequest) {
  const { body, method = "GET", provider, url } = request
  const headers = yield* Effect.try({
    try: () => new Headers(headersOf(attempt, request)),
    catch: () => invalid(provider, "The access token cannot be sent.")
  })
  const response = yield* Effect.tryPromise({
    try: (signal) =>
      attempt.fetch(url, {
        method,
        headers,
        redirect: "manual",
        signal,
        ...(body === undefined ? undefined : { body })
      }),
    catch: (cause) =>
      new OAuthCallbackError({
        provider,
        code: "provider_unavailable",
        detail: "The API could not be reached.",
        retryable: true,
        cause
      })
  })
  if (!response.ok) {
    return yield* new OAuthCallbackError({
      provider,
      code: "provider_error",
      detail: `The API answered with status ${response.status}.`,
      retryable: response.status >= 500
    })
  }
  const text = yield* Effect.tryPromise({
    try: () => response.text(),
    catch: () => invalid(provider, "The API did not answer with JSON.")
  })
  const read = readJsonText(text)
  if (read === "repeated") return yield* invalid(provider, "The answer of the API gives a member twice.")
  return typeof read === "string" ? yield* invalid(provider, "The API did not answer with JSON.") : read.value
})

/**
 * Asks for a JSON object.
 *
 * @category constructors
 * @since 0.1.0
 */
export const askForObject = (
  attempt: Attempt,
  request: ProfileRequest
): Effect.Effect<Readonly<Record<string, Schema.MutableJson>>, OAuthCallbackError> =>
  Effect.flatMap(ask(attempt, request), (answer) =>
    Effect.mapError(decodeObject(answer), () => invalid(request.provider, "The API did not answer with an object."))
  )

/**
 * Asks for a JSON array.
 *
 * @category constructors
 * @since 0.1.0
 */
export const askForList = (
  attempt: Attempt,
  request: ProfileRequest
): Effect.Effect<ReadonlyArray<unknown>, OAuthCallbackError> =>
  Effect.flatMap(ask(attempt, request), (answer) =>
    Effect.mapError(decodeList(answer), () => invalid(request.provider, "The API did not answer with a list."))
  )
