/**
 * The relying party and its origins: from the provider's options, or from the URL of the site.
 *
 * The address is the one that the request was received at, with the host that the configuration trusts. What a request says
 * of its own origin is compared with it, never taken for it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AuthRequest } from "../http/AuthRequest.ts"
import { CallbackRouteError } from "../Errors.ts"
import { fromAnswer } from "../internal/Answer.ts"
import type { WebAuthnProvider } from "../Provider/internal/Provider.ts"
import { isOrigin, isRelyingPartyId } from "../Provider/internal/WebAuthnMembers.ts"

/**
 * The relying party of a ceremony.
 *
 * @category models
 * @since 0.1.0
 */
export interface RelyingParty {
  readonly id: string
  readonly name: string
  readonly origins: ReadonlyArray<string>
}

const Answered = Schema.Struct({
  id: Schema.String.check(Schema.makeFilter(isRelyingPartyId)),
  name: Schema.String,
  origin: Schema.Union([Schema.String, Schema.Array(Schema.String)])
})
const decode = Schema.decodeUnknownEffect(Answered)

/**
 * The relying party of a request.
 *
 * @category constructors
 * @since 0.1.0
 */
export const relyingPartyOf = Effect.fnUntraced(function* (
  provider: WebAuthnProvider,
  request: AuthRequest["Service"]
): Effect.fn.Return<RelyingParty, CallbackRouteError> {
  const { getRelayingParty, relyingParty } = provider
  if (getRelayingParty === undefined) {
    return {
      id: relyingParty.id ?? request.url.hostname,
      name: relyingParty.name ?? request.url.host,
      origins: relyingParty.origins.length === 0 ? [request.origin] : relyingParty.origins
    }
  }
  const toFailure = (cause: unknown) =>
    new CallbackRouteError({
      provider: provider.id,
      detail: "getRelayingParty must answer { id, name, origin }: a domain, a name, and an origin or several",
      cause
    })
  // The address is a copy: it decides more than what the function is asked for.
  const question = { provider: provider.source, url: new URL(request.url) }
  const { id, name, origin } = yield* fromAnswer("getRelayingParty", () =>
    getRelayingParty(question, internalOf(request))
  ).pipe(Effect.flatMap(decode), Effect.mapError(toFailure))
  const origins = typeof origin === "string" ? [origin] : origin
  return origins.length > 0 && origins.every(isOrigin) ? { id, name, origins } : yield* toFailure("no origin")
})

/**
 * The request as functions of a provider are given it, in the shape that those of Auth.js know: plain members, with the query as a
 * record. Everything in it is a copy. @internal
 */
export const internalOf = (request: AuthRequest["Service"]): Readonly<Record<string, unknown>> => ({
  url: new URL(request.url),
  method: request.method,
  action: request.action,
  providerId: request.providerId,
  query: Object.fromEntries(request.url.searchParams),
  headers: Object.fromEntries(request.headers),
  cookies: Object.fromEntries(request.cookies.values),
  body: request.body === undefined ? undefined : { ...request.body }
})
