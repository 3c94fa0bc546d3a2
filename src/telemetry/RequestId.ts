/**
 * A name for one request, by which the error page, the log, the span and the audit trail find each other.
 *
 * It is what the proxy in front calls the request (`x-request-id`), else the trace that the request belongs to, else random.
 * It is computed at first use: after a failure, or where the application logs, traces or audits. It is not secret and proves
 * nothing: a client may choose it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64Url from "../crypto/Base64Url.ts"
import type { RequestHeaders } from "../http/RequestHeaders.ts"
import { isTraced } from "./Signals.ts"

const shape = /^[A-Za-z0-9._-]{8,64}$/

/** Is this shaped like the name of a request? */
export const isRequestId = (value: string): boolean => shape.test(value)

/** Generated ids, kept as long as the headers of their requests, so that every caller gets the same one. */
const ids = new WeakMap<RequestHeaders, string>()

/** The name of the request with these headers. */
export const requestId = (headers: RequestHeaders): Effect.Effect<string> =>
  Effect.suspend(() => {
    const cached = ids.get(headers)
    if (cached !== undefined) return Effect.succeed(cached)
    const header = headers.get("x-request-id")
    return Effect.map(header !== null && isRequestId(header) ? Effect.succeed(header) : makeId, (id) => {
      ids.set(headers, id)
      return id
    })
  })

const makeId = Effect.withFiber((fiber) =>
  isTraced(fiber.context)
    ? Effect.matchEffect(Effect.currentParentSpan, {
        onSuccess: ({ traceId }) => (isRequestId(traceId) ? Effect.succeed(traceId) : random(fiber.context)),
        onFailure: () => random(fiber.context)
      })
    : random(fiber.context)
)

/** Where no service is about, such as with options that cannot work, the bytes are the platform's. */
const random = (context: Context.Context<never>): Effect.Effect<string> => {
  const source = Context.getOption(context, SecureRandom.SecureRandom)
  return Effect.map(
    source._tag === "Some" ? source.value.randomBytes(12) : Effect.sync(() => SecureRandom.randomBytesUnsafe(12)),
    Base64Url.encode
  )
}
