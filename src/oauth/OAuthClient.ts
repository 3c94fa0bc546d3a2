/**
 * The client of OAuth 2.0 and OpenID Connect providers: where to send a browser, and who came back.
 *
 * This is the relying party of OpenID Connect Core and the client of RFC 6749 under the rules of RFC 9700: code flow with
 * PKCE, every ID token verified, no answer accepted that was not asked for. It knows nothing of cookies, requests and
 * sessions: the record of the sign-in attempt is handed in, a person is handed back. The parts stand in `oauth/`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as HttpClient from "effect/http/HttpClient"
import { Settings } from "../config/Settings.ts"
import {
  InvalidCheck,
  MalformedRequest,
  OAuthCallbackError,
  OAuthProfileParseError,
  OAuthSignInError,
  ProviderTokenError
} from "../Errors.ts"
import * as Row from "../internal/ServiceRow.ts"
import { providerScope, type Site } from "../crypto/Scope.ts"
import { equalText } from "../crypto/Sha256.ts"
import { view, viewOfAuthorization } from "../telemetry/DebugView.ts"
import { addresses } from "../internal/Mismatch.ts"
import { configuredFault } from "../http/NetworkAddress.ts"
import { addressFor } from "./AuthorizationRequest.ts"
import * as AuthorizationResponse from "./AuthorizationResponse.ts"
import { discover, type Metadata } from "./Discovery.ts"
import { bindCode, checkBound } from "./Dpop.ts"
import { endSessionAddress, type LogoutRequest } from "./EndSession.ts"
import { type OAuthFault, providerError } from "./Fault.ts"
import type { Flow } from "./Flow.ts"
import { type LogoutToken, readLogoutToken } from "./LogoutToken.ts"
import { readAppleUser } from "./Platform.ts"
import { verifyResponse } from "./JwtResponse.ts"
import { type SignedIn, toSignedIn } from "./Profiles.ts"
import { isSymmetric } from "./SignedToken.ts"
import { isPushed, push } from "./PushedRequest.ts"
import { type RequestedSignIn, requestedIn } from "./RequestedSignIn.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"
import * as Transport from "./Transport.ts"
import { fetchProfile } from "./Userinfo.ts"
import type { TokenSet } from "../Models.ts"
import type { OidcProvider, RedirectProvider } from "../Provider/internal/Provider.ts"
import { debugged } from "../telemetry/DebugLog.ts"

export type { SignedIn } from "./Profiles.ts"

/**
 * What belongs to one authorization request.
 *
 * @category models
 * @since 0.1.0
 */
export interface AuthorizationUrlRequest {
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string | undefined
  /** PKCE challenge for the method `S256` (RFC 7636 section 4.2). */
  readonly codeChallenge: string | undefined
  /** Further parameters that the caller has checked; those of the protocol are ignored. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
  /** Do they come from the server's own call? Then they take precedence over the configuration. Default: `false`. */
  readonly fromServer?: boolean
}

