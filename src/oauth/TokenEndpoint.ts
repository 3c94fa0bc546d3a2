/**
 * Exchanges a code or a refresh token for tokens (RFC 6749 sections 4.1.3, 5 and 6) with the client authentication that is
 * configured.
 *
 * `oauth4webapi` makes the request; it travels over `Transport.ts`. The response is read here, strictly: an error in an
 * answer of status 200 is an error, a token type that this client cannot use is refused, and what is stored later has the
 * type it should have.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { fromAnswer } from "../internal/Answer.ts"
import type { TokenEndpointResponse } from "oauth4webapi"
import { isJsonObject, type JsonObject } from "../internal/JsonText.ts"
import { isLine, isStorable, longest } from "../internal/Text.ts"
import type { TokenSet } from "../Models.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { answerFault, readAnswer } from "./ClientResponse.ts"
import { applicationFault, invalidResponse, type OAuthFault } from "./Fault.ts"
import type { Metadata } from "./Discovery.ts"
import { checkBound, proofOption, sendWithNonce } from "./Dpop.ts"
import type { Flow } from "./Flow.ts"
import * as IdToken from "./IdToken.ts"
import { call, clientAt, currentSeconds, type Library, library, ParsedResponse } from "./Library.ts"
import { prepareRequest } from "./PreparedRequest.ts"
import { requestedBy } from "./RequestedSignIn.ts"
import { verify } from "./SignedToken.ts"
import { fromResponse, type Incoming, type Outgoing, toResponse, type Transport } from "./Transport.ts"

/** What is exchanged, and where. */
export interface Grant {
  /** The parameters of the authorization response, as `oauth4webapi` validated them. */
  readonly parameters: URLSearchParams
  readonly flow: Flow
  readonly tokenEndpoint: string
  /** The audience of a client assertion. */
  readonly issuer: string
  readonly metadata: Metadata | undefined
}

const what = "token endpoint"

/** A token request, made at a time and with the nonce of a proof. */
type Prepare = (protocol: Library, now: number, nonce?: string) => Effect.Effect<Outgoing, OAuthFault>

/** The token request, made by `oauth4webapi` and not sent yet. */
const prepare = (protocol: Library, provider: RedirectProvider, grant: Grant, now: number, nonce?: string) => {
  const server = { issuer: grant.issuer, token_endpoint: grant.tokenEndpoint }
  const client = { client_id: provider.clientId }
  const { flow } = grant
  return prepareRequest(what, protocol, provider, now, (authentication, options) =>
    protocol.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      grant.parameters,
      flow.redirectUri,
      flow.codeVerifier ?? protocol.nopkce,
      { ...options, ...proofOption(protocol, provider, now, nonce) }
    )
  )
}

/** Ten years: nobody plans further, and every date computed from it is one. */
const maxLifetime = 315_360_000

/** `expires_in`, below zero at some platforms. One that is written as text is parsed by the library. */
const readLifetime = (value: unknown): unknown =>
  typeof value === "number" ? Math.max(value, 0) : (value ?? undefined)

/** A member that may be absent: `null` and the empty text count as absent. */
const readOptional = (value: unknown): unknown => (value === null || value === "" ? undefined : value)

/** A name that is compared with a few. One that is longer than any is none of them, and costs nothing more. */
const readName = (value: unknown): unknown => (typeof value === "string" ? value.slice(0, longest.label) : value)

const readScope = (value: unknown): string | undefined => {
  const scope = Array.isArray(value) && value.every((item) => typeof item === "string") ? value.join(" ") : value
  return typeof scope === "string" ? scope : undefined
}

/** The members that `oauth4webapi` processes, in the form of RFC 6749 sections 5.1 and 5.2, whatever the platform makes of them. */
const conformMembers = ({
  access_token,
  error,
  expires_in,
  id_token,
  refresh_token,
  scope,
  token_type
}: JsonObject) => ({
  access_token,
  token_type: readName(token_type),
  error: readName(error),
  expires_in: readLifetime(expires_in),
  scope: readScope(scope),
  refresh_token: readOptional(refresh_token),
  id_token: readOptional(id_token)
})

/** Tokens, and what they are good for: no one of them has a control character (RFC 6749 appendix A). */
const lines = ["access_token", "refresh_token", "id_token", "scope"] as const

/** Members that the library sets itself; a provider cannot choose to whom an account belongs. */
const reserved: ReadonlySet<string> = new Set(["__proto__", "provider", "providerAccountId", "type", "userId"])

