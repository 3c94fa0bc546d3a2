/**
 * Exchanges a code or a refresh token for tokens (RFC 6749 sections 4.1.3, 5 and 6), and revokes tokens (RFC 7009).
 *
 * `oauth4webapi` makes the requests and processes the answers. They are read strictly before: an error in an answer of status
 * 200 is an error, and what is stored later has the type it should have.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Client, TokenEndpointResponse } from "oauth4webapi"
import { fromAnswer } from "../internal/Answer.ts"
import { isJsonObject, type JsonObject, parseJson } from "../internal/JsonText.ts"
import { describe, kinds, memberNames } from "../internal/Mismatch.ts"
import { isLine, isStorable, longest } from "../internal/Text.ts"
import type { TokenSet } from "../Models.ts"
import { withPresetTools } from "../Provider/internal/ProfileRequest.ts"
import { applicationFault, invalidResponse, invalidToken, libraryFault, type OAuthFault } from "./Fault.ts"
import { type Flow, requestedBy } from "./Flow.ts"
import * as IdToken from "./IdToken.ts"
import {
  type Answer,
  answerOf,
  call,
  checkBound,
  type Connection,
  currentSeconds,
  readAnswer,
  request,
  type Sending,
  sendingOf
} from "./Request.ts"
import { verify } from "./SignedToken.ts"
import { fetchOver, readGiven, textOf } from "./Transport.ts"

const what = "token endpoint"

/** Ten years: longer than any real token lifetime, and every date computed from it is valid. */
const maxLifetime = 315_360_000

/** A member that may be absent: `null` and the empty text count as absent. */
const readOptional = (value: unknown): unknown => (value === "" ? undefined : (value ?? undefined))

/** The members that `oauth4webapi` processes, in the form of RFC 6749 sections 5.1 and 5.2, whatever the platform makes of them. */
const readMembers = ({ body, status }: Answer) => {
  const { access_token, error, expires_in, id_token, refresh_token, scope, token_type }: JsonObject = body
  const isList = Array.isArray(scope) && scope.every((item) => typeof item === "string")
  const members = {
    access_token,
    token_type,
    error,
    // It is below zero at some platforms. A text is parsed by the library.
    expires_in: typeof expires_in === "number" ? Math.max(expires_in, 0) : (expires_in ?? undefined),
    scope: isList ? scope.join(" ") : typeof scope === "string" ? scope : undefined,
    refresh_token: readOptional(refresh_token),
    id_token: readOptional(id_token)
  }
  // In an error response an invalid token does not matter: the error code decides.
  if (status !== 200) return Effect.succeed(members)
  if (access_token === undefined) {
    return Effect.fail(
      invalidResponse(`the answer of the ${what} has no access_token: expected text, got ${memberNames(body)}`)
    )
  }
  // None of them has a control character (RFC 6749 appendix A).
  const unfit = (["access_token", "refresh_token", "id_token", "scope"] as const).find((name) => {
    const value = members[name]
    return value !== undefined && !(typeof value === "string" && isLine(value, longest.token))
  })
  return unfit === undefined
    ? Effect.succeed(members)
    : Effect.fail(
        invalidResponse(
          `${unfit} of the token response is no text of visible characters, or too long${kinds(`at most ${longest.token} of them`, members[unfit])}`
        )
      )
}

/** The answer that `oauth4webapi` processes, with the server and the client that it compares the ID token with. */
const prepare = Effect.fnUntraced(function* (sending: Sending, answer: Answer, times: Partial<Client> = {}) {
  const { client, provider, server } = sending
  const members = yield* readMembers(answer)
  const { id_token: text } = members
  // Plain OAuth does not read an ID token, and neither is that of an error read.
  const isRead = provider.type === "oidc" && answer.status === 200
  const idToken = isRead && typeof text === "string" ? yield* IdToken.read(sending, text) : undefined
  return {
    members,
    idToken,
    server: { ...server, issuer: idToken?.issuer ?? server.issuer },
    client: {
      ...client,
      ...times,
      ...(idToken === undefined ? undefined : { id_token_signed_response_alg: idToken.algorithm })
    },
    response: answerOf({ ...answer, body: { ...members, id_token: idToken?.text } })
  }
})

/** Members that the library sets itself; a provider cannot choose to whom an account belongs. */
const reserved: ReadonlySet<string> = new Set([
  "__proto__",
  "expires_at",
  "provider",
  "providerAccountId",
  "type",
  "userId"
])

/** The further members of an answer. A text that no store can hold is left out, and with it nothing else is lost. */
const furtherIn = (body: JsonObject, members: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) =>
        !Object.hasOwn(members, name) &&
        !reserved.has(name) &&
        (typeof value !== "string" || (value.length <= longest.token && isStorable(value)))
    )
  )

