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
import * as Result from "effect/Result"
import type { Client, TokenEndpointResponse } from "oauth4webapi"
import { fromAnswer } from "../internal/Answer.ts"
import { isJsonObject, type JsonObject, parseJson } from "../internal/JsonText.ts"
import { isLine, isStorable, longest } from "../internal/Text.ts"
import { describe, kinds, memberNames } from "../internal/Mismatch.ts"
import type { TokenSet } from "../Models.ts"
import { withPresetTools } from "../Provider/internal/ProfileRequest.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import type { Connection } from "./Connection.ts"
import { applicationFault, invalidResponse, invalidToken, libraryFault, type OAuthFault } from "./Fault.ts"
import { type Flow, requestedBy } from "./Flow.ts"
import * as IdToken from "./IdToken.ts"
import {
  type Answer,
  answerOf,
  call,
  checkBound,
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

/** The tokens and their scope: none of them has a control character (RFC 6749 appendix A). */
const lines = ["access_token", "refresh_token", "id_token", "scope"] as const

/** The members that `oauth4webapi` processes, in the form of RFC 6749 sections 5.1 and 5.2, whatever the platform makes of them. */
const readMembers = ({ body: answer, status }: Answer) => {
  const members = {
    access_token: answer["access_token"],
    token_type: readName(answer["token_type"]),
    error: readName(answer["error"]),
    expires_in: readLifetime(answer["expires_in"]),
    scope: readScope(answer["scope"]),
    refresh_token: readOptional(answer["refresh_token"]),
    id_token: readOptional(answer["id_token"])
  }
  if (status === 200 && members.access_token === undefined) {
    return Result.fail(
      invalidResponse(`the answer of the ${what} has no access_token: expected text, got ${memberNames(answer)}`)
    )
  }
  const isUnfit = (value: unknown) =>
    value !== undefined && !(typeof value === "string" && isLine(value, longest.token))
  // In an error response an invalid token does not matter: the error code decides.
  const unfit = status === 200 ? lines.find((name) => isUnfit(members[name])) : undefined
  return unfit === undefined
    ? Result.succeed(members)
    : Result.fail(
        invalidResponse(
          `${unfit} of the token response is no text of visible characters, or too long${kinds(`at most ${longest.token} of them`, members[unfit])}`
        )
      )
}

/** The members as `oauth4webapi` takes them, with the ID token that was read. */
const strictAnswer = (members: JsonObject, idToken: IdToken.IdToken | undefined, status: number): Response =>
  answerOf({ body: { ...members, id_token: idToken?.text }, status })

/** Members that the library sets itself; a provider cannot choose to whom an account belongs. */
const reserved: ReadonlySet<string> = new Set([
  "__proto__",
  "expires_at",
  "provider",
  "providerAccountId",
  "type",
  "userId"
])

/** A further member that is kept. A text that no store can hold is left out, and with it nothing else is lost. */
const isKept = (name: string, value: unknown): boolean =>
  !reserved.has(name) && (typeof value !== "string" || (value.length <= longest.token && isStorable(value)))

/** The members of an answer beside those that `oauth4webapi` processes. */
const furtherIn = (body: JsonObject, members: JsonObject): JsonObject => {
  const further: Record<string, unknown> = {}
  for (const name of Object.keys(body)) {
    if (!Object.hasOwn(members, name) && isKept(name, body[name])) further[name] = body[name]
  }
  return further
}

/** What an answer has beside that which `oauth4webapi` processes: further members, the ID token as it came, and when it expires. */
interface Unprocessed {
  readonly further: JsonObject
  readonly idToken?: string | undefined
  readonly expiresAt?: unknown
}

/** What is stored of an answer that was processed at `now`. The processed ID token is that which was decrypted. */
const toTokens = (
  processed: TokenEndpointResponse,
  { expiresAt, further, idToken }: Unprocessed,
  now: number
): TokenSet & { readonly access_token: string } => {
  const { expires_in } = processed
  const lifetime = expires_in === undefined ? undefined : Math.min(Math.floor(expires_in), maxLifetime)
  const given = typeof expiresAt === "number" && Number.isSafeInteger(expiresAt) ? expiresAt : undefined
  const expiry = lifetime === undefined ? given : lifetime === 0 ? undefined : now + lifetime
  return {
    ...further,
    ...processed,
    token_type: processed.token_type === "dpop" ? "dpop" : "bearer",
    ...(idToken === undefined ? undefined : { id_token: idToken }),
    ...(lifetime === undefined ? undefined : { expires_in: lifetime }),
    ...(expiry === undefined ? undefined : { expires_at: expiry })
  }
}

/** The answer as `token.conform` of the provider wants it. */
const conformed = Effect.fnUntraced(function* (
  conform: NonNullable<RedirectProvider["token"]["conform"]>,
  response: Response,
  isRefresh: boolean
) {
  // At a sign-in with the response alone, as Auth.js calls it.
  const given = response.clone()
  const call = () => (isRefresh ? conform(given, true) : conform(given))
  // Secrets of the answer are removed from what the function throws.
  const secrets = parseJson((yield* textOf(response.clone())) ?? "")
  const made = yield* Effect.mapError(
    fromAnswer("token.conform", call, secrets),
    applicationFault("token.conform of the provider")
  )
  return made === undefined ? response : yield* readGiven(what, made)
})

/** Reads an answer of the endpoint. */
const read = ({ token: { conform } }: RedirectProvider, response: Response, isRefresh: boolean) =>
  conform === undefined
    ? readAnswer(what, response, 200)
    : Effect.flatMap(conformed(conform, response, isRefresh), (answer) => readAnswer(what, answer, 200))

/** What `token.request` of the provider answers, in the place of its token endpoint. */
const byApplication = Effect.fnUntraced(function* (
  { provider, transport }: Sending,
  perform: NonNullable<RedirectProvider["token"]["request"]>,
  parameters: URLSearchParams,
  flow: Flow
): Effect.fn.Return<Answer, OAuthFault> {
  const fetch = fetchOver(transport, what, yield* Effect.context())
  const given = withPresetTools(
    provider.id,
    { tokens: {}, fetch },
    {
      params: Object.fromEntries(parameters),
      checks: { code_verifier: flow.codeVerifier },
      provider: provider.source,
      redirectUri: flow.redirectUri,
      fetch
    }
  )
  const answer: unknown = yield* Effect.mapError(
    fromAnswer("token.request", () => perform(given), given),
    applicationFault("token.request of the provider")
  )
  if (!isJsonObject(answer) || !isJsonObject(answer["tokens"])) {
    return yield* invalidResponse(
      `token.request of the provider gave no tokens: expected { tokens: { access_token } }, got ${isJsonObject(answer) ? memberNames(answer) : describe(answer)}`,
      { fix: "Return an object with the member tokens from token.request." }
    )
  }
  const { token_type = "bearer", ...tokens } = answer["tokens"]
  return { status: 200, body: { ...tokens, token_type } }
})

/** The ID token of an answer. Plain OAuth does not read one, and neither is that of an error read. */
const readIdToken = (connection: Connection, text: unknown, status = 200) =>
  connection.provider.type === "oidc" && typeof text === "string" && status === 200
    ? IdToken.read(connection, text)
    : Effect.succeed(undefined)

/** The server that `oauth4webapi` compares the ID token with. */
const serverOf = ({ server }: Sending, idToken: IdToken.IdToken | undefined) =>
  idToken === undefined || server.issuer === idToken.issuer ? server : { ...server, issuer: idToken.issuer }

/** The client that it compares the ID token with, and what the token must say of the time of the sign-in. */
const clientOf = ({ client }: Sending, idToken: IdToken.IdToken | undefined, times: Partial<Client> = {}): Client => ({
  ...client,
  ...times,
  ...(idToken === undefined ? undefined : { id_token_signed_response_alg: idToken.algorithm })
})

/** Reads tokens, and the claims of the ID token with OpenID Connect, from what came for a code. */
const readTokens = Effect.fnUntraced(function* (
  sending: Sending,
  parameters: URLSearchParams,
  flow: Flow,
  reading: Effect.Effect<Answer, OAuthFault>
) {
  const { protocol, provider } = sending
  const answer = yield* reading
  const { body, status } = answer
  const members = yield* Effect.fromResult(readMembers(answer))
  const { id_token: text } = members
  const idToken = yield* readIdToken(sending, text, status)
  if (idToken !== undefined) yield* verify(sending, idToken, idToken)
  const requested = flow.requested ?? requestedBy(new Map(provider.authorizationParameters))
  const maxAge = IdToken.maxAgeOf(provider, requested)
  const server = serverOf(sending, idToken)
  const client = clientOf(sending, idToken, {
    require_auth_time: provider.clientMetadata["require_auth_time"] === true,
    ...(maxAge === undefined ? undefined : { default_max_age: maxAge })
  })
  const { nonce: expectedNonce = protocol.expectNoNonce } = flow
  const processed = yield* call(() => {
    const response = strictAnswer(members, idToken, status)
    // Slack writes an empty nonce where none was sent: it is none, and never equal to one that was.
    return flow.nonce === undefined && idToken?.claims["nonce"] === ""
      ? protocol.processGenericTokenEndpointResponse(server, client, response)
      : protocol.processAuthorizationCodeResponse(server, client, response, {
          ...(provider.type === "oidc" ? { expectedNonce, requireIdToken: true } : undefined)
        })
  })
  const now = yield* currentSeconds
  const unprocessed = {
    further: furtherIn(body, members),
    idToken: typeof text === "string" ? text : undefined,
    expiresAt: body["expires_at"]
  }
  const tokens = toTokens(processed, unprocessed, now)
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
  const fault = libraryFault(what, flow.redirectUri)
  const perform = provider.token.request
  if (perform !== undefined) {
    return Effect.mapError(
      readTokens(sending, parameters, flow, byApplication(sending, perform, parameters, flow)),
      fault
    )
  }
  const verifier = flow.codeVerifier ?? protocol.nopkce
  return request(sending, what, {
    make: (options) =>
      protocol.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        flow.redirectUri,
        verifier,
        options
      ),
    read: (response) => readTokens(sending, parameters, flow, read(provider, response, false)),
    fault
  })
}

/** What kind of token is revoked (RFC 7009 section 2.1). */
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

/** What is refreshed. */
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
  const { protocol } = sending
  const refreshed = yield* request(sending, what, {
    make: (options) =>
      protocol.refreshTokenGrantRequest(sending.server, sending.client, sending.authentication, refreshToken, options),
    read: Effect.fnUntraced(function* (response) {
      const answer = yield* read(provider, response, true)
      const { body, status } = answer
      if (status !== 200 && refreshErrors.has(body["error"])) return undefined
      const members = yield* Effect.fromResult(readMembers(answer))
      const idToken = yield* readIdToken(connection, members.id_token, status)
      const server = serverOf(sending, idToken)
      const client = clientOf(sending, idToken)
      const strict = strictAnswer(members, idToken, status)
      const processed = yield* call(() => protocol.processRefreshTokenResponse(server, client, strict))
      // A token that cannot be read any more, because its key was replaced, is compared with nothing.
      const before = yield* Effect.orElseSucceed(readIdToken(connection, signedInWith), () => undefined)
      const refused =
        idToken === undefined
          ? undefined
          : IdToken.refreshFault(idToken.claims, before?.claims ?? idToken.claims, provider)
      if (refused !== undefined) return yield* invalidToken(`the ID token of the refresh ${refused}`)
      const { id_token: _left, ...tokens } = processed
      return toTokens(tokens, { further: {} }, yield* currentSeconds)
    }),
    fault: libraryFault(what)
  })
  if (refreshed !== undefined) yield* checkBound(provider, refreshed)
  return Option.fromUndefinedOr(refreshed)
})
