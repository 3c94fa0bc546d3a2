/**
 * The client of OAuth 2.0 and OpenID Connect providers: where to send a browser, and who came back.
 *
 * This is the relying party of OpenID Connect Core and the client of RFC 6749 under the rules of RFC 9700: code flow with
 * PKCE, every ID token verified, no unsolicited response accepted. It does not depend on cookies, requests and sessions:
 * it takes the record of the sign-in attempt and returns an identity. Its parts are in `oauth/`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Settings } from "../config/Settings.ts"
import {
  InvalidCheck,
  MalformedRequest,
  OAuthCallbackError,
  OAuthProfileParseError,
  OAuthSignInError,
  ProviderTokenError
} from "../Errors.ts"
import { Network } from "../internal/Network.ts"
import * as Row from "../internal/ServiceRow.ts"
import { providerScope, type Site } from "../crypto/Scope.ts"
import { equalText } from "../crypto/Sha256.ts"
import { view } from "../telemetry/DebugView.ts"
import { addresses } from "../internal/Mismatch.ts"
import { type AuthorizationAddress, type AuthorizationUrlRequest, writeRequest } from "./AuthorizationRequest.ts"
import * as AuthorizationResponse from "./AuthorizationResponse.ts"
import { connect, connectionOf, discover, type Endpoint } from "./Connection.ts"
import { endSessionAddress, type LogoutRequest } from "./EndSession.ts"
import { type OAuthFault, providerError } from "./Fault.ts"
import type { Flow } from "./Flow.ts"
import { type LogoutToken, readLogoutToken } from "./LogoutToken.ts"
import { readAppleUser } from "./Platform.ts"
import { type SignedIn, toSignedIn } from "./Profiles.ts"
import { isSymmetric } from "./SignedToken.ts"
import { push } from "./PushedRequest.ts"
import { sendingOf, thumbprintOf } from "./Request.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"
import * as Transport from "./Transport.ts"
import { fetchProfile } from "./Userinfo.ts"
import type { TokenSet } from "../Models.ts"
import type { OidcProvider, RedirectProvider } from "../Provider/internal/Provider.ts"
import { logDebug } from "../telemetry/Signals.ts"

export type { AuthorizationAddress, AuthorizationUrlRequest } from "./AuthorizationRequest.ts"
export type { SignedIn } from "./Profiles.ts"

/**
 * What the browser brought back, with the record of the attempt that it belongs to.
 *
 * @category models
 * @since 0.1.0
 */
export interface AuthorizationAnswer {
  /** The query, duplicates included, or the body of a form post, where names that differ in value are empty already. */
  readonly parameters: URLSearchParams
  readonly flow: Flow
}

/** The site of a client that is made without one. */
const anonymous: Site = { basePath: "", secrets: [] }

/**
 * Talks to providers.
 *
 * @category services
 * @since 0.1.0
 */
export class OAuthClient extends Context.Service<
  OAuthClient,
  {
    /** The address to send the browser to. The parameters are pushed to the provider first where they must be (RFC 9126). */
    readonly authorizationUrl: (
      provider: RedirectProvider,
      request: AuthorizationUrlRequest
    ) => Effect.Effect<AuthorizationAddress, OAuthSignInError>
    /**
     * Turns a provider's answer into a person: validates the answer, exchanges the code, checks the ID token, fetches
     * userinfo where it is needed, and maps the profile. Fails with `InvalidCheck` for an answer that belongs to another
     * attempt; nothing is sent to the provider then.
     */
    readonly exchange: (
      provider: RedirectProvider,
      answer: AuthorizationAnswer
    ) => Effect.Effect<SignedIn, OAuthCallbackError | OAuthProfileParseError | InvalidCheck>
    /**
     * Finds the token endpoint, and answers the exchange of a refresh token there: once it has begun, the refresh token may be
     * used up. None when the provider says that the refresh token is not good. The ID token is that of the sign-in.
     */
    readonly refresh: (
      provider: RedirectProvider
    ) => Effect.Effect<
      (
        refreshToken: Redacted.Redacted,
        idToken: string | undefined
      ) => Effect.Effect<Option.Option<TokenSet>, ProviderTokenError>,
      ProviderTokenError
    >
    /** Revokes a token at the provider (RFC 7009). */
    readonly revoke: (
      provider: RedirectProvider,
      hint: TokenEndpoint.TokenHint,
      token: Redacted.Redacted
    ) => Effect.Effect<void, ProviderTokenError>
    /** Where a browser signs out at the provider; `undefined` where the provider has no endpoint for it. */
    readonly endSessionUrl: (
      provider: OidcProvider,
      request: LogoutRequest
    ) => Effect.Effect<string | undefined, ProviderTokenError>
    /** Verifies a logout token. Fails with `MalformedRequest` for one that is not good. */
    readonly logoutToken: (
      provider: OidcProvider,
      text: string
    ) => Effect.Effect<LogoutToken, MalformedRequest | ProviderTokenError>
  }
