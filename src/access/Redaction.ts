/**
 * What the spans of Effect's HTTP server may not say: the queries of the endpoints hold codes, states, tokens and addresses.
 *
 * The server's own span is finished after the answer, with the whole address of the request. `guardSpan` keeps it from writing that.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { HttpServerError, isHttpServerError, ResponseError } from "effect/http/HttpServerError"
import { fromWeb, type HttpServerRequest } from "effect/http/HttpServerRequest"
import { empty, isHttpServerResponse } from "effect/http/HttpServerResponse"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { isTraced } from "../telemetry/Signals.ts"

const headerNames: ReadonlyArray<string> = ["authorization", "cookie", "set-cookie", "location", "referer"]

/**
 * Keeps the spans of the server, if there are any, from writing down what came with this request: of the query all values but
 * the name of an error, and in place of the request and the answer themselves what is left without headers and cookies.
 */
export const guardSpan: Effect.Effect<void> = Effect.withFiber((fiber) => {
  if (!isTraced(fiber.context)) return Effect.void
  let span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  while (span?._tag === "Span") {
    if (span.kind === "server" && !spans.has(span)) guard(span)
    span = Option.getOrUndefined(span.parent)
  }
  return Effect.void
})

const spans = new WeakSet<Tracer.Span>()

const guard = (span: Tracer.Span): void => {
  spans.add(span)
  const write = span.attribute.bind(span)
  const end = span.end.bind(span)
  Object.defineProperties(span, {
    attribute: replacing((key: string, value: unknown) => write(key, harmless(key, value))),
    end: replacing((time: bigint, exit: Exit.Exit<unknown, unknown>) => end(time, bare(exit)))
  })
}

const replacing = (value: unknown): PropertyDescriptor => ({ configurable: true, writable: true, value })

/** Every parameter but these. */
const others: ReadonlyArray<RegExp> = [/^(?!(?:error|request_id)$)/]

const harmless = (key: string, value: unknown): unknown => {
  if (typeof value !== "string") return value
  if (key === "url.full") return UrlParams.redactUrl(value, others)
  if (key === "url.query") return UrlParams.redactUrl(`?${value}`, others).slice(1)
  const header = /^http\.(?:request|response)\.header\.(.*)$/.exec(key)?.[1]
  return header !== undefined && headerNames.includes(header) ? "<redacted>" : value
}

/** How a request ended, without the request. */
const bare = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit)) {
    const { value } = exit
    return isHttpServerResponse(value) ? Exit.succeed(empty({ status: value.status })) : exit
  }
  const error = Cause.squash(exit.cause)
  if (!isHttpServerError(error) || error.reason._tag !== "ResponseError") return exit
  const { request, response } = error.reason
  return Exit.fail(
    new HttpServerError({
      reason: new ResponseError({ request: withoutValues(request), response: empty({ status: response.status }) })
    })
  )
}

/** A request of the same method and path, and nothing else. */
const withoutValues = ({ method, url }: HttpServerRequest): HttpServerRequest => {
  const address = `http://localhost${url.replace(/[?#].*$/s, "")}`
  return fromWeb(
    new Request(URL.canParse(address) ? address : "http://localhost/", { method: method === "POST" ? method : "GET" })
  )
}
