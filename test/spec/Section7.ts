/** Section 7: errors and warnings. */
import type { Library } from "./Library.ts"
import { row, type Section, type } from "./Row.ts"
import { videoSignIn } from "./section2/Video.ts"
import { destinationOf, makeSite, origin, passkeySite, warned } from "./Site.ts"

const errorPage = ["Configuration", "AccessDenied", "Verification"]
const signInPage = [
  "Signin",
  "OAuthSignin",
  "OAuthCallbackError",
  "OAuthCreateAccount",
  "EmailCreateAccount",
  "Callback",
  "OAuthAccountNotLinked",
  "EmailSignin",
  "CredentialsSignin",
  "SessionRequired"
]
const union = (names: ReadonlyArray<string>) => names.map((name) => `"${name}"`).join(" | ")
const codes = [
  "debug-enabled",
  "csrf-disabled",
  "env-url-basepath-redundant",
  "env-url-basepath-mismatch",
  "experimental-webauthn"
]

/** The text of a page, without the parts that change with every request. */
const saidBy = async (library: Library, path: string) =>
  (await (await makeSite(library).browser.get(path)).text()).replaceAll(/<input[^>]*>/g, "")
/** Does a page say something about a value that it does not say without one? */
const speaks = async (library: Library, page: string, value: string) =>
  (await saidBy(library, `${page}?error=${value}`)) !== (await saidBy(library, page))
const warningsOf = (library: Library, env: Record<string, string>, basePath: string) => {
  const warnings: Array<string> = []
  library.setEnvDefaults(env, { providers: [], basePath, logger: { warn: (code) => void warnings.push(code) } })
  return warnings
}
const thrown = () => {
  throw new Error("the list is closed")
}