/** The stored members of an answer that was processed at `now`. Platforms may give the end of a token in place of its life time. */
const toTokens = (
  { expires_in, token_type, ...processed }: TokenEndpointResponse,
  expiresAt: unknown,
  now: number
): TokenSet & { readonly access_token: string } => {
  const lifetime = expires_in === undefined ? undefined : Math.min(Math.floor(expires_in), maxLifetime)
  const given = typeof expiresAt === "number" && Number.isSafeInteger(expiresAt) ? expiresAt : undefined
  const expiry = lifetime === undefined ? given : lifetime === 0 ? undefined : now + lifetime
  return {
    ...processed,
    token_type: token_type === "dpop" ? "dpop" : "bearer",
    ...(lifetime === undefined ? undefined : { expires_in: lifetime }),
    ...(expiry === undefined ? undefined : { expires_at: expiry })
  }
}

/** Reads an answer of the endpoint, as `token.conform` of the provider wants it. */
const read = Effect.fnUntraced(function* (
  { provider: { token } }: Connection,
  response: Response,
  isRefresh: boolean
): Effect.fn.Return<Answer, OAuthFault> {
  const { conform } = token
  if (conform === undefined) return yield* readAnswer(what, response, 200)
  const given = response.clone()
  // At a sign-in with the response alone, as Auth.js calls it.
  const call = () => (isRefresh ? conform(given, true) : conform(given))
  // Secrets of the answer are removed from what the function throws.
  const secrets = parseJson((yield* textOf(response.clone())) ?? "")
  const changed = yield* Effect.mapError(
    fromAnswer("token.conform", call, secrets),
    applicationFault("token.conform of the provider")
  )
  return yield* readAnswer(what, changed === undefined ? response : yield* readGiven(what, changed), 200)
})

/** The answer of the provider's `token.request`, in place of its token endpoint. */
const byApplication = Effect.fnUntraced(function* (
  { provider, transport }: Sending,
  parameters: URLSearchParams,
  { codeVerifier, redirectUri }: Flow
): Effect.fn.Return<Answer, OAuthFault> {
  const fetch = fetchOver(transport, what, yield* Effect.context())
  const given = withPresetTools(
    provider.id,
    { tokens: {}, fetch },
    {
      params: Object.fromEntries(parameters),
      checks: { code_verifier: codeVerifier },
      provider: provider.source,
      redirectUri,
      fetch
    }
  )
  const answer: unknown = yield* Effect.mapError(
    fromAnswer("token.request", () => provider.token.request?.(given), given),
    applicationFault("token.request of the provider")
  )
  if (!isJsonObject(answer) || !isJsonObject(answer["tokens"])) {
    return yield* invalidResponse(
      `token.request of the provider gave no tokens: expected { tokens: { access_token } }, got ${isJsonObject(answer) ? memberNames(answer) : describe(answer)}`,
      { fix: "Return an object with the member tokens from token.request." }
    )
  }
  return { status: 200, body: { token_type: "bearer", ...answer["tokens"] } }
})

