/**
 * The sign-in methods, as forms: a button per redirect provider, a form per email or credentials provider.
 *
 * The markup of a list of providers depends on the configuration alone, apart from the hidden fields that carry the
 * request's token and destination. So it is made once per list, cut at those places, and a request only fills them in.
 */
import { constant, empty, type Html, markup, join } from "./Html.ts"
import { actionPath } from "./Document.ts"
import type { ProviderStyle } from "../Provider/internal/Provider.ts"
import { mark } from "./Icons.ts"
import { fieldsOf, passkeyForm, type WebAuthnEntry } from "./PasskeyForm.ts"
import { type CredentialsField, isPassword, isVisible, renderField } from "./SignInField.ts"
import { parseImage } from "./Theme.ts"

/**
 * A provider that signs in on its own pages: OAuth 2.0 or OpenID Connect.
 *
 * @category Pages
 * @since 0.1.0
 */
export interface RedirectProviderEntry {
  readonly kind: "redirect"
  readonly id: string
  readonly name: string
  readonly style?: ProviderStyle | undefined
  /** Origin of its authorization endpoint (or of its issuer) when known. */
  readonly actionOrigin?: string | undefined
}

/**
 * A provider that takes the person's details in a form of the page.
 *
 * @category Pages
 * @since 0.1.0
 */
export interface CredentialsEntry {
  readonly kind: "credentials"
  readonly id: string
  readonly name: string
  readonly fields: ReadonlyArray<CredentialsField>
}

/**
 * A provider that sends a sign-in link by email.
 *
 * @category Pages
 * @since 0.1.0
 */
export interface EmailEntry {
  readonly kind: "email"
  readonly id: string
  readonly name: string
}

/**
 * One sign-in method.
 *
 * @category Pages
 * @since 0.1.0
 */
export type SignInEntry = RedirectProviderEntry | CredentialsEntry | EmailEntry | WebAuthnEntry

/** Changes of one request in the forms besides the hidden fields; empty on most requests. */
export interface FormState {
  /** Address to start the email field with. */
  readonly email: string | undefined
  /** Which kind of form the shown message is about. */
  readonly invalid: "credentials" | "email" | undefined
  /** Parameters for redirect providers beside the sign-in: the query of their forms, empty or with its question mark. */
  readonly query: string
  /** Does the person decide whether the session outlives the browser? */
  readonly asksToRemember: boolean
}

/** Id of the message above the forms. */
export const messageId = "signin-message"

/** A list of providers as markup. */
export interface SignInMethods {
  /** The markup, cut where the hidden fields of the request belong. */
  readonly pieces: ReadonlyArray<Html>
  /** CSP sources of the providers' images. */
  readonly images: ReadonlyArray<string>
  readonly redirects: ReadonlyArray<RedirectProviderEntry>
  /** One of them needs the script for keys. */
  readonly withKeys: boolean
}

// From this many buttons in a row on, they share lines; the verb is then only read out.
const compactFrom = 5

// Names of the hidden fields: a credentials field that took one would compete with it.
const reservedNames: ReadonlySet<string> = new Set(["csrfToken", "callbackUrl"])

interface Scope {
  readonly basePath: string
  readonly state: FormState
  readonly uniqueId: (wanted: string) => string
  readonly autofocus: boolean
  readonly named: boolean
}

const uniqueIds = (): ((wanted: string) => string) => {
  const ids = new Set<string>([messageId])
  return (wanted) => {
    const base = wanted.replace(/\s+/g, "-")
    let id = base
    for (let count = 2; ids.has(id); count++) id = `${base}-${count}`
    ids.add(id)
    return id
  }
}

/** Two pieces of markup with the hidden fields between them. */
type Cut = readonly [before: Html, after: Html]

/** Without the field the answer is no, as browsers send no box that is not checked. */
const rememberField = constant`<label class="field check"><input type="checkbox" name="rememberMe" value="true">
        <span>Remember me on this device</span></label>`

const rememberIn = ({ state }: Scope): Html => (state.asksToRemember ? rememberField : empty)

const redirectForm = (entry: RedirectProviderEntry, scope: Scope): Cut => [
  markup`<div class="provider"><form action="${actionPath(scope.basePath, "signin", entry.id)}${scope.state.query}" method="POST">`,
  markup`${rememberIn(scope)}<button type="submit" class="button" id="${scope.uniqueId(`submitButton-${entry.id}`)}">
      ${mark(entry)}
      <span><span class="verb">Sign in with </span><bdi>${entry.name}</bdi></span>
    </button></form></div>`
]

