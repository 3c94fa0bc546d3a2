/**
 * Exchanges a code for tokens (RFC 6749 sections 4.1.3 and 5) with the client authentication that is configured.
 *
 * `oauth4webapi` makes the request; it travels over `Transport.ts`. The response is read here, strictly: an error in an
 * answer of status 200 is an error, a token type that this client cannot use is refused, and what is stored later has the
 * type it should have.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { fromAnswer } from "../internal/Answer.ts"
import { isJsonObject } from "../internal/JsonText.ts"
import { showAddress } from "../internal/Mismatch.ts"
import { isLine, isStorable, longest } from "../internal/Text.ts"
import type { TokenSet } from "../Models.ts"
import type { RedirectProvider } from "../preset/Provider.ts"
import { invalidGrant, invalidResponse, nameOf, OAuthFault, providerError, unavailable, unregistered } from "./Fault.ts"
import { proofOption, sendWithNonce } from "./Dpop.ts"
import type { Flow } from "./Flow.ts"
import { type Library, library } from "./Library.ts"
import { prepareRequest } from "./PreparedRequest.ts"
import { fromResponse, type Incoming, readJson, statusFault, toResponse, type Transport } from "./Transport.ts"

/** What is exchanged, and where. */
export interface Grant {
  /** The validated parameters of the authorization response. */
  readonly parameters: URLSearchParams
  readonly flow: Flow
  readonly tokenEndpoint: string
  /** The audience of a client assertion. */
  readonly issuer: string
}

const what = "token endpoint"

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
      protocol.validateAuthResponse(
        server,
        client,
        grant.parameters,
        flow.state === "" ? protocol.expectNoState : flow.state
      ),
      flow.redirectUri,
      flow.codeVerifier ?? protocol.nopkce,
      { ...options, ...proofOption(protocol, provider, now, nonce) }
    )
  )
}

/** The fault behind an error response (RFC 6749 section 5.2). What was sent as redirect URI helps to find the registered one. */
const errorFault = (error: string, redirectUri: string): OAuthFault =>
  clientErrors.has(error)
    ? providerError(`the token endpoint does not accept this client (${error}); check the client id and secret`)
    : grantErrors.has(error)
      ? invalidGrant(
          `the token endpoint refuses the code (${error}): it is forged, used, too old, or for another redirect URI than ${showAddress(redirectUri)}`
        )
      : error === "redirect_uri_mismatch"
        ? providerError(unregistered(redirectUri))
        : error === "temporarily_unavailable"
          ? unavailable("the token endpoint is overloaded (temporarily_unavailable)")
          : providerError(`the token endpoint reports ${nameOf(error)}`)

/** RFC 6749 section 5.2, and GitHub's name for it. */
const grantErrors: ReadonlySet<string> = new Set(["invalid_grant", "bad_verification_code"])

/** The platform does not accept the client: RFC 6749 section 5.2, and GitHub's name for it. */
export const clientErrors: ReadonlySet<string> = new Set([
  "invalid_client",
  "unauthorized_client",
  "incorrect_client_credentials"
])

const hasError = (body: Readonly<Record<string, unknown>>): body is { readonly error: string } =>
  typeof body["error"] === "string" && body["error"] !== ""

const readResponse = (
  incoming: Incoming,
  redirectUri: string
): Effect.Effect<Readonly<Record<string, unknown>>, OAuthFault> => {
  const { status } = incoming
  if (status === 200) {
    return Effect.flatMap(readJson(what, incoming), (object) =>
      hasError(object) ? Effect.fail(errorFault(object.error, redirectUri)) : Effect.succeed(object)
    )
  }
  const plain = statusFault(what, status)
  if (status < 400 || status > 499) return Effect.fail(plain)
  return Effect.flatMap(
    Effect.orElseSucceed(readJson(what, incoming), () => undefined),
    (body) =>
      Effect.fail(
        body !== undefined && hasError(body)
          ? errorFault(body.error, redirectUri)
          : status === 401
            ? errorFault("invalid_client", redirectUri)
            : plain
      )
  )
}

/** Ten years: nobody plans further, and every date computed from it is one. */
const maxLifetime = 315_360_000

/** `expires_in` as a number of seconds; some platforms write it as text. */
const readLifetime = (value: unknown): number | undefined | OAuthFault => {
  if (value === undefined || value === null) return undefined
  const seconds = typeof value === "string" && /^\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof seconds !== "number" || Number.isNaN(seconds))
    return invalidResponse("expires_in of the token response is no number")
  return Math.min(Math.max(Math.floor(seconds), 0), maxLifetime)
}

const readScope = (value: unknown): string | undefined | OAuthFault => {
  const scope = Array.isArray(value) && value.every((item) => typeof item === "string") ? value.join(" ") : value
  return typeof scope === "string" ? readLine("scope", scope) : undefined
}

/** No token and no scope has a control character (RFC 6749 appendix A). */
const readLine = (name: string, value: string): string | OAuthFault =>
  isLine(value, longest.token)
    ? value
    : invalidResponse(`${name} of the token response is too long, or has characters that it may not have`)

/** A token that may be absent: `null` and the empty text count as absent. */
const readOptional = (name: string, value: unknown): string | undefined | OAuthFault => {
  if (value === undefined || value === null || value === "") return undefined
  return typeof value === "string" ? readLine(name, value) : invalidResponse(`${name} of the token response is no text`)
}

