/**
 * The form for a passkey: sign in with one, register with one, or, for a signed-in user, add one.
 *
 * It works with the script of `PasskeyScript.ts` alone. Where that does not run (no script, an old browser, a policy of the
 * site's own) the form stays hidden and its text says so.
 */
import { constant, empty, type Html, markup } from "./Html.ts"
import type { CredentialsField } from "./SignInField.ts"

/**
 * A passkey provider, as the form needs it.
 *
 * @category Pages
 * @since 0.1.0
 */
export interface WebAuthnEntry {
  readonly kind: "webauthn"
  readonly id: string
  readonly name: string
  readonly fields: ReadonlyArray<CredentialsField>
  /** Keys are offered where the fields are filled in. */
  readonly conditional: boolean
  /** The script sends the typed fields to the site before a sign-in too, not only before a registration. */
  readonly usernameFirst: boolean
  /** A user is signed in: the form adds a passkey to their account. */
  readonly adds: boolean
}

/** Addresses and ids that the form needs. */
export interface PasskeyPlace {
  readonly action: string
  readonly options: string
  readonly formId: string
  readonly buttonId: string
}

// The names that the presets have say less to a person than the word.
const wordOf = ({ name }: WebAuthnEntry): Html =>
  name === "" || name === "Passkey" || name === "WebAuthn" ? constant`a passkey` : markup`<bdi>${name}</bdi>`

/** The fields of a form, with what the script has to know. */
export const fieldsOf = (entry: WebAuthnEntry): ReadonlyArray<CredentialsField> =>
  entry.adds
    ? []
    : entry.fields
        .filter(({ name }) => !reservedNames.has(name))
        .map((field) => (field.name === "email" && field.type === undefined ? { ...field, type: "email" } : field))

// Names that the form itself posts: a field that took one of these names would compete with it.
const reservedNames: ReadonlySet<string> = new Set(["action", "callbackUrl", "csrfToken", "data"])

/** The form, cut where the hidden fields of the request belong. */
export const passkeyForm = (
  entry: WebAuthnEntry,
  place: PasskeyPlace,
  inputs: ReadonlyArray<Html>
): readonly [before: Html, after: Html] => {
  const word = wordOf(entry)
  const { action, buttonId, formId, options } = place
  return [
    markup`<div class="provider">
      <p class="message">To use a passkey, this page needs JavaScript and a browser that knows passkeys.</p>
      <form action="${action}" method="POST" id="${formId}" data-passkey="${options}"${
        entry.conditional && !entry.adds ? constant` data-conditional` : empty
      }${entry.usernameFirst ? constant` data-names` : empty} hidden>`,
    markup`${entry.adds ? constant`<p class="message">You are signed in.</p>` : empty}${inputs}
      <p class="message" role="alert" data-say hidden></p>
      ${
        entry.adds
          ? markup`<button type="submit" class="button primary" id="${buttonId}" data-ask="register">Add ${word}</button>`
          : markup`<div class="actions">
        <button type="submit" class="button primary" id="${buttonId}" data-ask="authenticate">
          <span>Sign in with ${word}</span>
        </button>
        <button type="submit" class="button" data-ask="register"><span>Create ${word}</span></button>
      </div>`
      }</form></div>`
  ]
}
