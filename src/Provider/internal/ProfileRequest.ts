/**
 * What presets ask their platforms with, and what else of Effect they need: they import none of it, and are given this.
 *
 * Requests go through the `fetch` of the sign-in attempt, with its limits of time and size. What does not answer with a
 * JSON object of status 200 is a typed failure; no text of the platform is kept.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import { OAuthCallbackError } from "../../Errors.ts"
import { asOwn, askNow } from "../../internal/Answer.ts"
import { isJsonObject, readJsonText } from "../../internal/JsonText.ts"
import type { Awaitable } from "../../internal/Untyped.ts"
import type { TokenSet } from "../../Models.ts"
import * as EmailAddress from "../../models/EmailAddress.ts"
import type { JsonObject } from "../../models/Shape.ts"
import type { UserinfoContext } from "./Context.ts"
import type { Shape } from "./ProfileMapping.ts"
import { decodeShape } from "./ProfileDecoder.ts"

/**
 * One request of a preset.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProfileRequest {
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

/**
 * What the functions of presets are given beside what those of applications are given.
 *
 * @internal
 */
export interface PresetTools {
  /** Asks for a JSON object. */
  readonly ask: (request: ProfileRequest) => PromiseLike<JsonObject>
  /** The same, and goes on with it. */
  readonly askThen: <A>(request: ProfileRequest, next: (answer: JsonObject) => Awaitable<A>) => PromiseLike<A>
  /** Asks for JSON that the platform may refuse, and goes on with it, or with `undefined`. */
  readonly askOptionally: <A>(request: ProfileRequest, next: (answer: unknown) => A) => PromiseLike<A>
  /** Asks for a picture, and goes on with it as a data URL, or with `null`. A picture never fails a sign-in. */
  readonly askForPicture: <A>(url: string, next: (picture: string | null) => A) => PromiseLike<A>
  /** Reads a document; `undefined` for one that does not have the shape. */
  readonly read: <A>(shape: Shape<A>, document: unknown) => A | undefined
  /** Do two addresses name the same mailbox? */
  readonly isSameAddress: (one: string, other: string) => boolean
  /** Fails, because an answer is not what the platform documents. */
  readonly fail: (detail: string) => PromiseLike<never>
}

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

/** What the `userinfo.request` of a preset is given. @internal */
export interface PresetContext extends UserinfoContext, PresetTools {}

/** Asks; the answer is whatever JSON came. */
const ask = Effect.fnUntraced(function* (provider: string, attempt: Attempt, request: ProfileRequest) {
  const { body, method = "GET", url } = request
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

// What is parsed consists of JSON values.
const isObject = (answer: unknown): answer is JsonObject => isJsonObject(answer)

const askForObject = (
  provider: string,
  attempt: Attempt,
  request: ProfileRequest
): Effect.Effect<JsonObject, OAuthCallbackError> =>
  Effect.flatMap(ask(provider, attempt, request), (answer) =>
    isObject(answer) ? Effect.succeed(answer) : Effect.fail(invalid(provider, "The API did not answer with an object."))
  )

/** A picture travels inside the session: larger ones are left out. In bytes. */
const largestPicture = 65_536

const isImage = /^image\/[a-z0-9.+-]+$/i

const askForPicture = (attempt: Attempt, url: string): Effect.Effect<string | null> =>
  Effect.tryPromise((signal) =>
    attempt.fetch(url, {
      headers: { authorization: `Bearer ${attempt.tokens.access_token ?? ""}` },
      redirect: "manual",
      signal
    })
  ).pipe(
    Effect.flatMap((response) => {
      const mediaType = response.headers.get("content-type")?.split(";")[0]?.trim() ?? "image/jpeg"
      const type = isImage.test(mediaType) ? mediaType : "image/jpeg"
      return response.ok
        ? Effect.map(
            Effect.tryPromise(() => response.arrayBuffer()),
            (bytes) =>
              bytes.byteLength === 0 || bytes.byteLength > largestPicture
                ? null
                : `data:${type};base64,${Base64.encode(new Uint8Array(bytes))}`
          )
        : Effect.succeed(null)
    }),
    Effect.timeoutOrElse({ duration: "3 seconds", orElse: () => Effect.succeed(null) }),
    Effect.orElseSucceed(() => null)
  )

/** The tools for one attempt; `provider` is its id, for failures. */
const presetTools = (provider: string, attempt: Attempt): PresetTools => ({
  ask: (request) => asOwn(askForObject(provider, attempt, request)),
  askThen: (request, next) =>
    asOwn(
      Effect.flatMap(askForObject(provider, attempt, request), (answer) =>
        askNow(`userinfo.request of ${provider}`, () => next(answer))
      )
    ),
  askOptionally: (request, next) =>
    asOwn(
      Effect.map(
        Effect.orElseSucceed(ask(provider, attempt, request), () => undefined),
        next
      )
    ),
  askForPicture: (url, next) => asOwn(Effect.map(askForPicture(attempt, url), next)),
  read: decodeShape,
  isSameAddress: EmailAddress.isSame,
  fail: (detail) => asOwn(Effect.fail(invalid(provider, detail)))
})

/**
 * The context of one call, with the tools of presets on its prototype: functions of applications see the documented members, and those
 * that give the context on to a preset give it the tools.
 *
 * @category constructors
 * @since 0.1.0
 */
export const withPresetTools = <A extends object>(provider: string, attempt: Attempt, context: A): PresetTools & A =>
  // `Object.create` has no type for what it makes.
  Object.assign(Object.create(presetTools(provider, attempt)) as PresetTools, context)