const emailForm = (entry: EmailEntry, scope: Scope): Cut => {
  const id = scope.uniqueId(`input-email-for-${entry.id}-provider`)
  const { email, invalid } = scope.state
  const extra = join([
    email === undefined ? empty : markup` value="${email}"`,
    scope.autofocus ? constant` autofocus` : empty,
    invalid === "email" ? markup` aria-invalid="true" aria-describedby="${messageId}"` : empty
  ])
  return [
    markup`<div class="provider"><form action="${actionPath(scope.basePath, "signin", entry.id)}" method="POST">`,
    markup`<div class="field">
        <label for="${id}">Email address</label>
        <input id="${id}" name="email" type="email" autocomplete="email" autocapitalize="none" spellcheck="false" required
          placeholder="name@example.com"${extra}>
      </div>${rememberIn(scope)}
      <button type="submit" class="button primary" id="${scope.uniqueId(`submitButton-${entry.id}`)}">
        <span>Email me a sign-in link${scope.named ? markup` with <bdi>${entry.name}</bdi>` : empty}</span>
      </button></form></div>`
  ]
}

const credentialsForm = (entry: CredentialsEntry, scope: Scope): Cut => {
  const fields = entry.fields.filter(
    ({ name }) => !reservedNames.has(name) && !(scope.state.asksToRemember && name === "rememberMe")
  )
  const withPassword = fields.some(isPassword)
  const first = fields.find(isVisible)
  const invalidBy = scope.state.invalid === "credentials" ? messageId : undefined
  const inputs = fields.map((field) =>
    renderField(field, {
      id: scope.uniqueId(`input-${field.name}-for-${entry.id}-provider`),
      autofocus: scope.autofocus && field === first,
      invalidBy,
      withPassword
    })
  )
  // The name a credentials provider has by default says nothing to the person who signs in.
  const hasName = entry.name !== "" && entry.name !== "Credentials"
  return [
    markup`<div class="provider"><form action="${actionPath(scope.basePath, "callback", entry.id)}" method="POST">`,
    markup`${inputs}${rememberIn(scope)}
      <button type="submit" class="button primary" id="${scope.uniqueId(`submitButton-${entry.id}`)}">
        <span>Sign in${hasName ? markup` with <bdi>${entry.name}</bdi>` : empty}</span>
      </button></form></div>`
  ]
}

const webAuthnForm = (entry: WebAuthnEntry, scope: Scope): Cut => {
  const fields = fieldsOf(entry)
  const first = fields.find(isVisible)
  const inputs = fields.map((field) =>
    renderField(field, {
      id: scope.uniqueId(`input-${field.name}-for-${entry.id}-provider`),
      autofocus: scope.autofocus && field === first,
      invalidBy: undefined,
      withPassword: false,
      forScript: true
    })
  )
  const place = {
    action: actionPath(scope.basePath, "callback", entry.id),
    options: actionPath(scope.basePath, "webauthn-options", entry.id),
    formId: scope.uniqueId(`${entry.id}-form`),
    buttonId: scope.uniqueId(`submitButton-${entry.id}`)
  }
  return passkeyForm(entry, place, [...inputs, rememberIn(scope)])
}

const separator = constant`<div class="separator">or</div>`

const cutOf = (entry: SignInEntry, scope: Scope): Cut => {
  switch (entry.kind) {
    case "redirect":
      return redirectForm(entry, scope)
    case "email":
      return emailForm(entry, scope)
    case "credentials":
      return credentialsForm(entry, scope)
    case "webauthn":
      return webAuthnForm(entry, scope)
  }
}

// Neighbouring buttons form one group; every form stands alone.
const groupsOf = (entries: ReadonlyArray<SignInEntry>): ReadonlyArray<ReadonlyArray<SignInEntry>> => {
  const groups: Array<Array<SignInEntry>> = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last !== undefined && entry.kind === "redirect" && last[0]?.kind === "redirect") last.push(entry)
    else groups.push([entry])
  }
  return groups
}

/** The markup of a list of providers. */
export const signInMethods = (
  basePath: string,
  entries: ReadonlyArray<SignInEntry>,
  state: FormState
): SignInMethods => {
  const uniqueId = uniqueIds()
  const showsName = entries.filter((entry) => entry.kind === "email").length > 1
  const pieces: Array<Html> = []
  let pending: Html = empty
  groupsOf(entries).forEach((group, index) => {
    const buttons = group[0]?.kind === "redirect"
    const open = !buttons
      ? empty
      : group.length >= compactFrom
        ? constant`<div class="providers compact">`
        : constant`<div class="providers">`
    pending = join([pending, index === 0 ? empty : separator, open])
    for (const entry of group) {
      const [before, after] = cutOf(entry, {
        basePath,
        state,
        uniqueId,
        named: showsName,
        autofocus: index === 0 && !buttons
      })
      pieces.push(join([pending, before]))
      pending = after
    }
    if (buttons) pending = join([pending, constant`</div>`])
  })
  pieces.push(pending)
  const redirects = entries.filter((entry) => entry.kind === "redirect")
  const images = redirects.flatMap((entry) => {
    const logo = entry.style?.logo
    const image = typeof logo === "string" ? parseImage(logo) : undefined
    return image === undefined ? [] : [image.source]
  })
  return { pieces, images, redirects, withKeys: entries.some((entry) => entry.kind === "webauthn") }
}
