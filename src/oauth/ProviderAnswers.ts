/**
 * Answers of a provider: the answer to a sign-in, refreshed tokens, and what a logout needs. Loaded with the first one.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { equalText } from "../crypto/Sha256.ts"
import {
  InvalidCheck,
  MalformedRequest,
  OAuthCallbackError,
  OAuthProfileParseError,
  ProviderTokenError
} from "../Errors.ts"
import { discoveredFault } from "../http/NetworkAddress.ts"
import { addresses } from "../internal/Mismatch.ts"
import { readAppleUser } from "../Provider/internal/PlatformRules.ts"
import type { OidcProvider, RedirectProvider } from "../Provider/internal/Provider.ts"
import { view } from "../telemetry/DebugView.ts"
import { logDebug } from "../telemetry/Signals.ts"
import * as AuthorizationResponse from "./AuthorizationResponse.ts"
import { connect, connectionOf, discover, type Endpoint } from "./Connection.ts"
import { failureFields, invalidResponse, type OAuthFault, providerError } from "./Fault.ts"
import type { Flow } from "./Flow.ts"
import { readLogoutToken } from "./LogoutToken.ts"
import { type SignedIn, toSignedIn } from "./Profiles.ts"
import { sendingOf } from "./Request.ts"
import { isSymmetric } from "./SignedToken.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"
import { transportTo, type Transports } from "./Transport.ts"
import { completeClaims, fetchProfile } from "./Userinfo.ts"

/** The fault of a refresh, a revocation or a logout as a failure. */
const tokenError =
  (provider: RedirectProvider, more: { readonly fix?: string } = {}) =>
  (fault: OAuthFault): ProviderTokenError =>
    new ProviderTokenError({ ...failureFields(provider, fault), ...more })

const failed = <A>(self: Effect.Effect<A, OAuthFault>, _: Transports, provider: RedirectProvider) =>
  Effect.mapError(self, tokenError(provider))

/** As `OAuthClient` describes it, like all of this module. */
export const refresh = Effect.fnUntraced(function* (transports: Transports, provider: RedirectProvider) {
  if (provider.token.request !== undefined) {
    return yield* providerError("token.request of the provider replaces its token endpoint, so nothing is refreshed", {
      fix: "Refresh in the application, or replace token.request by token.conform."
    })
  }
  const needed = provider.type === "oidc" ? keysOf(provider) : []
  const connection = yield* connect(transportTo(transports, provider), provider, ["token_endpoint", ...needed])
  return (refreshToken: Redacted.Redacted, idToken: string | undefined) =>
    Effect.mapError(
      TokenEndpoint.refresh(connection, { refreshToken: Redacted.value(refreshToken), idToken }),
      tokenError(provider)
    )
}, failed)

export const revoke = Effect.fnUntraced(function* (
  transports: Transports,
  provider: RedirectProvider,
  hint: TokenEndpoint.TokenHint,
  token: Redacted.Redacted
) {
  const connection = yield* connect(transportTo(transports, provider), provider, ["revocation_endpoint"])
  yield* TokenEndpoint.revoke(connection, hint, Redacted.value(token))
}, failed)

/**
 * The parts of one logout request (OpenID Connect RP-Initiated Logout 1.0 section 2).
 *
 * @category models
 * @since 0.1.0
 */
export interface LogoutRequest {
  /** The ID token of the session. Without one the provider may ask the person. */
  readonly idTokenHint: Redacted.Redacted | undefined
  /** The address to come back to, which is registered at the provider. */
  readonly returnTo: string
  readonly state: string
}

export const endSessionUrl = Effect.fnUntraced(
  function* (transports: Transports, provider: OidcProvider, { idTokenHint, returnTo, state }: LogoutRequest) {
    const { end_session_endpoint: endpoint, issuer } = yield* discover(transportTo(transports, provider), provider)
    if (endpoint === undefined) return undefined
    const refused = discoveredFault("end_session_endpoint", endpoint, issuer)
    if (refused !== undefined) return yield* invalidResponse(refused)
    const url = new URL(endpoint)
    const { searchParams } = url
    if (idTokenHint !== undefined) searchParams.set("id_token_hint", Redacted.value(idTokenHint))
    searchParams.set("post_logout_redirect_uri", returnTo)
    searchParams.set("client_id", provider.clientId)
    searchParams.set("state", state)
    return url.href
  },
  (self, _, provider) =>
    Effect.mapError(
      self,
      tokenError(provider, { fix: "Sign out at the provider itself: the session at this site has ended." })
    )
)

