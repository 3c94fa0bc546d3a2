/**
 * A built-in authenticator of Chromium, and a person who makes and uses passkeys with it on the pages of an application and
 * on the sign-in page of this library.
 */
import type { Page } from "playwright-core"

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