/** Reads tokens, and the claims of the ID token with OpenID Connect, from what came for a code. */
const readTokens = Effect.fnUntraced(function* (
  sending: Sending,
  parameters: URLSearchParams,
  flow: Flow,
  answer: Answer
) {
  const { protocol, provider } = sending
  const requested = flow.requested ?? requestedBy(new Map(provider.authorizationParameters))
  const maxAge = IdToken.maxAgeOf(provider, requested)
  const { client, idToken, members, response, server } = yield* prepare(sending, answer, {
    require_auth_time: provider.clientMetadata["require_auth_time"] === true,
    ...(maxAge === undefined ? undefined : { default_max_age: maxAge })
  })
  if (idToken !== undefined) yield* verify(sending, idToken)
  const { nonce: expectedNonce = protocol.expectNoNonce } = flow
  const processed = yield* call(() =>
    // Slack writes an empty nonce where none was sent. It counts as missing, and never equals a nonce that was sent.
    flow.nonce === undefined && idToken?.claims["nonce"] === ""
      ? protocol.processGenericTokenEndpointResponse(server, client, response)
      : protocol.processAuthorizationCodeResponse(server, client, response, {
          ...(provider.type === "oidc" ? { expectedNonce, requireIdToken: true } : undefined)
        })
  )
  const now = yield* currentSeconds
  const { id_token: text } = members
  const tokens = {
    ...furtherIn(answer.body, members),
    ...toTokens(processed, answer.body["expires_at"], now),
    // As it came, and not as it was decrypted.
    ...(typeof text === "string" ? { id_token: text } : undefined)
  }
  yield* checkBound(provider, tokens)
  if (idToken === undefined) return { tokens, claims: undefined, idToken }
  const claims = protocol.getValidatedIdTokenClaims(processed)
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

/** Exchanges a code for tokens, and for the claims of the ID token. The code is sent once: a failed exchange is not repeated. */
export const exchange = (sending: Sending, parameters: URLSearchParams, flow: Flow) => {
  const { authentication, client, protocol, provider, server } = sending
  const { codeVerifier = protocol.nopkce, redirectUri } = flow
  const fault = libraryFault(what, redirectUri)
  const readTokensOf = (reading: Effect.Effect<Answer, OAuthFault>) =>
    Effect.flatMap(reading, (answer) => readTokens(sending, parameters, flow, answer))
  if (provider.token.request !== undefined)
    return Effect.mapError(readTokensOf(byApplication(sending, parameters, flow)), fault)
  return request(sending, what, {
    make: (options) =>
      protocol.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        redirectUri,
        codeVerifier,
        options
      ),
    read: (response) => readTokensOf(read(sending, response, false)),
    fault
  })
}

/** The kind of a revoked token (RFC 7009 section 2.1). */
export type TokenHint = "access_token" | "refresh_token"

/** Revokes a token (RFC 7009). A provider that revokes refresh tokens alone lets its access tokens end by themselves. */
export const revoke = Effect.fnUntraced(function* (
  connection: Connection,
  token_type_hint: TokenHint,
  token: string
): Effect.fn.Return<void, OAuthFault> {
  const endpoint = "revocation endpoint"
  const sending = yield* sendingOf(connection)
  const { authentication, client, protocol, server } = sending
  yield* request(sending, endpoint, {
    make: (options) =>
      protocol.revocationRequest(server, client, authentication, token, {
        ...options,
        additionalParameters: { token_type_hint }
      }),
    read: Effect.fnUntraced(function* (response) {
      // The body of a response with status 200 does not count (section 2.2).
      if (response.status === 200) return yield* call(() => protocol.processRevocationResponse(response))
      const { body, status } = yield* readAnswer(endpoint, response, 200)
      if (token_type_hint === "access_token" && body["error"] === "unsupported_token_type") return undefined
      return yield* call(() => protocol.processRevocationResponse(answerOf({ body, status })))
    }),
    fault: libraryFault(endpoint)
  })
})

/** A refresh token that is not good any more: RFC 6749 section 5.2, and the names of GitHub and Slack for it. */
const refreshErrors: ReadonlySet<unknown> = new Set(["invalid_grant", "bad_refresh_token", "invalid_refresh_token"])

/** The input of a refresh. */
export interface Refresh {
  readonly refreshToken: string
  /** The ID token of the sign-in, where it is known. */
  readonly idToken: string | undefined
}

/**
 * Exchanges a refresh token for tokens; none when the provider says that the refresh token is not good.
 *
 * An ID token of the answer must be about the person of the sign-in, of the same issuer and for this client (OpenID Connect Core
 * section 12.2). Then it is left out: it signs no user in, and that of the sign-in stays. Its signature is not verified: a response
 * without an ID token is as good, and keys that cannot be fetched would cost the new refresh token.
 */
export const refresh = Effect.fnUntraced(function* (
  connection: Connection,
  { idToken: signedInWith, refreshToken }: Refresh
): Effect.fn.Return<Option.Option<TokenSet & { readonly access_token: string }>, OAuthFault> {
  const { provider } = connection
  const sending = yield* sendingOf(connection)
  const { authentication, protocol } = sending
  const refreshed = yield* request(sending, what, {
    make: (options) =>
      protocol.refreshTokenGrantRequest(sending.server, sending.client, authentication, refreshToken, options),
    read: Effect.fnUntraced(function* (response) {
      const answer = yield* read(connection, response, true)
      if (answer.status !== 200 && refreshErrors.has(answer.body["error"])) return undefined
      const { client, idToken, response: strict, server } = yield* prepare(sending, answer)
      const processed = yield* call(() => protocol.processRefreshTokenResponse(server, client, strict))
      if (idToken !== undefined) {
        // A token that cannot be read any more, because its key was replaced, is compared with nothing.
        const before = yield* Effect.option(IdToken.read(connection, signedInWith ?? ""))
        const { claims } = Option.getOrElse(before, () => idToken)
        const refused = IdToken.refreshFault(idToken.claims, claims, provider)
        if (refused !== undefined) return yield* invalidToken(`the ID token of the refresh ${refused}`)
      }
      const { id_token: _left, ...tokens } = processed
      return toTokens(tokens, undefined, yield* currentSeconds)
    }),
    fault: libraryFault(what)
  })
  if (refreshed !== undefined) yield* checkBound(provider, refreshed)
  return Option.fromUndefinedOr(refreshed)
})
