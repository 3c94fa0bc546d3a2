/**
 * The sign-in page.
 *
 * It shows the sign-in methods and why the last attempt failed. Everything it shows is passed by the caller; it takes
 * nothing from a request itself, so that no parameter of an address can put a value into it.
 */
import { constant, empty, type Html, markup, join } from "./Html.ts"
import { actionPath, hiddenFields, ownFormActions, type Page, type PageFrame, render } from "./Document.ts"
import { type Message, signInMessage } from "./Message.ts"
import { problemList } from "./NoticePage.ts"
import { passkeyScript } from "./PasskeyScript.ts"
import { type FormState, messageId, type SignInEntry, type SignInMethods, signInMethods } from "./SignInMethod.ts"
import { isLoopback, originSource } from "./Theme.ts"
import { alert, enter } from "./Icons.ts"

/**
 * The content of one sign-in page.
 *
 * @category Pages
 * @since 0.1.0
 */
export interface SignInContent {
  /** The sign-in methods, in order. Pass the same array again for the same configuration: the page is drawn once. */
  readonly providers: ReadonlyArray<SignInEntry>
  /** Token of the double-submit check; left out of the forms when `undefined`. */
  readonly csrfToken: string | undefined
  /** Where to go after sign-in, already validated. */
  readonly callbackUrl: string
  readonly error?: string | undefined
  readonly code?: string | undefined
  /** Why the last attempt failed; only for the person who develops the site. */
  readonly problems?: ReadonlyArray<string> | undefined
  /** Does the person decide whether the session outlives the browser? */
  readonly asksToRemember?: boolean | undefined
  /** Email address to start the email field with. */
  readonly email?: string | undefined
  /** Parameters of the authorization request, which the forms of redirect providers carry. */
  readonly authorization?: Readonly<Record<string, string>> | undefined
  /** An address that the person proved and a user holds without proof, and the provider that a new account begins with. */
  readonly unproven?: { readonly providerId: string; readonly email: string } | undefined
}

// Browsers apply `form-action` to every hop of the redirects that answer a form submission, and block the navigation
// without a visible sign when one hop is not listed. A provider's own origin is not enough: many send on at once to
// another one (a mobile host, a federated or brokered identity provider, a regional sign-in host). Those hops cannot be
// known beforehand, so a page with a redirect provider allows every `https:` origin. A page without one does so too: it may be
// shown at another address than the configured one, and its form is led there. Providers on the loopback host, and an
// application that itself runs there on plain http, are development setups and add what they need.
const formActions = (frame: PageFrame, methods: SignInMethods, callbackUrl: string): ReadonlyArray<string> => {
  const others = ownFormActions(frame, callbackUrl).filter(
    (source) => source !== "'self'" && !source.startsWith("https:")
  )
  if (isLoopback(frame.homeUrl)) {
    return ["'self'", "https:", "http:", ...others.filter((source) => !source.startsWith("http:"))]
  }
  const loopback = methods.redirects.flatMap((entry) => {
    const source = entry.actionOrigin === undefined ? undefined : originSource(entry.actionOrigin)
    return source === undefined ? [] : [source]
  })
  return ["'self'", "https:", ...others, ...loopback.filter((source) => source.startsWith("http:"))]
}

/** The fields with wrong values. A mail that could not be sent does not make the address wrong. */
const invalidForm = ({ code, error }: SignInContent): FormState["invalid"] =>
  error === "CredentialsSignin"
    ? "credentials"
    : error === "EmailSignin" && code === "email_invalid"
      ? "email"
      : undefined

const messageBox = (message: Message): Html =>
  markup`<div class="error${message.kind === "notice" ? " notice" : ""}" role="alert" id="${messageId}">
    ${alert}
    <p>${message.text}</p>
  </div>`

// The script asks this site for options, and connects to no other host.
const withKeys = { scripts: [passkeyScript], connections: ["'self'"] }

const nothingToChoose = constant`<p class="message">There is no way to sign in here at the moment.</p>`

