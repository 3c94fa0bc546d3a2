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
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { Settings } from "../config/Settings.ts"
import type { Site } from "../crypto/Scope.ts"
import type {
  InvalidCheck,
  MalformedRequest,
  OAuthCallbackError,
  OAuthProfileParseError,
  OAuthSignInError,
  ProviderTokenError
} from "../Errors.ts"
import { whenLoaded } from "../internal/Lazily.ts"
import { Network } from "../internal/Network.ts"
import * as Row from "../internal/ServiceRow.ts"
import type { TokenSet } from "../Models.ts"
import type { OidcProvider, RedirectProvider } from "../Provider/internal/Provider.ts"
import type { AuthorizationAddress, AuthorizationUrlRequest } from "./AuthorizationRequest.ts"
import type { LogoutToken } from "./LogoutToken.ts"
import type { SignedIn } from "./Profiles.ts"
import type { AuthorizationAnswer, LogoutRequest } from "./ProviderAnswers.ts"
import type * as TokenEndpoint from "./TokenEndpoint.ts"
import type { Transports } from "./Transport.ts"

/** The site of a client that is made without one. */
const anonymous: Site = { basePath: "", secrets: [] }

const beginning = whenLoaded(() => import("./AuthorizationRequest.ts"))
const answering = whenLoaded(() => import("./ProviderAnswers.ts"))

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
   * The client over the network of the application. What begins a sign-in and what takes its answer are loaded when they are first
   * asked, apart from each other: most requests read a session, and ask no provider.
   */
  static readonly make = (network: Network["Service"], site: Site = anonymous): OAuthClient["Service"] => {
    const transports: Transports = { network, site }
    return {
      authorizationUrl: (provider, request) =>
        beginning((loaded) => loaded.authorizationUrl(transports, provider, request)),
      exchange: (provider, answer) => answering((loaded) => loaded.exchange(transports, provider, answer)),
      refresh: (provider) => answering((loaded) => loaded.refresh(transports, provider)),
      revoke: (provider, hint, token) => answering((loaded) => loaded.revoke(transports, provider, hint, token)),
      endSessionUrl: (provider, request) => answering((loaded) => loaded.endSessionUrl(transports, provider, request)),
      logoutToken: (provider, text) => answering((loaded) => loaded.logoutToken(transports, provider, text))
    }
  }

  /** @internal */
  static readonly row: Row.Row<OAuthClient, OAuthClient["Service"], Settings | Network> = Row.row(
    OAuthClient,
    (context) => OAuthClient.make(Context.get(context, Network), Context.get(context, Settings))
  )
}
