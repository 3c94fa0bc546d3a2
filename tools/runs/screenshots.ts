/**
 * Draws the built-in pages as PNG files, on a phone and on a desktop, in both color schemes, for a person to look at.
 *
 *     node tools/runs/screenshots.ts [folder] [only]
 *
 * The folder is `doorman-screenshots` in the system's temporary folder unless another one is named; `only` keeps the
 * pages whose name contains it.
 */
import { mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Pages from "../../src/pages/BuiltInPages.ts"
import { credentials, csrfToken, email, frame, redirects } from "../../test/pages/Samples.ts"
import { launchBrowser } from "../../test/real/Browser.ts"

const folder = process.argv[2] ?? join(tmpdir(), "doorman-screenshots")
const only = process.argv[3] ?? ""
const plain = frame()
const branded = frame({ brandColor: "#0f766e", logo: "/logo.svg" }, { homeLabel: "Northwind" })
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 176 40" width="176" height="40"><rect width="40" height="40" rx="12" fill="#0f766e"/><path d="M12 28V12l16 16V12" fill="none" stroke="#fff" stroke-width="4"/><text x="52" y="27" font-family="sans-serif" font-size="20" font-weight="700" fill="#0f766e">northwind</text></svg>`
const signIn = (content: Partial<Pages.SignInContent>, of = plain): Pages.Page =>
  Pages.signIn(of, { providers: redirects.slice(0, 1), csrfToken, callbackUrl: "https://app.example.com/", ...content })

const pages: Readonly<Record<string, Pages.Page>> = {
  "signin-1": signIn({}),
  "signin-3": signIn({ providers: redirects.slice(0, 3) }),
  "signin-8-credentials-error": signIn({
    providers: [...redirects.slice(0, 8), credentials],
    error: "CredentialsSignin"
  }),
  "signin-email-cancelled": signIn({
    providers: [email, ...redirects.slice(0, 2)],
    error: "OAuthCallbackError",
    code: "access_denied"
  }),
  "signin-readme": signIn({ providers: [...redirects.slice(0, 2), email] }, branded),
  "signin-branded": signIn({ providers: [...redirects.slice(8, 11), email], error: "OAuthAccountNotLinked" }, branded),
  signout: Pages.signOut(plain, { csrfToken, callbackUrl: "https://app.example.com/" }),
  "error-configuration": Pages.error(plain, { error: "Configuration", requestId: "req_01J9Z6C4T8M2" }),
  "error-access-denied": Pages.error(plain, { error: "AccessDenied" }),
  "error-verification": Pages.error(plain, { error: "Verification" }),
  "error-unknown": Pages.error(plain, {}),
  "error-404": Pages.clientError(plain, { status: 404 }),
  "verify-request": Pages.verifyRequest(plain)
}

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }

mkdirSync(folder, { recursive: true })
const browser = await launchBrowser()
for (const [sizeName, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ["light", "dark"] as const) {
    const { context, page: tab } = await browser.visitor({ viewport, colorScheme, deviceScaleFactor: 1 })
    await tab.route("**/logo.svg", (route) => route.fulfill({ contentType: "image/svg+xml", body: logo }))
    for (const [name, page] of Object.entries(pages)) {
      if (!name.includes(only)) continue
      await tab.route(
        "https://app.example.com/auth",
        (route) => route.fulfill({ status: page.status, headers: { ...page.headers }, body: page.body }),
        { times: 1 }
      )
      await tab.goto("https://app.example.com/auth")
      await tab.screenshot({ path: join(folder, `${name}-${sizeName}-${colorScheme}.png`), fullPage: true })
    }
    await context.close()
  }
}
await browser.close()
console.log(folder)