/**
 * Where the browser is sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface AuthorizationAddress {
  readonly url: string
  /** What the request asks of the sign-in, which an address that refers to a pushed request does not show. */
  readonly requested: RequestedSignIn
}

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
     * used up. None when the provider says that the refresh token is not good.
     */
    readonly refresh: (
      provider: RedirectProvider
    ) => Effect.Effect<
      (refreshToken: Redacted.Redacted) => Effect.Effect<Option.Option<TokenSet>, ProviderTokenError>,
      ProviderTokenError
    >
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
   * The client over the application's `HttpClient`. `oauth4webapi` is loaded when it first has to process an answer. Metadata and
   * keys that a provider's own `fetch` function brings are cached for the secret and base path of the site, the id, type,
   * issuer and client id of the provider, and the source text of the function: a configuration that is made for every request
   * has a new function each time.
   */
  static readonly make = (client: HttpClient.HttpClient, site: Site = anonymous): OAuthClient["Service"] => {
    const transports = new WeakMap<RedirectProvider, Transport.Transport>()

    const transportTo = (provider: RedirectProvider): Transport.Transport => {
      const known = transports.get(provider)
      if (known !== undefined) return known
      const { clientId, fetch, id, issuer, type } = provider
      const text = fetch === undefined ? "" : Function.prototype.toString.call(fetch)
      const made = Transport.make(client, provider, () =>
        providerScope("fetch", site, id, type, issuer, clientId, text)
      )
      transports.set(provider, made)
      return made
    }

    const authorizationUrl = Effect.fnUntraced(function* (
      provider: RedirectProvider,
      request: AuthorizationUrlRequest
    ) {
      const configured = yield* configuredEndpoint("authorization endpoint", provider.authorization.url)
      const transport = transportTo(provider)
      const metadata =
        configured === undefined || provider.pushedAuthorizationRequests === true
          ? yield* discover(transport, provider)
          : undefined
      const endpoint = configured ?? metadata?.authorization_endpoint
      if (endpoint === undefined) return yield* missing("authorization_endpoint")
      const url = yield* bindCode(provider, addressFor(provider, endpoint, request))
      const requested = requestedIn(url)
      return isPushed(provider, metadata)
        ? { url: yield* push(transport, provider, metadata, endpoint, url), requested }
        : { url, requested }
    })

    const exchange = Effect.fnUntraced(function* (
      provider: RedirectProvider,
      { flow, parameters }: AuthorizationAnswer
    ) {
      yield* checkFlow(provider, flow)
      const transport = transportTo(provider)
      const response = yield* AuthorizationResponse.read(
        provider.jwtResponse
          ? yield* verifyResponse(transport, provider, yield* discover(transport, provider), parameters)
          : parameters
      )
      if (!sameState(response.state, flow)) return yield* mismatch(provider)
      // An issuer that is down must not hide what the provider said.
      const metadata = yield* response.error === undefined
        ? metadataFor(transport, provider)
        : Effect.orElseSucceed(metadataFor(transport, provider), () => undefined)
      const validated = yield* AuthorizationResponse.validate(provider, response, metadata, flow)
      const tokenEndpoint =
        (yield* configuredEndpoint("token endpoint", provider.token.url)) ?? metadata?.token_endpoint
      if (tokenEndpoint === undefined && provider.token.request === undefined) return yield* missing("token_endpoint")
      const issuer = metadata?.issuer ?? provider.issuer
      const { claims, idToken, tokens } = yield* TokenEndpoint.exchange(transport, provider, {
        parameters: validated,
        flow,
        tokenEndpoint: tokenEndpoint ?? "",
        issuer: issuer ?? tokenEndpoint ?? provider.id,
        metadata
      })
      yield* checkBound(provider, tokens)
      const profile =
        claims !== undefined && !needsUserinfo(provider)
          ? claims
          : yield* fetchProfile(transport, provider, {
              url:
                (yield* configuredEndpoint("userinfo endpoint", provider.userinfo.url)) ?? metadata?.userinfo_endpoint,
              tokens,
              subject: claims?.sub,
              issuer: claims?.iss ?? issuer,
              jwksUri: metadata?.jwks_uri
            })
      const user = provider.conform === "apple" ? readAppleUser(parameters.get("user")) : undefined
      const given = user === undefined ? profile : { ...profile, user }
      const signedIn: SignedIn = { ...(yield* toSignedIn(transport, provider, given, tokens)), idToken }
      return signedIn
    })

    const endSessionUrl = Effect.fnUntraced(function* (provider: OidcProvider, request: LogoutRequest) {
      return yield* endSessionAddress(provider, yield* discover(transportTo(provider), provider), request)
    })

    const logoutToken = Effect.fnUntraced(function* (provider: OidcProvider, text: string) {
      const transport = transportTo(provider)
      return yield* readLogoutToken(transport, provider, yield* discover(transport, provider), text)
    })

    const refresh = Effect.fnUntraced(function* (provider: RedirectProvider) {
      if (provider.token.request !== undefined) {
        return yield* providerError(
          "token.request of the provider replaces its token endpoint, so nothing is refreshed"
        )
      }
      const transport = transportTo(provider)
      const configured = yield* configuredEndpoint("token endpoint", provider.token.url)
      const metadata = configured === undefined ? yield* discover(transport, provider) : undefined
      const tokenEndpoint = configured ?? metadata?.token_endpoint
      if (tokenEndpoint === undefined) return yield* missing("token_endpoint")
      const issuer = metadata?.issuer ?? provider.issuer ?? tokenEndpoint
      return (refreshToken: Redacted.Redacted) =>
        Effect.mapError(
          TokenEndpoint.refresh(transport, provider, {
            refreshToken: Redacted.value(refreshToken),
            tokenEndpoint,
            issuer
          }),
          (fault) => new ProviderTokenError(fields(provider, fault))
        )
    })

    return OAuthClient.of({
      refresh: (provider) =>
        Effect.mapError(refresh(provider), (fault) => new ProviderTokenError(fields(provider, fault))),
      endSessionUrl: (provider, request) =>
        Effect.mapError(
          endSessionUrl(provider, request),
          (fault) => new ProviderTokenError({ ...fields(provider, fault), fix: signOutThere })
        ),
      logoutToken: (provider, text) =>
        Effect.mapError(logoutToken(provider, text), (fault) =>
          fault.code === "invalid_token"
            ? new MalformedRequest(fields(provider, fault))
            : new ProviderTokenError({ ...fields(provider, fault), fix: "Send the logout token again." })
        ),
      authorizationUrl: (provider, request) =>
        authorizationUrl(provider, request).pipe(
          Effect.mapError((fault) => new OAuthSignInError(fields(provider, fault))),
          debugged(
            "authorization url is ready",
            ({ url }: AuthorizationAddress) => ({ url: viewOfAuthorization(url) }),
            () => ({
              provider: provider.id
            })
          )
        ),
      exchange: (provider, answer) =>
        exchange(provider, answer).pipe(
          Effect.mapError((fault) =>
            fault instanceof InvalidCheck
              ? fault
              : fault.code === "profile_invalid"
                ? new OAuthProfileParseError(fields(provider, fault))
                : new OAuthCallbackError(fields(provider, fault))
          ),
          debugged(
            "authorization result",
            ({ account, emailVerified, user }: SignedIn) => ({
              user: view(user),
              account: view(account),
              emailVerified
            }),
            () => ({ provider: provider.id })
          )
        )
    })
  }

  /** @internal */
  static readonly row: Row.Row<OAuthClient, OAuthClient["Service"], Settings | HttpClient.HttpClient> = Row.row(
    OAuthClient,
    (context) => OAuthClient.make(Context.get(context, HttpClient.HttpClient), Context.get(context, Settings))
  )

  /** The service as a layer. @since 0.1.0 */
  static readonly layer: Layer.Layer<OAuthClient, never, Settings | HttpClient.HttpClient> = Row.layer(OAuthClient.row)
}

