/**
 * A built-in authenticator of Chromium, and a person who makes and uses passkeys with it on the pages of an application and
 * on the sign-in page of this library.
 */
import { Auth as Peer, type AuthConfig as PeerConfig } from "@auth/core"
import PeerPasskey from "@auth/core/providers/passkey"
import type { Page } from "playwright-core"
import { secret } from "./Application.ts"
import { folderOf } from "./Packed.ts"

/** An authenticator in the browser. */
export interface Device {
  /** How the user handles of its keys read. */
  readonly handles: () => Promise<ReadonlyArray<string>>
  readonly unplug: () => Promise<unknown>
}

/** Plugs an authenticator into the browser. */
export const plugIn = async (page: Page): Promise<Device> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("WebAuthn.enable")
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  return {
    handles: async () => {
      const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId })
      return credentials.map(({ userHandle }) => Buffer.from(userHandle ?? "", "base64").toString("utf8"))
    },
    unplug: () => devtools.send("WebAuthn.disable")
  }
}

/** Makes a passkey on the sign-in page of this library. */
export const createOnPage = async (page: Page, signInPage: string, email: string): Promise<void> => {
  await page.goto(signInPage)
  await page.getByLabel("Email").fill(email)
  await page.getByRole("button", { name: /Create a passkey/ }).click()
  await page.waitForURL((url) => !url.pathname.endsWith("/signin"))
}

/** Signs in with a passkey on that page; with conditional UI that happens as soon as the page is there. */
export const signInOnPage = async (page: Page, signInPage: string): Promise<void> => {
  await page.goto(signInPage, { waitUntil: "commit" })
  await page.waitForURL((url) => !url.pathname.endsWith("/signin"))
}

/**
 * Puts the sign-in page of Auth.js beside the endpoints of an application, as somebody may have kept it; it loads version 9
 * of `@simplewebauthn/browser` from another site.
 */
export const keepOldPage = async (page: Page, url: string, basePath: string, callbackUrl: string): Promise<void> => {
  const methods =
    "createUser getUser getUserByEmail linkAccount getAccount getAuthenticator " +
    "createAuthenticator listAuthenticatorsByUserId updateAuthenticatorCounter"
  const config = {
    basePath,
    secret,
    trustHost: true,
    adapter: Object.fromEntries(methods.split(" ").map((name) => [name, () => Promise.resolve(null)])),
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    providers: [PeerPasskey({})]
  } as unknown as PeerConfig
  const query = new URLSearchParams({ callbackUrl })
  const answer = await Peer(new Request(`${new URL(basePath, url).href}/signin?${query}`), config)
  await page.route("https://unpkg.com/@simplewebauthn/browser@v9*/dist/bundle/index.umd.min.js", (route) =>
    route.fulfill({ path: `${folderOf("next")}/node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js` })
  )
  const headers = { "content-type": "text/html", "set-cookie": answer.headers.getSetCookie().join("\n") }
  const body = await answer.text()
  await page.route(url, (route) => route.fulfill({ headers, body }))
}
