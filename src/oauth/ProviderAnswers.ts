/**
 * What comes back from a provider: the answer to a sign-in, refreshed tokens, and what a logout needs. Loaded with the first one.
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
import { addresses } from "../internal/Mismatch.ts"
import type { OidcProvider, RedirectProvider } from "../Provider/internal/Provider.ts"
import { view } from "../telemetry/DebugView.ts"
import { logDebug } from "../telemetry/Signals.ts"
import * as AuthorizationResponse from "./AuthorizationResponse.ts"
import { connect, connectionOf, discover, type Endpoint } from "./Connection.ts"
import { endSessionAddress, type LogoutRequest } from "./EndSession.ts"
import { failureFields, type OAuthFault, providerError } from "./Fault.ts"
import type { Flow } from "./Flow.ts"
import { type LogoutToken, readLogoutToken } from "./LogoutToken.ts"
import type { AuthorizationAnswer } from "./OAuthClient.ts"
import { readAppleUser } from "./Platform.ts"
import { type SignedIn, toSignedIn } from "./Profiles.ts"
import { sendingOf } from "./Request.ts"
import { isSymmetric } from "./SignedToken.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"
import { transportTo, type Transports } from "./Transport.ts"
import { completeClaims, fetchProfile } from "./Userinfo.ts"

const failed = <A>(
  self: Effect.Effect<A, OAuthFault>,
  _: Transports,
  provider: RedirectProvider
): Effect.Effect<A, ProviderTokenError> =>
  Effect.mapError(self, (fault) => new ProviderTokenError(failureFields(provider, fault)))

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
    failed(
      TokenEndpoint.refresh(connection, { refreshToken: Redacted.value(refreshToken), idToken }),
      transports,
      provider
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

export const endSessionUrl = (
  transports: Transports,
  provider: OidcProvider,
  request: LogoutRequest
): Effect.Effect<string | undefined, ProviderTokenError> =>
  discover(transportTo(transports, provider), provider).pipe(
    Effect.flatMap((metadata) => endSessionAddress(provider, metadata, request)),
    Effect.mapError((fault) => new ProviderTokenError({ ...failureFields(provider, fault), fix: signOutThere }))
  )

export const logoutToken = (
  transports: Transports,
  provider: OidcProvider,
  text: string
): Effect.Effect<LogoutToken, MalformedRequest | ProviderTokenError> =>
  connect(transportTo(transports, provider), provider, keysOf(provider)).pipe(
    Effect.flatMap((connection) => readLogoutToken(connection, provider, text)),
    Effect.mapError((fault) =>
      fault.code === "invalid_token"
        ? new MalformedRequest(failureFields(provider, fault))
        : new ProviderTokenError({ ...failureFields(provider, fault), fix: "Send the logout token again." })
    )
  )

export const exchange = Effect.fnUntraced(
  function* (transports: Transports, provider: RedirectProvider, { flow, parameters }: AuthorizationAnswer) {
    const transport = transportTo(transports, provider)
    const foreign = flowFault(provider, flow)
    if (foreign !== undefined) return yield* foreign
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
    const validated = yield* AuthorizationResponse.validate(sending.protocol, connection, response, flow)
    const { claims, idToken, tokens } = yield* TokenEndpoint.exchange(sending, validated, flow)
    const profile =
      claims !== undefined && !needsUserinfo(provider)
        ? yield* completeClaims(sending, flow, claims, tokens)
        : { claims: yield* fetchProfile(sending, { claims, tokens }) }
    const user = provider.conform === "apple" ? readAppleUser(parameters.get("user")) : undefined
    const given = user === undefined ? profile.claims : { ...profile.claims, user }
    return yield* toSignedIn(yield* Effect.context(), connection, { ...profile, claims: given, tokens, idToken })
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

const signOutThere = "Sign out at the provider itself: the session at this site has ended."

const mismatch = (provider: RedirectProvider, why = ""): InvalidCheck =>
  new InvalidCheck({
    code: "flow_mismatch",
    provider: provider.id,
    detail: `the answer belongs to another sign-in attempt${why}`
  })

/** What is not the same on both legs (RFC 9700 sections 2.1 and 4.4). */
const flowFault = (provider: RedirectProvider, flow: Flow): InvalidCheck | undefined => {
  if (flow.provider !== provider.id) return mismatch(provider)
  return flow.issuer === provider.issuer
    ? undefined
    : mismatch(provider, `, with another issuer${addresses(provider.issuer, flow.issuer)}`)
}

/** An attempt that began at Auth.js with PKCE or a nonce alone has an empty state; then the answer has none. */
const isOfAttempt = (state: string | undefined, flow: Flow): boolean =>
  flow.state === ""
    ? state === undefined && (flow.codeVerifier !== undefined || flow.nonce !== undefined)
    : state !== undefined && equalText(state, flow.state)

/** Does the profile come from userinfo? */
const needsUserinfo = (provider: RedirectProvider): boolean =>
  provider.type === "oauth" || provider.idToken === false || provider.userinfo.request !== undefined

/** What a sign-in needs beside what functions of the application do. */
const neededFor = (provider: RedirectProvider): ReadonlyArray<Endpoint> => {
  const needed: Array<Endpoint> = provider.type === "oidc" ? [...keysOf(provider)] : []
  if (provider.token.request === undefined) needed.push("token_endpoint")
  if (needsUserinfo(provider) && provider.userinfo.request === undefined) needed.push("userinfo_endpoint")
  return needed
}

/** The keys of ID tokens and of logout tokens; none where the client secret is the key. */
const keysOf = ({ clientMetadata }: RedirectProvider): ReadonlyArray<Endpoint> =>
  isSymmetric(clientMetadata["id_token_signed_response_alg"]) ? [] : ["jwks_uri"]