/** A further member that is kept. A text that no store can hold is left out, and with it nothing else is lost. */
const isKept = ([name, value]: readonly [string, unknown]): boolean =>
  !reserved.has(name) && (typeof value !== "string" || (value.length <= longest.token && isStorable(value)))

/** What is stored of an answer that was processed at `now`, with the ID token as it came. */
const toTokens = (
  { expires_at, expires_in, id_token: _signed, ...processed }: TokenEndpointResponse,
  idToken: string | undefined,
  now: number
): TokenSet & { readonly access_token: string } => {
  const lifetime = expires_in === undefined ? undefined : Math.min(Math.floor(expires_in), maxLifetime)
  const given = typeof expires_at === "number" && Number.isSafeInteger(expires_at) ? expires_at : undefined
  const expiry = lifetime === undefined ? given : lifetime === 0 ? undefined : now + lifetime
  return {
    ...processed,
    token_type: processed.token_type === "dpop" ? "dpop" : "bearer",
    ...(idToken === undefined ? undefined : { id_token: idToken }),
    ...(lifetime === undefined ? undefined : { expires_in: lifetime }),
    ...(expiry === undefined ? undefined : { expires_at: expiry })
  }
}

/** What is known of a response before the application has read it. */
const jsonIn = ({ body }: Incoming): unknown =>
  Result.getOrUndefined(Result.try((): unknown => JSON.parse(new TextDecoder().decode(body))))

const conformed = (provider: RedirectProvider, incoming: Incoming): Effect.Effect<Incoming, OAuthFault> => {
  const { conform } = provider.token
  if (conform === undefined || incoming.status < 200) return Effect.succeed(incoming)
  return fromAnswer("token.conform", () => conform(toResponse(incoming)), jsonIn(incoming)).pipe(
    Effect.mapError(applicationFault("token.conform of the provider")),
    Effect.flatMap((response) => (response === undefined ? Effect.succeed(incoming) : fromResponse(what, response)))
  )
}

const byApplication = (
  transport: Transport,
  provider: RedirectProvider,
  request: NonNullable<RedirectProvider["token"]["request"]>,
  { flow, parameters }: Grant
) =>
  Effect.flatMap(transport.fetch(what), (fetcher) =>
    Effect.suspend(() => {
      const given = {
        params: Object.fromEntries(parameters),
        checks: { code_verifier: flow.codeVerifier },
        provider: provider.source,
        redirectUri: flow.redirectUri,
        fetch: fetcher
      }
      return fromAnswer("token.request", () => request(given), given)
    })
  ).pipe(
    Effect.mapError(applicationFault("token.request of the provider")),
    Effect.flatMap((answer: unknown) =>
      isJsonObject(answer) && isJsonObject(answer["tokens"])
        ? Effect.succeed(answer["tokens"])
        : Effect.fail(invalidResponse("token.request of the provider gave no tokens"))
    )
  )

/** What the token endpoint answers to a request. */
const send = Effect.fnUntraced(function* (transport: Transport, provider: RedirectProvider, make: Prepare) {
  const protocol = yield* library
  const now = yield* currentSeconds
  const sent = sendWithNonce(what, provider, (nonce) =>
    Effect.flatMap(make(protocol, now, nonce), (request) => transport.send(what, request))
  )
  return yield* readAnswer(what, yield* conformed(provider, yield* sent), 200)
})

/** What the token endpoint, or the function in its place, answers to a code. */
const answerTo = Effect.fnUntraced(function* (transport: Transport, provider: RedirectProvider, grant: Grant) {
  const { request } = provider.token
  if (request !== undefined) {
    const { token_type = "bearer", ...tokens } = yield* byApplication(transport, provider, request, grant)
    return { status: 200, body: { ...tokens, token_type } }
  }
  return yield* send(transport, provider, (protocol, now, nonce) => prepare(protocol, provider, grant, now, nonce))
})

/** The members of a response; a token that is none is no reason to look at an error further. */
const readMembers = (
  body: JsonObject,
  status: number
): Effect.Effect<ReturnType<typeof conformMembers>, OAuthFault> => {
  const members = conformMembers(body)
  const unfit = lines.find((name) => {
    const value = members[name]
    return value !== undefined && !(typeof value === "string" && isLine(value, longest.token))
  })
  return unfit !== undefined && status === 200
    ? Effect.fail(invalidResponse(`${unfit} of the token response is no text of visible characters, or too long`))
    : Effect.succeed(members)
}

