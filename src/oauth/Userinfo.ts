/**
 * Asks a provider who the person is: the UserInfo endpoint (OpenID Connect Core section 5.3) and its OAuth relatives.
 *
 * Status 200 and JSON are required; a signed answer is accepted only from providers that are configured for it, and then
 * nothing else. With OpenID Connect the subject must be the one of the ID token. Of any other answer the status counts, and
 * the error object of platforms that have one is its cause.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpRequestOptions } from "oauth4webapi"
import { fromAnswer } from "../internal/Answer.ts"
import { isJsonObject } from "../internal/JsonText.ts"
import { addresses, names } from "../internal/Mismatch.ts"
import type { TokenSet } from "../Models.ts"
import { refusalOf } from "../preset/ClientKey.ts"
import type { RedirectProvider } from "../preset/Provider.ts"
import { proofOption, sendWithNonce } from "./Dpop.ts"
import { invalidResponse, OAuthFault, profileInvalid, providerError } from "./Fault.ts"
import { library } from "./Library.ts"
import { captureRequest } from "./PreparedRequest.ts"
import { read, type SignedClaims, verify } from "./SignedToken.ts"
import { type Incoming, mediaType, readJson, statusFault, textOf, type Transport } from "./Transport.ts"

/** What is asked with. */
export interface Question {
  readonly url: string | undefined
  readonly tokens: TokenSet & { readonly access_token: string }
  /** Subject of the ID token, with OpenID Connect. */
  readonly subject: string | undefined
  /** Issuer and key set, for signed answers. */
  readonly issuer: string | undefined
  readonly jwksUri: string | undefined
}

const what = "userinfo endpoint"

const applicationFault = (cause: unknown): OAuthFault =>
  OAuthFault.is(cause) ? cause : providerError("userinfo.request of the provider failed", cause)

const byApplication = (
  transport: Transport,
  provider: RedirectProvider,
  request: NonNullable<RedirectProvider["userinfo"]["request"]>,
  { subject, tokens }: Question
): Effect.Effect<SignedClaims, OAuthFault> =>
  Effect.flatMap(transport.fetch, (fetcher) =>
    fromAnswer("userinfo.request", () => request({ tokens, provider: provider.source, fetch: fetcher }), [
      tokens,
      provider.source
    ])
  ).pipe(
    Effect.mapError(applicationFault),
    Effect.flatMap((profile) => {
      if (!isJsonObject(profile)) return Effect.fail(profileInvalid("userinfo.request of the provider gave no profile"))
      return Effect.succeed(
        subject !== undefined && profile["sub"] === undefined ? { ...profile, sub: subject } : profile
      )
    })
  )

const readSigned = Effect.fnUntraced(function* (
  transport: Transport,
  provider: RedirectProvider,
  question: Question,
  incoming: Incoming
) {
  const text = yield* textOf(incoming.body)
  const expected = {
    what: "userinfo response",
    registered: provider.clientMetadata["userinfo_signed_response_alg"],
    announced: undefined,
    jwksUri: question.jwksUri
  }
  const token = yield* read(expected, (text ?? "").trim())
  yield* verify(transport, provider, expected, token)
  const { claims } = token
  const audience = claims["aud"]
  const isForUs =
    audience === undefined ||
    audience === provider.clientId ||
    (Array.isArray(audience) && audience.includes(provider.clientId))
  if (!isForUs) {
    return yield* invalidResponse(`the userinfo response is for another client${names(provider.clientId, audience)}`)
  }
  if (claims["iss"] !== undefined && claims["iss"] !== question.issuer) {
    return yield* invalidResponse(
      `the userinfo response comes from another issuer${addresses(question.issuer, claims["iss"])}`
    )
  }
  return claims
})

/** The fault behind another status than 200, with the platform's own error as its cause where the body holds one. */
const refused = (provider: RedirectProvider, incoming: Incoming): Effect.Effect<never, OAuthFault> => {
  const { code, detail, retryable } = statusFault(what, incoming.status)
  const read = refusalOf(provider.profile)
  const cause = read === undefined ? Effect.undefined : readCause(read, incoming)
  return Effect.flatMap(cause, (cause) =>
    Effect.fail(new OAuthFault({ code, detail, retryable, ...(cause === undefined ? {} : { cause }) }))
  )
}

const readCause = (read: (answer: unknown) => Error | undefined, incoming: Incoming) =>
  readJson(what, incoming).pipe(
    Effect.map(read),
    Effect.catch(() => Effect.undefined)
  )

const byEndpoint = Effect.fnUntraced(function* (transport: Transport, provider: RedirectProvider, question: Question) {
  if (question.url === undefined) return yield* invalidResponse("the provider has no userinfo endpoint")
  const signed = provider.clientMetadata["userinfo_signed_response_alg"] !== undefined
  const server = { issuer: question.issuer ?? provider.id, userinfo_endpoint: question.url }
  const client = {
    client_id: provider.clientId,
    ...(signed ? { userinfo_signed_response_alg: String(provider.clientMetadata["userinfo_signed_response_alg"]) } : {})
  }
  const protocol = yield* library
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const incoming = yield* sendWithNonce(what, provider, (nonce) =>
    Effect.flatMap(
      captureRequest(what, protocol, (options: HttpRequestOptions<"GET">) =>
        protocol.userInfoRequest(server, client, question.tokens.access_token, {
          ...options,
          ...proofOption(protocol, provider, now, nonce)
        })
      ),
      (request) => transport.send(what, request)
    )
  )
  if (incoming.status !== 200) return yield* refused(provider, incoming)
  if (signed !== (mediaType(incoming.headers) === "application/jwt")) {
    return yield* invalidResponse(
      signed
        ? "the answer of the userinfo endpoint is not signed"
        : "the answer of the userinfo endpoint is signed, which was not agreed"
    )
  }
  return signed ? yield* readSigned(transport, provider, question, incoming) : yield* readJson(what, incoming)
})

/** Fetches the profile of the person. */
export const fetchProfile = Effect.fnUntraced(function* (
  transport: Transport,
  provider: RedirectProvider,
  question: Question
) {
  const { request } = provider.userinfo
  const profile: SignedClaims =
    request === undefined
      ? yield* byEndpoint(transport, provider, question)
      : yield* byApplication(transport, provider, request, question)
  if (question.subject !== undefined && profile["sub"] !== question.subject) {
    return yield* invalidResponse("the userinfo response is about another person than the ID token")
  }
  return profile
})