/** The other choice beside the methods: a new account, for a user whose address another user registered without proof. */
const newAccountForm = ({ basePath }: PageFrame, { callbackUrl, csrfToken, unproven }: SignInContent): Html =>
  unproven === undefined
    ? empty
    : markup`<form action="${actionPath(basePath, "signin", unproven.providerId)}" method="POST">
        ${hiddenFields(csrfToken, callbackUrl)}
        <input type="hidden" name="account" value="new">
        <p class="message">Not your account? A new one begins with <strong><bdi>${unproven.email}</bdi></strong>,
          and the other account loses this address.</p>
        <button type="submit" class="button" id="newAccountButton">Begin a new account</button>
      </form>`

const queryOf = (parameters: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams(parameters).toString()
  return query === "" ? "" : `?${query}`
}

// RFC 5321, section 4.5.3.1.3: a path holds 256 octets, brackets included.
const longestEmail = 254

/** Stands where the hidden fields of a request belong. No other markup has this character. */
const cut = constant`\0`

/** A page, cut where the hidden fields belong. */
interface CutPage extends Omit<Page, "body"> {
  readonly providers: SignInContent["providers"]
  readonly pieces: ReadonlyArray<string>
}

const draw = (frame: PageFrame, content: SignInContent): CutPage => {
  const message = signInMessage(content.error, content.code)
  const { email } = content
  const methods = signInMethods(frame.basePath, content.providers, {
    email: email === undefined || email === "" || email.length > longestEmail ? undefined : email,
    invalid: invalidForm(content),
    query: queryOf(content.authorization ?? {}),
    asksToRemember: content.asksToRemember === true
  })
  const { body, headers, status } = render(frame, {
    status: 200,
    name: "signin",
    title: message?.kind === "error" ? "Problem with sign-in" : "Sign in",
    tile: enter,
    card: markup`<h1>Sign in</h1>
      <p class="lede">to continue to <bdi>${frame.homeLabel}</bdi></p>
      ${message === undefined ? empty : messageBox(message)}
      ${problemList(content.problems)}
      ${content.providers.length === 0 ? nothingToChoose : join(methods.pieces, cut)}
      ${newAccountForm(frame, content)}`,
    footer: true,
    images: methods.images,
    formActions: formActions(frame, methods, content.callbackUrl),
    ...(methods.withKeys ? withKeys : {})
  })
  return { providers: content.providers, status, headers, pieces: body.split(cut.markup) }
}

const plainPages = new WeakMap<PageFrame, CutPage>()

/** The page that nothing but the hidden fields distinguishes from others of the frame: drawn once. */
const drawOnce = (frame: PageFrame, content: SignInContent): CutPage => {
  const last = plainPages.get(frame)
  if (last?.providers === content.providers) return last
  const page = draw(frame, content)
  plainPages.set(frame, page)
  return page
}

/** Shows the page nothing of the request but the hidden fields, and does the person go to this site afterwards? */
const isPlain = ({ homeUrl }: PageFrame, content: SignInContent): boolean => {
  const { authorization = {}, callbackUrl, code, email = "", error, problems = [], unproven } = content
  return (
    problems.length === 0 &&
    error === undefined &&
    code === undefined &&
    unproven === undefined &&
    email === "" &&
    Object.keys(authorization).length === 0 &&
    (callbackUrl === homeUrl || callbackUrl.startsWith(`${homeUrl}/`))
  )
}

/**
 * Renders the sign-in page, status 200.
 *
 * `error` and `code` choose a message and are never shown themselves.
 *
 * @category Pages
 * @since 0.1.0
 */
export const signIn = (frame: PageFrame, content: SignInContent): Page => {
  const { headers, pieces, status } = isPlain(frame, content) ? drawOnce(frame, content) : draw(frame, content)
  return { status, headers, body: pieces.join(hiddenFields(content.csrfToken, content.callbackUrl).markup) }
}
