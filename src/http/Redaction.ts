/**
 * What the spans of Effect's HTTP server may not say: the queries of the endpoints hold codes, states, tokens and addresses.
 *
 * The server's own span is finished after the answer, with the whole address of the request. `names` is the list for the
 * reference that it goes by; where the application did not set it, the span of the request is kept from writing down what is
 * on the list.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as UrlParams from "effect/http/UrlParams"
import * as Tracer from "effect/Tracer"
import { isTraced } from "../internal/Span.ts"

/** Parameters of the endpoints, and of the answers of providers, that are nobody's business. */
export const names: ReadonlyArray<string> = [
  "code",
  "state",
  "nonce",
  "token",
  "email",
  "id_token",
  "access_token",
  "refresh_token",
  "code_verifier",
  "code_challenge",
  "session_state",
  "client_secret",
  "assertion",
  "csrfToken",
  "password",
  "user",
  "username",
  "login_hint",
  "id_token_hint",
  "logout_token",
  "callbackUrl",
  "error_description"
]

const headerNames: ReadonlyArray<string> = ["authorization", "cookie", "set-cookie", "location", "referer"]

/** The lists for Effect's HTTP spans, added to those that it has. */
export const references: Context.Context<never> = Context.empty().pipe(
  Context.add(UrlParams.CurrentRedactedNames, [
    ...Context.get(Context.empty(), UrlParams.CurrentRedactedNames),
    ...names
  ]),
  Context.add(Headers.CurrentRedactedNames, [
    ...Context.get(Context.empty(), Headers.CurrentRedactedNames),
    ...headerNames
  ])
)

/** Keeps the span of the server, if there is one, from writing the query of this request down. */
export const guardSpan: Effect.Effect<void> = Effect.withFiber((fiber) => {
  if (!isTraced(fiber)) return Effect.void
  const parent = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  if (parent === undefined || parent._tag !== "Span" || guarded.has(parent)) return Effect.void
  guarded.add(parent)
  const write = parent.attribute.bind(parent)
  Object.defineProperty(parent, "attribute", {
    configurable: true,
    writable: true,
    value: (key: string, value: unknown) => write(key, harmless(key, value))
  })
  return Effect.void
})

const guarded = new WeakSet<Tracer.Span>()

const harmless = (key: string, value: unknown): unknown => {
  if (typeof value !== "string") return value
  if (key === "url.full") return UrlParams.redactUrl(value, names)
  if (key === "url.query") return UrlParams.redactUrl(`?${value}`, names).slice(1)
  const header = /^http\.(?:request|response)\.header\.(.*)$/.exec(key)?.[1]
  return header !== undefined && headerNames.includes(header) ? "<redacted>" : value
}