export const section7: Section = {
  number: 7,
  title: "Errors",
  rows: [
    type(
      "Error values passed in the `error` query parameter:",
      `[Is<Types.ErrorPageParam, ${union(errorPage)}>, Is<Types.SignInPageErrorParam, ${union(signInPage)}>]`
    ),
    ...errorPage.map((name) =>
      row(`\`${name}\``, `GET error?error=${name}`, true, (library) => speaks(library, "/auth/error", name))
    ),
    ...signInPage.map((name) =>
      row(`\`${name}\``, `GET signin?error=${name}`, true, (library) => speaks(library, "/auth/signin", name))
    ),
    row(
      "| error page (ErrorPageParam) |",
      "a sign-in that is refused",
      { status: 302, path: "/auth/error", error: "AccessDenied" },
      async (library) => destinationOf(await makeSite(library, { callbacks: { signIn: () => false } }).byProvider())
    ),
    row(
      "| error page (ErrorPageParam) |",
      "a link that is used a second time",
      { status: 302, path: "/auth/error", error: "Verification" },
      async (library) => {
        const site = makeSite(library, { adapter: library.Adapter.toPromises(library.Adapter.makeMemory()) })
        await site.byLink()
        return destinationOf(await site.follow(site.links[0] ?? origin))
      }
    ),
    row(
      "| error page (ErrorPageParam) |",
      "a callback of the application that fails",
      { status: 302, path: "/auth/error", error: "Configuration" },
      async (library) => destinationOf(await makeSite(library, { callbacks: { jwt: thrown } }).byProvider())
    ),
    row(
      "| sign-in page (SignInPageErrorParam) |",
      "a wrong password",
      { status: 302, path: "/auth/signin", error: "CredentialsSignin" },
      async (library) =>
        destinationOf(
          await makeSite(library).browser.submit("/auth/callback/credentials", { username: "ann", password: "wrong" })
        )
    ),
    row(
      "| sign-in page (SignInPageErrorParam) |",
      "an answer of the provider with an error",
      "/auth/signin",
      async (library) => {
        const { browser } = makeSite(library)
        const away = new URL((await browser.submit("/auth/signin/acme")).headers.get("location") ?? origin)
        return destinationOf(
          await browser.get(`/auth/callback/acme?error=access_denied&state=${away.searchParams.get("state")}`)
        ).path
      }
    ),
    row(
      "| sign-in page (SignInPageErrorParam) |",
      "an address that belongs to another user",
      { status: 302, path: "/auth/signin", error: "OAuthAccountNotLinked" },
      async (library) => {
        const adapter = library.Adapter.toPromises(library.Adapter.makeMemory())
        await adapter.createUser?.({ id: "1", email: "ada@example.com", emailVerified: new Date() })
        return destinationOf(await makeSite(library, { adapter }).byProvider())
      }
    ),
    type("Warning codes (logger `warn`):", `Fits<${union(codes)}, Types.WarningCode>`),
    row("| debug-enabled | `debug` evaluated to true;", "debug: true", true, async (library) => {
      const site = makeSite(library, { debug: true })
      await site.browser.get("/auth/session")
      return warned.has("debug-enabled")
    }),
    row("| debug-enabled | `debug` evaluated to true;", "debug: false", false, async (library) => {
      const site = makeSite(library, { debug: false })
      await site.browser.get("/auth/session")
      return site.warnings.includes("debug-enabled")
    }),
    row(
      "| csrf-disabled | A CSRF response was requested but CSRF protection is off",
      "GET csrf, skipCSRFCheck",
      true,
      async (library) => {
        const site = makeSite(library, { skipCSRFCheck: library.skipCSRFCheck })
        await site.browser.get("/auth/csrf")
        return site.warnings.includes("csrf-disabled")
      }
    ),
    row("| env-url-basepath-redundant |", "AUTH_URL and basePath", ["env-url-basepath-redundant"], (library) =>
      warningsOf(library, { AUTH_URL: "https://site.example/auth" }, "/auth")
    ),
    row("(AUTH_URL or its legacy equivalent) and `basePath` are both set", "basePath alone", [], (library) =>
      warningsOf(library, {}, "/auth")
    ),
    row(
      "| env-url-basepath-mismatch | Both set and different; `basePath` is used to build action URLs. |",
      "AUTH_URL of /one, basePath /two",
      ["https://site.example/two/session", ["env-url-basepath-mismatch"]],
      (library) => {
        const warnings: Array<string> = []
        const url = library.createActionURL(
          "session",
          "https",
          new Headers(),
          { AUTH_URL: "https://site.example/one" },
          { basePath: "/two", logger: { warn: (code) => void warnings.push(code) } }
        )
        return [url.href, warnings]
      }
    ),
    row(
      "| env-url-basepath-mismatch |",
      "NEXTAUTH_URL of /one, basePath /two",
      ["env-url-basepath-mismatch"],
      (library) => {
        const warnings: Array<string> = []
        library.createActionURL(
          "session",
          "https",
          new Headers(),
          { NEXTAUTH_URL: "https://site.example/one" },
          { basePath: "/two", logger: { warn: (code) => void warnings.push(code) } }
        )
        return warnings
      }
    ),
    row(
      "| experimental-webauthn | Experimental WebAuthn is enabled. |",
      "enableWebAuthn: true",
      true,
      async (library) => {
        const site = passkeySite(library)
        await site.browser.get("/auth/session")
        return warned.has("experimental-webauthn")
      }
    ),
    row(
      "| experimental-webauthn | Experimental WebAuthn is enabled. |",
      "without enableWebAuthn",
      false,
      async (library) => {
        const site = makeSite(library)
        await site.browser.get("/auth/session")
        return site.warnings.includes("experimental-webauthn")
      }
    ),
    row(
      "When the signIn callback returns false or throws, sign-in stops and the user is redirected to the error page.",
      "signIn answers false",
      [null, "/auth/error"],
      async (library) => {
        const site = makeSite(library, { callbacks: { signIn: () => false } })
        const answer = await site.browser.signIn()
        return [await site.browser.session(), destinationOf(answer).path]
      }
    ),
    row(
      "When the signIn callback returns false or throws, sign-in stops and the user is redirected to the error page.",
      "signIn throws",
      [null, "/auth/error"],
      async (library) => {
        const site = makeSite(library, { callbacks: { signIn: thrown } })
        const answer = await site.browser.signIn()
        return [await site.browser.session(), destinationOf(answer).path]
      }
    ),
    row(
      "An unhandled error in the signIn callback becomes `AccessDenied` with the original message.",
      "signIn throws; the log",
      ["AccessDenied", true],
      async (library) => {
        const site = makeSite(library, { callbacks: { signIn: thrown } })
        await site.byProvider()
        const error = site.errors[0]
        return [
          Object(error)["type"] as unknown,
          `${error?.message} ${String(error?.cause)} ${String(Object(error)["detail"])}`.includes("the list is closed")
        ]
      }
    ),
    row(
      "The csrf action returns 404 when CSRF protection is disabled.",
      "GET csrf, skipCSRFCheck",
      404,
      async (library) =>
        (await makeSite(library, { skipCSRFCheck: library.skipCSRFCheck }).browser.get("/auth/csrf")).status
    ),
    row(
      "The video platform reports errors as `error.code`, `error.log_id`, `error.message` (strings).",
      "an error of the platform; the log",
      true,
      async (library) => {
        const { errors } = await videoSignIn(library, {
          answer: { error: { code: "scope_not_authorized", log_id: "log-7", message: "no" } }
        })
        const causes = (error: unknown): string =>
          error instanceof Error ? `${error.message} ${causes(error.cause)}` : ""
        const text = errors.map(causes).join(" ")
        return text.includes("scope_not_authorized") && text.includes("log-7")
      }
    )
  ],
  silent: [{ quote: "HTTP status codes of other failures: not shown.", reason: "not shown" }],
  // A warning that is not given.
  fault: (library) => ({ ...library, setEnvDefaults: (env, config) => library.setEnvDefaults(env, config, true) })
}