const isTokenType = (type: string): type is "bearer" | "dpop" => type === "bearer" || type === "dpop"

/** Members that the library sets itself; a provider cannot choose to whom an account belongs. */
const reserved: ReadonlySet<string> = new Set(["__proto__", "provider", "providerAccountId", "type", "userId"])

/** A further member that is kept. A text that no store can hold is left out, and with it nothing else is lost. */
const isKept = ([name, value]: readonly [string, unknown]): boolean =>
  !reserved.has(name) && (typeof value !== "string" || (value.length <= longest.token && isStorable(value)))

/** Reads a token response, `now` in seconds since 1970. */
export const readTokens = (
  body: Readonly<Record<string, unknown>>,
  now: number,
  defaultType?: string
): Effect.Effect<TokenSet & { readonly access_token: string }, OAuthFault> => {
  const { access_token, token_type = defaultType } = body
  if (typeof access_token !== "string" || access_token === "") {
    return Effect.fail(invalidResponse("the token response has no access token"))
  }
  const accessToken = readLine("access_token", access_token)
  if (accessToken instanceof OAuthFault) return Effect.fail(accessToken)
  const type = typeof token_type === "string" && token_type.length <= longest.label ? token_type.toLowerCase() : ""
  if (!isTokenType(type))
    return Effect.fail(invalidResponse("the token response has a token type that is not supported"))
  const lifetime = readLifetime(body["expires_in"])
  if (lifetime instanceof OAuthFault) return Effect.fail(lifetime)
  const refreshToken = readOptional("refresh_token", body["refresh_token"])
  if (refreshToken instanceof OAuthFault) return Effect.fail(refreshToken)
  const idToken = readOptional("id_token", body["id_token"])
  if (idToken instanceof OAuthFault) return Effect.fail(idToken)
  const { expires_at, expires_in: _, id_token: _id, refresh_token: _refresh, scope, ...extra } = body
  const granted = readScope(scope)
  if (granted instanceof OAuthFault) return Effect.fail(granted)
  const given = typeof expires_at === "number" && Number.isSafeInteger(expires_at) ? expires_at : undefined
  const expiry = lifetime === undefined ? given : lifetime === 0 ? undefined : now + lifetime
  return Effect.succeed({
    ...Object.fromEntries(Object.entries(extra).filter(isKept)),
    access_token: accessToken,
    token_type: type,
    ...(refreshToken === undefined ? undefined : { refresh_token: refreshToken }),
    ...(idToken === undefined ? undefined : { id_token: idToken }),
    ...(granted === undefined ? undefined : { scope: granted }),
    ...(lifetime === undefined ? undefined : { expires_in: lifetime }),
    ...(expiry === undefined ? undefined : { expires_at: expiry })
  })
}

/** What application code failed with: a fault of this library stays what it is. */
const applicationFault =
  (name: string) =>
  (cause: unknown): OAuthFault =>
    OAuthFault.is(cause) ? cause : providerError(`${name} of the provider failed`, cause)

/** What is known of a response before the application has read it. */
const jsonIn = ({ body }: Incoming): unknown =>
  Result.getOrUndefined(Result.try((): unknown => JSON.parse(new TextDecoder().decode(body))))

const conformed = (provider: RedirectProvider, incoming: Incoming): Effect.Effect<Incoming, OAuthFault> => {
  const { conform } = provider.token
  if (conform === undefined || incoming.status < 200) return Effect.succeed(incoming)
  return fromAnswer("token.conform", () => conform(toResponse(incoming)), jsonIn(incoming)).pipe(
    Effect.mapError(applicationFault("token.conform")),
    Effect.flatMap((response) => (response === undefined ? Effect.succeed(incoming) : fromResponse(what, response)))
  )
}

const byApplication = (
  transport: Transport,
  provider: RedirectProvider,
  request: NonNullable<RedirectProvider["token"]["request"]>,
  { flow, parameters }: Grant
) =>
  Effect.flatMap(transport.fetch, (fetcher) =>
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
    Effect.mapError(applicationFault("token.request")),
    Effect.flatMap((answer: unknown) =>
      isJsonObject(answer) && isJsonObject(answer["tokens"])
        ? Effect.succeed(answer["tokens"])
        : Effect.fail(invalidResponse("token.request of the provider gave no tokens"))
    )
  )

/** Exchanges a code for tokens. The code is sent once: a failed exchange is not repeated. */
export const exchange = Effect.fnUntraced(function* (transport: Transport, provider: RedirectProvider, grant: Grant) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const { request } = provider.token
  if (request !== undefined) {
    const tokens = yield* byApplication(transport, provider, request, grant)
    return yield* readTokens(tokens, Math.floor((yield* Clock.currentTimeMillis) / 1000), "bearer")
  }
  const protocol = yield* library
  const sent = sendWithNonce(what, provider, (nonce) =>
    Effect.flatMap(prepare(protocol, provider, grant, now, nonce), (request) => transport.send(what, request))
  )
  const incoming = yield* conformed(provider, yield* sent)
  const body = yield* readResponse(incoming, grant.flow.redirectUri)
  return yield* readTokens(body, Math.floor((yield* Clock.currentTimeMillis) / 1000))
})
