/**
 * The client of providers, loaded when it is first asked: most requests read a session, and ask no provider.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { Settings } from "../config/Settings.ts"
import { whenLoaded } from "../internal/Lazily.ts"
import type { Network } from "../internal/Network.ts"
import type * as Row from "../internal/ServiceRow.ts"
import type { OAuthClient } from "./OAuthClient.ts"

type Client = OAuthClient["Service"]

const client = whenLoaded(() => import("./OAuthClient.ts"))

/** The row of the client, by its key: the class would bring the client. @internal */
export const row: Row.Row<OAuthClient, Client, Network | Settings> = {
  key: "effect-doorman/oauth/OAuthClient",
  make: (context) => {
    let instance: Client | undefined
    const ask = <A, E>(call: (own: Client) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
      instance === undefined
        ? client((loaded) => call((instance ??= loaded.OAuthClient.row.make(context))))
        : call(instance)
    return {
      authorizationUrl: (provider, request) => ask((own) => own.authorizationUrl(provider, request)),
      exchange: (provider, answer) => ask((own) => own.exchange(provider, answer)),
      refresh: (provider) => ask((own) => own.refresh(provider)),
      revoke: (provider, hint, token) => ask((own) => own.revoke(provider, hint, token)),
      endSessionUrl: (provider, request) => ask((own) => own.endSessionUrl(provider, request)),
      logoutToken: (provider, text) => ask((own) => own.logoutToken(provider, text))
    }
  }
}