export const logoutToken = Effect.fnUntraced(
  function* (transports: Transports, provider: OidcProvider, text: string) {
    const connection = yield* connect(transportTo(transports, provider), provider, keysOf(provider))
    return yield* readLogoutToken(connection, provider, text)
  },
  (self, _, provider) =>
    Effect.mapError(self, (fault) =>
      fault.code === "invalid_token"
        ? new MalformedRequest(failureFields(provider, fault))
        : tokenError(provider, { fix: "Send the logout token again." })(fault)
    )
)

/**
 * The parameters of the browser's return, with the record of their attempt.
 *
 * @category models
 * @since 0.1.0
 */
export interface AuthorizationAnswer {
  /** The query, duplicates included, or the body of a form post, where names that differ in value are empty already. */
  readonly parameters: URLSearchParams
  readonly flow: Flow
}

export const exchange = Effect.fnUntraced(
  function* (transports: Transports, provider: RedirectProvider, { flow, parameters }: AuthorizationAnswer) {
    const transport = transportTo(transports, provider)
    // Both must be the same on both legs (RFC 9700 sections 2.1 and 4.4).
    if (flow.provider !== provider.id) return yield* mismatch(provider)
    if (flow.issuer !== provider.issuer)
      return yield* mismatch(provider, `, with another issuer${addresses(provider.issuer, flow.issuer)}`)
    const answer = provider.jwtResponse
      ? yield* AuthorizationResponse.verifySigned(yield* connect(transport, provider, ["jwks_uri"]), parameters)
      : parameters
    const response = yield* AuthorizationResponse.read(answer)
    if (!isOfAttempt(response.get("state") ?? undefined, flow)) return yield* mismatch(provider)
    const connected = connect(transport, provider, neededFor(provider))
    // An issuer that is down must not hide what the provider said.
    const connection = yield* response.has("error")
      ? Effect.orElseSucceed(connected, () => connectionOf(transport, provider))
      : connected
    const sending = yield* sendingOf(connection)
    const validated = yield* AuthorizationResponse.validate(sending, response, flow)
    const { claims, idToken, tokens } = yield* TokenEndpoint.exchange(sending, validated, flow)
    const profile =
      claims !== undefined && !needsUserinfo(provider)
        ? yield* completeClaims(sending, flow, claims, tokens)
        : { claims: yield* fetchProfile(sending, { claims, tokens }) }
    const user = provider.conform === "apple" ? readAppleUser(parameters.get("user")) : undefined
    const given = user === undefined ? profile.claims : { ...profile.claims, user }
    return yield* toSignedIn(connection, { ...profile, claims: given, tokens, idToken })
  },
  (self, _, provider) =>
    self.pipe(
      Effect.mapError((fault) => {
        if (fault instanceof InvalidCheck) return fault
        const Failure = fault.code === "profile_invalid" ? OAuthProfileParseError : OAuthCallbackError
        return new Failure(failureFields(provider, fault))
      }),
      logDebug(
        "authorization result",
        ({ account, emailVerified, user }: SignedIn) => ({
          user: view(user),
          account: view(account),
          emailVerified
        }),
        () => ({ provider: provider.id })
      )
    )
)

const mismatch = (provider: RedirectProvider, why = ""): InvalidCheck =>
  new InvalidCheck({
    code: "flow_mismatch",
    provider: provider.id,
    detail: `the answer belongs to another sign-in attempt${why}`
  })

/** An attempt that began at Auth.js with PKCE or a nonce alone has an empty state; then the answer has none. */
const isOfAttempt = (state: string | undefined, flow: Flow): boolean =>
  flow.state === ""
    ? state === undefined && (flow.codeVerifier !== undefined || flow.nonce !== undefined)
    : state !== undefined && equalText(state, flow.state)

/** Does the profile come from userinfo? */
const needsUserinfo = (provider: RedirectProvider): boolean =>
  provider.type === "oauth" || provider.idToken === false || provider.userinfo.request !== undefined

/** The dependencies of a sign-in beside the application's functions. */
const neededFor = (provider: RedirectProvider): ReadonlyArray<Endpoint> => {
  const needed: Array<Endpoint> = provider.type === "oidc" ? [...keysOf(provider)] : []
  if (provider.token.request === undefined) needed.push("token_endpoint")
  if (needsUserinfo(provider) && provider.userinfo.request === undefined) needed.push("userinfo_endpoint")
  return needed
}

/** The keys of ID tokens and of logout tokens; none where the client secret is the key. */
const keysOf = ({ clientMetadata }: RedirectProvider): ReadonlyArray<Endpoint> =>
  isSymmetric(clientMetadata["id_token_signed_response_alg"]) ? [] : ["jwks_uri"]