>()("effect-doorman/oauth/OAuthClient") {
  /**
   * The client over the network of the application. `oauth4webapi` is loaded when it first has to process an answer. Metadata and
   * keys that a provider's own `fetch` function brings are cached for the secret and base path of the site, the id, type,
   * issuer and client id of the provider, and the source text of the function: a configuration that is made for every request
   * has a new function each time.
   */
  static readonly make = (network: Network["Service"], site: Site = anonymous): OAuthClient["Service"] => {
    const transports = new WeakMap<RedirectProvider, Transport.Transport>()

    const transportTo = (provider: RedirectProvider): Transport.Transport => {
      const known = transports.get(provider)
      if (known !== undefined) return known
      const { clientId, fetch, id, issuer, type } = provider
      const text = fetch === undefined ? "" : Function.prototype.toString.call(fetch)
      const made = Transport.make(network, provider, () =>
        providerScope("fetch", site, id, type, issuer, clientId, text)
      )
      transports.set(provider, made)
      return made
    }

    const refresh = Effect.fnUntraced(function* (provider: RedirectProvider) {
      if (provider.token.request !== undefined) {
        return yield* providerError(
          "token.request of the provider replaces its token endpoint, so nothing is refreshed"
        )
      }
      const needed = provider.type === "oidc" ? keysOf(provider) : []
      const connection = yield* connect(transportTo(provider), provider, ["token_endpoint", ...needed])
      return (refreshToken: Redacted.Redacted, idToken: string | undefined) =>
        failed(TokenEndpoint.refresh(connection, { refreshToken: Redacted.value(refreshToken), idToken }), provider)
    }, failed)

    const revoke = Effect.fnUntraced(function* (
      provider: RedirectProvider,
      hint: TokenEndpoint.TokenHint,
      token: Redacted.Redacted
    ) {
      const connection = yield* connect(transportTo(provider), provider, ["revocation_endpoint"])
      yield* TokenEndpoint.revoke(connection, hint, Redacted.value(token))
    }, failed)

    return OAuthClient.of({
      authorizationUrl: (provider, request) => authorizationUrl(transportTo(provider), provider, request),
      exchange: (provider, answer) => exchange(transportTo(provider), provider, answer),
      refresh,
      revoke,
      endSessionUrl: (provider, request) =>
        discover(transportTo(provider), provider).pipe(
          Effect.flatMap((metadata) => endSessionAddress(provider, metadata, request)),
          Effect.mapError((fault) => new ProviderTokenError({ ...fields(provider, fault), fix: signOutThere }))
        ),
      logoutToken: (provider, text) =>
        connect(transportTo(provider), provider, keysOf(provider)).pipe(
          Effect.flatMap((connection) => readLogoutToken(connection, provider, text)),
          Effect.mapError((fault) =>
            fault.code === "invalid_token"
              ? new MalformedRequest(fields(provider, fault))
              : new ProviderTokenError({ ...fields(provider, fault), fix: "Send the logout token again." })
          )
        )
    })
  }

  /** @internal */
  static readonly row: Row.Row<OAuthClient, OAuthClient["Service"], Settings | Network> = Row.row(
    OAuthClient,
    (context) => OAuthClient.make(Context.get(context, Network), Context.get(context, Settings))
  )
}

const authorizationUrl = (
  transport: Transport.Transport,
  provider: RedirectProvider,
  request: AuthorizationUrlRequest
): Effect.Effect<AuthorizationAddress, OAuthSignInError> =>
  Effect.mapErrorEager(
    Effect.flatMapEager(connect(transport, provider, authorizing), ({ server }) => {
      const { authorization_endpoint: endpoint = "", require_pushed_authorization_requests: isRequired } = server
      const address = Effect.mapEager(thumbprintOf(provider), (thumbprint) =>
        writeRequest(provider, endpoint, request, thumbprint)
      )
      // An issuer that accepts pushed requests may not have enabled the client for them: they are sent where it requires them.
      return (provider.pushedAuthorizationRequests ?? isRequired === true)
        ? Effect.flatMap(address, (direct) => pushed(transport, provider, endpoint, direct))
        : address
    }),
    (fault) => new OAuthSignInError(fields(provider, fault))
  )

const authorizing: ReadonlyArray<Endpoint> = ["authorization_endpoint"]

/** The address that refers to a request, which the provider was sent. */
const pushed = Effect.fnUntraced(function* (
  transport: Transport.Transport,
  provider: RedirectProvider,
  endpoint: string,
  { requested, url }: AuthorizationAddress
): Effect.fn.Return<AuthorizationAddress, OAuthFault> {
  const pushing = yield* connect(transport, provider, [
    "authorization_endpoint",
    "pushed_authorization_request_endpoint"
  ])
  return { url: yield* push(pushing, endpoint, url), requested }
})

const exchange = Effect.fnUntraced(
  function* (transport: Transport.Transport, provider: RedirectProvider, { flow, parameters }: AuthorizationAnswer) {
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
      claims !== undefined && !needsUserinfo(provider) ? claims : yield* fetchProfile(sending, { claims, tokens })
    const user = provider.conform === "apple" ? readAppleUser(parameters.get("user")) : undefined
    const given = user === undefined ? profile : { ...profile, user }
    return yield* toSignedIn(sending, { claims: given, tokens, idToken })
  },
  (self, _, provider) =>
    self.pipe(
      Effect.mapError((fault) => {
        if (fault instanceof InvalidCheck) return fault
        const Failure = fault.code === "profile_invalid" ? OAuthProfileParseError : OAuthCallbackError
        return new Failure(fields(provider, fault))
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

const fields = (provider: RedirectProvider, { blame, cause, code, detail, retryable }: OAuthFault) => ({
  detail: `${provider.id}: ${detail}`,
  code,
  provider: provider.id,
  retryable,
  ...(blame === undefined ? {} : { blame }),
  ...(cause === undefined ? {} : { cause })
})

const signOutThere = "Sign out at the provider itself: the session at this site has ended."

const failed = <A>(
  self: Effect.Effect<A, OAuthFault>,
  provider: RedirectProvider
): Effect.Effect<A, ProviderTokenError> =>
  Effect.mapError(self, (fault) => new ProviderTokenError(fields(provider, fault)))

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
  provider.type === "oauth" || !provider.idToken || provider.userinfo.request !== undefined

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