const fields = (provider: RedirectProvider, { blame, cause, code, detail, retryable }: OAuthFault) => ({
  detail: `${provider.id}: ${detail}`,
  code,
  provider: provider.id,
  retryable,
  ...(blame === undefined ? {} : { blame }),
  ...(cause === undefined ? {} : { cause })
})

const signOutThere = "Sign out at the provider itself: the session at this site has ended."

const missing = (name: string): OAuthFault =>
  providerError(`the provider's configuration and the metadata of its issuer both lack ${name}`)

const mismatch = (provider: RedirectProvider, why = ""): InvalidCheck =>
  new InvalidCheck({
    code: "flow_mismatch",
    provider: provider.id,
    detail: `the answer belongs to another sign-in attempt${why}`
  })

/** Everything that must be the same on both legs (RFC 9700 sections 2.1 and 4.4). */
const checkFlow = (provider: RedirectProvider, flow: Flow): Effect.Effect<void, InvalidCheck> =>
  flow.provider !== provider.id
    ? Effect.fail(mismatch(provider))
    : flow.issuer === provider.issuer
      ? Effect.void
      : Effect.fail(mismatch(provider, `, with another issuer${addresses(provider.issuer, flow.issuer)}`))

/** An attempt that began at Auth.js with PKCE or a nonce alone has an empty state; then the answer has none. */
const sameState = (state: string | undefined, flow: Flow): boolean =>
  flow.state === ""
    ? state === undefined && (flow.codeVerifier !== undefined || flow.nonce !== undefined)
    : state !== undefined && equalText(state, flow.state)

const configuredEndpoint = (what: string, url: string | undefined): Effect.Effect<string | undefined, OAuthFault> => {
  const refused = url === undefined ? undefined : configuredFault(what, url)
  return refused === undefined ? Effect.succeed(url) : Effect.fail(providerError(refused))
}

/** Does the profile come from userinfo? */
const needsUserinfo = (provider: RedirectProvider): boolean =>
  provider.type === "oauth" || !provider.idToken || provider.userinfo.request !== undefined

/** Is there anything that only the issuer's metadata can tell? */
const needsMetadata = (provider: RedirectProvider): boolean =>
  (provider.token.url === undefined && provider.token.request === undefined) ||
  (needsUserinfo(provider) && provider.userinfo.url === undefined && provider.userinfo.request === undefined) ||
  (provider.type === "oidc" && !isSymmetric(provider.clientMetadata["id_token_signed_response_alg"]))

const metadataFor = (
  transport: Transport.Transport,
  provider: RedirectProvider
): Effect.Effect<Metadata | undefined, OAuthFault> =>
  needsMetadata(provider) ? discover(transport, provider) : Effect.succeed(undefined)
