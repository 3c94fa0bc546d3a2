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
import { Settings } from "../config/Settings.ts"
import type { Site } from "../crypto/Scope.ts"
import { whenLoaded } from "../internal/Lazily.ts"
import { Network } from "../internal/Network.ts"
import * as Row from "../internal/ServiceRow.ts"
import type { Transports } from "./Transport.ts"

/** The site of a client that is made without one. */
const anonymous: Site = { basePath: "", secrets: [] }

type Beginning = typeof import("./AuthorizationRequest.ts")
type Answering = typeof import("./ProviderAnswers.ts")

const beginning = whenLoaded(() => import("./AuthorizationRequest.ts"))
const answering = whenLoaded(() => import("./ProviderAnswers.ts"))

/** A function of these modules, as the client has it. */
type Bound<F> = F extends (transports: Transports, ...given: infer Given) => infer Result
  ? (...given: Given) => Result
  : never

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
    readonly authorizationUrl: Bound<Beginning["authorizationUrl"]>
    /**
     * Turns a provider's answer into a person: validates the answer, exchanges the code, checks the ID token, fetches
     * userinfo where it is needed, and maps the profile. Fails with `InvalidCheck` for an answer that belongs to another
     * attempt; nothing is sent to the provider then.
     */
    readonly exchange: Bound<Answering["exchange"]>
    /**
     * Finds the token endpoint, and answers the exchange of a refresh token there: once it has begun, the refresh token may be
     * used up. None when the provider says that the refresh token is not good. The ID token is that of the sign-in.
     */
    readonly refresh: Bound<Answering["refresh"]>
    /** Revokes a token at the provider (RFC 7009). */
    readonly revoke: Bound<Answering["revoke"]>
    /** Where a browser signs out at the provider; `undefined` where the provider has no endpoint for it. */
    readonly endSessionUrl: Bound<Answering["endSessionUrl"]>
    /** Verifies a logout token. Fails with `MalformedRequest` for one that is not good. */
    readonly logoutToken: Bound<Answering["logoutToken"]>
  }
>()("effect-doorman/oauth/OAuthClient") {
  /**
   * The client over the network of the application. The two modules are loaded when they are first asked, apart from each other:
   * most requests read a session, and ask no provider.
   */
  static readonly make = (network: Network["Service"], site: Site = anonymous): OAuthClient["Service"] => {
    const transports: Transports = { network, site }
    return {
      authorizationUrl: (...given) => beginning((loaded) => loaded.authorizationUrl(transports, ...given)),
      exchange: (...given) => answering((loaded) => loaded.exchange(transports, ...given)),
      refresh: (...given) => answering((loaded) => loaded.refresh(transports, ...given)),
      revoke: (...given) => answering((loaded) => loaded.revoke(transports, ...given)),
      endSessionUrl: (...given) => answering((loaded) => loaded.endSessionUrl(transports, ...given)),
      logoutToken: (...given) => answering((loaded) => loaded.logoutToken(transports, ...given))
    }
  }

  /** @internal */
  static readonly row: Row.Row<OAuthClient, OAuthClient["Service"], Settings | Network> = Row.row(
    OAuthClient,
    (context) => OAuthClient.make(Context.get(context, Network), Context.get(context, Settings))
  )
}
