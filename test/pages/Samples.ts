/** Frames and providers of the page tests. */
import * as Pages from "../../src/pages/BuiltInPages.ts"
import type { PageFrame, PageTheme, RedirectProviderEntry, SignInEntry } from "../../src/pages/BuiltInPages.ts"

export const frame = (theme: Partial<PageTheme> = {}, more: Partial<PageFrame> = {}): PageFrame => ({
  theme: { colorScheme: "auto", ...theme },
  basePath: "/auth",
  homeUrl: "https://app.example.com",
  homeLabel: "app.example.com",
  ...more
})

const redirect = (id: string, name: string, brandColor?: string): RedirectProviderEntry => ({
  kind: "redirect",
  id,
  name,
  ...(brandColor === undefined ? {} : { style: { brandColor } })
})

export const redirects: ReadonlyArray<RedirectProviderEntry> = [
  redirect("github", "GitHub", "#24292f"),
  redirect("google", "Google", "#1a73e8"),
  redirect("microsoft-entra-id", "Microsoft Entra ID", "#0072c6"),
  redirect("apple", "Apple", "#000"),
  redirect("discord", "Discord", "#5865F2"),
  redirect("keycloak", "Keycloak", "#428bca"),
  redirect("auth0", "Auth0", "#EB5424"),
  redirect("tiktok", "TikTok", "#000"),
  redirect("huggingface", "Hugging Face", "#FFD21E"),
  redirect("acme-sso", "Acme Single Sign-On"),
  redirect("bankid-no", "BankID Norge", "#39134c")
]

export const email: SignInEntry = { kind: "email", id: "email", name: "Email" }

export const credentials: SignInEntry = {
  kind: "credentials",
  id: "credentials",
  name: "Credentials",
  fields: [
    { name: "username", label: "User name", type: "text", attributes: { required: true } },
    { name: "password", label: "Password", type: "password", attributes: { required: true } }
  ]
}

export const csrfToken = "5f2c1e0b9a8d7c6b5a4f3e2d1c0b9a8f5f2c1e0b9a8d7c6b5a4f3e2d1c0b9a8f"

export const callbackUrl = "https://app.example.com/dashboard?a=1&b=2"
export const all: ReadonlyArray<Pages.SignInEntry> = [...redirects, email, credentials]

export const signIn = (content: Partial<Pages.SignInContent> = {}, of: Pages.PageFrame = frame()): Pages.Page =>
  Pages.signIn(of, { providers: all, csrfToken, callbackUrl, ...content })

export const signOut = (of: Pages.PageFrame = frame()): Pages.Page => Pages.signOut(of, { csrfToken, callbackUrl })

export const everyPage = (of: Pages.PageFrame): ReadonlyArray<readonly [string, Pages.Page]> => [
  ["sign-in", signIn({}, of)],
  ["sign-in with a message", signIn({ error: "CredentialsSignin", email: "ann@example.com" }, of)],
  ["sign-out", signOut(of)],
  ["error", Pages.error(of, { requestId: "req_1" })],
  ["Configuration", Pages.error(of, { error: "Configuration" })],
  ["client error", Pages.clientError(of, { status: 404 })],
  ["verify-request", Pages.verifyRequest(of)],
  [
    "sign-in link",
    Pages.confirm(of, {
      providerId: "email",
      email: "ann@example.com",
      isKnown: true,
      token: "0123456789abcdef",
      csrfToken,
      callbackUrl,
      other: "bob@example.com",
      pressesItself: false
    })
  ]
]

export const csp = (page: Pages.Page): ReadonlyMap<string, string> =>
  new Map(
    (page.headers["content-security-policy"] ?? "").split(";").map((directive) => {
      const [name = "", ...sources] = directive.trim().split(" ")
      return [name, sources.join(" ")]
    })
  )

/** The first group of every match in a page. */
export const matches = (page: Pages.Page, pattern: RegExp): ReadonlyArray<string> =>
  [...page.body.matchAll(pattern)].map((match) => match[1] ?? "")

/** A text that ends every context it could stand in. */
export const hostile = "\"><img src=x onerror=alert(1)><script>alert(2)</script>'`&{{7*7}}${7*7}<!--</title></style>"

/** Texts that would run as script if a page or its parser took any part of them for markup. */
export const markupCorpus: ReadonlyArray<string> = [
  "<img src=x onerror=document.title='run'>",
  "\"><svg onload=document.title='run'>",
  "<noscript><p title=\"</noscript><img src=x onerror=document.title='run'>\">",
  "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=document.title='run'&gt;\">",
  "</title><script>document.title='run'</script>",
  "</textarea></style></template><script>document.title='run'</script>",
  "+ADw-script+AD4-document.title='run'+ADw-/script+AD4-",
  "\u00c0\u00bcscript\u00c0\u00be",
  "<\u0000script>document.title='run'</script>",
  "\ud800<script>document.title='run'</script>",
  "{{constructor.constructor(\"document.title='run'\")()}}",
  "${document.title='run'}",
  "&lt;script&gt;document.title='run'&lt;/script&gt;",
  "`onmouseover=document.title='run'",
  "a' onfocus='document.title=`run`' autofocus='"
]
