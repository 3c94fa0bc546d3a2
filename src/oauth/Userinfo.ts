/**
 * Asks a provider who the person is: the UserInfo endpoint (OpenID Connect Core section 5.3) and its OAuth relatives.
 *
 * `jose` verifies a signed answer and, with OpenID Connect, `oauth4webapi` processes what is in it. Status 200 and JSON are required; a signed answer is accepted only from providers that are configured for it, and then
 * nothing else. With OpenID Connect the subject must be the one of the ID token. Of any other answer the status counts, and
 * the error object of platforms that have one is its cause.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { HttpRequestOptions } from "oauth4webapi"
import { fromAnswer } from "../internal/Answer.ts"
import { isJsonObject } from "../internal/JsonText.ts"
import type { TokenSet } from "../Models.ts"
import { refusalOf } from "../Provider/internal/ClientKey.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { proofOption, sendWithNonce } from "./Dpop.ts"
import { applicationFault, invalidResponse, OAuthFault, profileInvalid } from "./Fault.ts"
import { call, clientAt, currentSeconds, library, ParsedResponse, processFault } from "./Library.ts"
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

const byApplication = (
  transport: Transport,
  provider: RedirectProvider,
  request: NonNullable<RedirectProvider["userinfo"]["request"]>,
  { subject, tokens }: Question
): Effect.Effect<SignedClaims, OAuthFault> =>
  Effect.flatMap(transport.fetch(what), (fetcher) =>
    fromAnswer("userinfo.request", () => request({ tokens, provider: provider.source, fetch: fetcher }), [
      tokens,
      provider.source
    ])
  ).pipe(
    Effect.mapError(applicationFault("userinfo.request of the provider")),
    Effect.flatMap((profile) => {
      if (!isJsonObject(profile)) return Effect.fail(profileInvalid("userinfo.request of the provider gave no profile"))
      return Effect.succeed(
        subject !== undefined && profile["sub"] === undefined ? { ...profile, sub: subject } : profile
      )
    })
  )

/** Verifies the signature of a signed answer. */
const verifySigned = Effect.fnUntraced(function* (
  transport: Transport,
  provider: RedirectProvider,
  { jwksUri }: Question,
  incoming: Incoming
) {
  const text = yield* textOf(incoming.body)
  const expected = {
    what: "userinfo response",
    registered: provider.clientMetadata["userinfo_signed_response_alg"],
    announced: undefined,
    jwksUri
  }
  const token = yield* read(expected, (text ?? "").trim())
  yield* verify(transport, provider, expected, token)
  return token
})

/** The fault behind another status than 200, with the platform's own error as its cause where the body holds one. */
const refused = Effect.fnUntraced(function* ({ profile }: RedirectProvider, incoming: Incoming) {
  const { code, detail, retryable } = statusFault(what, incoming.status)
  const read = refusalOf(profile)
  const body = read === undefined ? undefined : yield* Effect.orElseSucceed(readJson(what, incoming), () => undefined)
  const cause = body === undefined ? undefined : read?.(body)
  return yield* new OAuthFault({ code, detail, retryable, ...(cause === undefined ? {} : { cause }) })
})

const byEndpoint = Effect.fnUntraced(function* (transport: Transport, provider: RedirectProvider, question: Question) {
  if (question.url === undefined) return yield* invalidResponse("the provider has no userinfo endpoint")
  const signed = provider.clientMetadata["userinfo_signed_response_alg"] !== undefined
  const server = { issuer: question.issuer ?? provider.id, userinfo_endpoint: question.url }
  const client = {
    client_id: provider.clientId,
    ...(signed ? { userinfo_signed_response_alg: String(provider.clientMetadata["userinfo_signed_response_alg"]) } : {})
  }
  const protocol = yield* library
  const now = yield* currentSeconds
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
  const token = signed ? yield* verifySigned(transport, provider, question, incoming) : undefined
  const profile = token === undefined ? yield* readJson(what, incoming) : token.claims
  // Plain OAuth says nothing of the members of a profile.
  if (token === undefined && question.subject === undefined) return profile
  // The subject is the one member of a profile that the protocol knows.
  const response =
    token === undefined
      ? new ParsedResponse({ sub: profile["sub"] })
      : new Response(token.text, { headers: { "content-type": "application/jwt" } })
  const { subject = protocol.skipSubjectCheck } = question
  const received = clientAt(protocol, yield* currentSeconds, client)
  yield* call(
    ({ processUserInfoResponse }) => processUserInfoResponse(server, received, subject, response),
    processFault(what, (reason) => invalidResponse(`the userinfo response ${reason}`))
  )
  return profile
})

/** Fetches the profile of the person. */
export const fetchProfile = Effect.fnUntraced(function* (
  transport: Transport,
  provider: RedirectProvider,
  question: Question
) {
  const { request } = provider.userinfo
  if (request === undefined) return yield* byEndpoint(transport, provider, question)
  const profile: SignedClaims = yield* byApplication(transport, provider, request, question)
  if (question.subject !== undefined && profile["sub"] !== question.subject) {
    return yield* invalidResponse("the userinfo response is about another person than the ID token")
  }
  return profile
})
