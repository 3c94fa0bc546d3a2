/**
 * The demo's OpenID provider: the real `oidc-provider`, with pages of our own for its two questions. It accepts any
 * name without a password, so it is for one machine only.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { Provider } from "oidc-provider"
import { document, Html, html, icon, pageHeaders } from "./Html.ts"
import { consentPage, failurePage, loginPage, logoutPage } from "./InteractionPages.ts"
import { makeProviderStore } from "./ProviderStore.ts"
import { stylesheet } from "./Stylesheet.ts"

/** The one application that the provider knows. */
export interface DemoClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
  /** Where the application runs, for example `http://localhost:3000`. */
  readonly origin: string
  /** Base of its authentication endpoints. */
  readonly base: string
  /** Seconds for which an access token is valid. */
  readonly tokenSeconds: number
}

/** The answer of a page, as the provider's functions write it. */
interface Page {
  body: unknown
  readonly set: (headers: Record<string, string>) => void
}

/** Makes the provider's request listener. */
export const makeProvider = (
  issuer: string,
  client: DemoClient
): ((incoming: IncomingMessage, outgoing: ServerResponse) => void) => {
  const place = new URL(issuer).host
  const provider = new Provider(issuer, {
    adapter: makeProviderStore(),
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        client_name: client.name,
        grant_types: ["authorization_code", "refresh_token"],
        redirect_uris: [`${client.base}/callback/guest-book`],
        post_logout_redirect_uris: [`${client.base}/signout/guest-book`],
        backchannel_logout_uri: `${client.base}/backchannel-logout/guest-book`,
        backchannel_logout_session_required: true
      }
    ],
    cookies: { keys: [randomBytes(32).toString("hex")] },
    jwks: { keys: [signingKey()] },
    // The ID token itself carries name and email address, so one signed document says who signed in.
    conformIdTokenClaims: false,
    claims: { openid: ["sub"], profile: ["name", "preferred_username"], email: ["email", "email_verified"] },
    findAccount: (_: unknown, login: string) => ({ accountId: login, claims: () => claimsOf(login) }),
    interactions: { url: (_: unknown, interaction: { readonly uid: string }) => `/interaction/${interaction.uid}` },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: Page, form: string) => {
          context.set(pageHeaders([client.origin]))
          context.body = logoutPage(place, new Html(form))
        },
        postLogoutSuccessSource: (context: Page) => {
          context.set(pageHeaders())
          context.body = welcome(place, client)
        }
      }
    },
    // It tells the application about logouts, which runs on this machine: its own dispatcher refuses such addresses.
    fetch: (url: string, init: RequestInit) => fetch(url, Object.assign({}, init, { dispatcher: undefined })),
    // Tokens of a minute, so that there is something to see, and a refresh token that is replaced whenever it is used.
    ttl: {
      AccessToken: client.tokenSeconds,
      AuthorizationCode: 60,
      Grant: 3600,
      IdToken: 3600,
      Interaction: 900,
      RefreshToken: 3600,
      Session: 3600
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    renderError: (context: Page) => {
      context.set(pageHeaders())
      context.body = failurePage(place)
    }
  })
  const openid = provider.callback()
  return (incoming, outgoing) => {
    const path = new URL(incoming.url ?? "/", issuer).pathname
    const fail = (error: unknown): void => {
      // A finished or foreign interaction is the visitor's to know; anything else is ours.
      if (!(error instanceof Error && error.name === "SessionNotFound")) console.error(error)
      if (!outgoing.headersSent) outgoing.writeHead(400, pageHeaders())
      outgoing.end(failurePage(place))
    }
    if (path === "/demo.css") return asset(outgoing, "text/css; charset=utf-8", stylesheet)
    if (path === "/icon.svg") return asset(outgoing, "image/svg+xml", icon)
    if (path === "/") {
      outgoing.writeHead(200, pageHeaders())
      outgoing.end(welcome(place, client))
      return
    }
    const visit = path.startsWith("/interaction/")
      ? interact(provider, client, place, incoming, outgoing, path)
      : openid(incoming, outgoing)
    visit.catch(fail)
  }
}

const interact = async (
  provider: Provider,
  client: DemoClient,
  place: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  path: string
): Promise<void> => {
  const interaction = await provider.interactionDetails(incoming, outgoing)
  const step = `${incoming.method ?? "GET"} ${path.split("/")[3] ?? ""}`
  const show = (page: string): void => {
    outgoing.writeHead(200, pageHeaders([client.origin]))
    outgoing.end(page)
  }
  switch (step) {
    case "GET ":
      return show(
        interaction.prompt.name === "login"
          ? loginPage(interaction.uid, place, undefined)
          : consentPage(interaction.uid, place, interaction.session?.accountId ?? "this account", client.name)
      )
    case "POST login": {
      const login = new URLSearchParams(await text(incoming)).get("login")?.trim() ?? ""
      if (!/^[\w.-]{1,40}$/.test(login)) {
        return show(
          loginPage(interaction.uid, place, "A user name has 1 to 40 letters, digits, dots, dashes or underscores.")
        )
      }
      return provider.interactionFinished(incoming, outgoing, { login: { accountId: login, remember: false } })
    }
    case "POST confirm": {
      const grant = new provider.Grant({ accountId: interaction.session?.accountId ?? "", clientId: client.clientId })
      grant.addOIDCScope("openid profile email")
      const grantId = await grant.save()
      return provider.interactionFinished(
        incoming,
        outgoing,
        { consent: { grantId } },
        { mergeWithLastSubmission: true }
      )
    }
    case "POST cancel":
      return provider.interactionFinished(incoming, outgoing, {
        error: "access_denied",
        error_description: "The visitor said no."
      })
    default:
      outgoing.writeHead(405, { allow: "GET, POST", "content-type": "text/plain; charset=utf-8" })
      outgoing.end("Method not allowed.\n")
  }
}

const signingKey = (): Record<string, unknown> => ({
  ...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }),
  alg: "RS256",
  use: "sig",
  kid: "demo"
})

const claimsOf = (login: string): Record<string, unknown> => ({
  sub: login,
  name: login === "alice" ? "Alice Keeper" : login === "bob" ? "Bob Porter" : login,
  preferred_username: login,
  email: `${login}@guests.example`,
  email_verified: true
})

const asset = (outgoing: ServerResponse, type: string, body: string): void => {
  outgoing.writeHead(200, { "content-type": type, "cache-control": "no-cache", "x-content-type-options": "nosniff" })
  outgoing.end(body)
}

const welcome = (place: string, client: DemoClient): string =>
  document({
    title: "The Guest Book",
    house: "provider",
    place,
    body: html`<div class="narrow">
      <h1>An OpenID provider lives here.</h1>
      <p class="lead">Begin at the application, it will send you back with a question.</p>
      <div class="row">
        <a class="button" href="${client.origin}/">Go to the application</a>
        <a class="button quiet" href="/session/end">Sign out here</a>
      </div>
    </div>`
  })