/** Exchanges a code for tokens, and for the claims of the ID token. The code is sent once: a failed exchange is not repeated. */
export const exchange = Effect.fnUntraced(function* (transport: Transport, provider: RedirectProvider, grant: Grant) {
  const { flow, metadata, parameters } = grant
  const { body, status } = yield* answerTo(transport, provider, grant)
  const members = yield* readMembers(body, status)
  const { id_token } = members
  const text = typeof id_token === "string" ? id_token : undefined
  const idToken =
    provider.type === "oidc" && text !== undefined && status === 200
      ? yield* IdToken.read(provider, metadata, text)
      : undefined
  if (idToken !== undefined) yield* verify(transport, provider, idToken, idToken)
  const requested = flow.requested ?? requestedBy(provider.authorizationParameters)
  const maxAge = IdToken.maxAgeOf(provider, requested)
  const now = yield* currentSeconds
  const kept = Object.entries(body).filter(isKept)
  const response = new ParsedResponse({ ...Object.fromEntries(kept), ...members, id_token: idToken?.text }, status)
  const processed = yield* call(
    (library) => {
      const server = { issuer: idToken?.issuer ?? grant.issuer }
      const client = clientAt(library, now, {
        client_id: provider.clientId,
        require_auth_time: provider.clientMetadata["require_auth_time"] === true,
        ...(maxAge === undefined ? undefined : { default_max_age: maxAge }),
        ...(idToken === undefined ? undefined : { id_token_signed_response_alg: idToken.algorithm })
      })
      const { nonce: expectedNonce = library.expectNoNonce } = flow
      // Slack writes an empty nonce where none was sent: it is none, and never equal to one that was.
      return flow.nonce === undefined && idToken?.claims["nonce"] === ""
        ? library.processGenericTokenEndpointResponse(server, client, response)
        : library.processAuthorizationCodeResponse(server, client, response, {
            ...(provider.type === "oidc" ? { expectedNonce, requireIdToken: true } : undefined)
          })
    },
    answerFault(what, status, flow.redirectUri)
  )
  const tokens = toTokens(processed, text, now)
  if (idToken === undefined) return { tokens, claims: undefined, idToken }
  const { getValidatedIdTokenClaims } = yield* library
  const claims = getValidatedIdTokenClaims(processed)
  if (claims === undefined) return yield* invalidResponse("the token response has no ID token")
  yield* IdToken.check(provider, idToken.algorithm, claims, {
    iss: parameters.get("iss") ?? undefined,
    accessToken: tokens.access_token,
    code: parameters.get("code") ?? "",
    state: flow.state,
    maxAge,
    requested,
    now
  })
  return { tokens, claims, idToken }
})

/** A refresh token, and where it is exchanged. */
export interface RefreshGrant {
  readonly refreshToken: string
  readonly tokenEndpoint: string
  /** The audience of a client assertion. */
  readonly issuer: string
}

/** A refresh token that is not good any more: RFC 6749 section 5.2, and the names of GitHub and Slack for it. */
const refreshErrors: ReadonlySet<unknown> = new Set(["invalid_grant", "bad_refresh_token", "invalid_refresh_token"])

/**
 * Exchanges a refresh token for tokens; none when the provider says that the refresh token is not good. An ID token of the answer
 * is left out: nobody signs in by it, and that of the sign-in stays.
 */
export const refresh = Effect.fnUntraced(function* (
  transport: Transport,
  provider: RedirectProvider,
  { issuer, refreshToken, tokenEndpoint }: RefreshGrant
): Effect.fn.Return<Option.Option<ReturnType<typeof toTokens>>, OAuthFault> {
  const server = { issuer, token_endpoint: tokenEndpoint }
  const client = { client_id: provider.clientId }
  const { body, status } = yield* send(transport, provider, (protocol, now, nonce) =>
    prepareRequest(what, protocol, provider, now, (authentication, options) =>
      protocol.refreshTokenGrantRequest(server, client, authentication, refreshToken, {
        ...options,
        ...proofOption(protocol, provider, now, nonce)
      })
    )
  )
  if (status !== 200 && refreshErrors.has(body["error"])) return Option.none()
  const members = yield* readMembers(body, status)
  const now = yield* currentSeconds
  const response = new ParsedResponse({ ...members, id_token: undefined }, status)
  const processed = yield* call(
    (library) => library.processRefreshTokenResponse(server, clientAt(library, now, client), response),
    answerFault(what, status, "")
  )
  const tokens = toTokens(processed, undefined, now)
  yield* checkBound(provider, tokens)
  return Option.some(tokens)
})
