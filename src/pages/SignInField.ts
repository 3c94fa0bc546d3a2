/**
 * One input of a credentials form: its attributes, its label and its hints for password managers.
 *
 * Field definitions come from a configuration that may be generated, so attribute names are held to a list: nothing
 * here can become a handler, a style, another form target or a second value of an attribute the page itself sets.
 */
import { constant, type Html, markup, join } from "./Html.ts"

/**
 * One field of a credentials form.
 *
 * @category Pages
 * @since 0.1.0
 */
export interface CredentialsField {
  readonly name: string
  readonly label?: string | undefined
  readonly type?: string | undefined
  readonly placeholder?: string | undefined
  readonly value?: string | undefined
  /** Further HTML attributes of the input, such as `required`, `maxlength` or `autocomplete`; unknown names are left out. */
  readonly attributes: Readonly<Record<string, string | boolean>>
}

/** The page's decisions about a field. */
export interface FieldContext {
  readonly id: string
  readonly autofocus: boolean
  /** Id of the message that says why the last attempt failed, when it was about this form. */
  readonly invalidBy: string | undefined
  /** Whether the form asks for a password, which makes an email address a user name. */
  readonly withPassword: boolean
  /** Whether a script of the page reads the field. */
  readonly forScript?: boolean | undefined
}

const types: ReadonlySet<string> = new Set([
  "checkbox",
  "color",
  "date",
  "datetime-local",
  "email",
  "hidden",
  "month",
  "number",
  "password",
  "range",
  "search",
  "tel",
  "text",
  "time",
  "url",
  "week"
])

// Attribute names become literals of the template: only these can appear in a page. A name with a value takes text, one
// without is a boolean attribute.
const textAttributes: ReadonlyMap<string, (value: string) => Html> = new Map([
  ["autocapitalize", (value) => markup` autocapitalize="${value}"`],
  ["autocorrect", (value) => markup` autocorrect="${value}"`],
  ["dir", (value) => markup` dir="${value}"`],
  ["enterkeyhint", (value) => markup` enterkeyhint="${value}"`],
  ["inputmode", (value) => markup` inputmode="${value}"`],
  ["lang", (value) => markup` lang="${value}"`],
  ["max", (value) => markup` max="${value}"`],
  ["maxlength", (value) => markup` maxlength="${value}"`],
  ["min", (value) => markup` min="${value}"`],
  ["minlength", (value) => markup` minlength="${value}"`],
  ["pattern", (value) => markup` pattern="${value}"`],
  ["size", (value) => markup` size="${value}"`],
  ["spellcheck", (value) => markup` spellcheck="${value}"`],
  ["step", (value) => markup` step="${value}"`],
  ["title", (value) => markup` title="${value}"`],
  ["aria-label", (value) => markup` aria-label="${value}"`]
])
const flags: ReadonlyMap<string, Html> = new Map([
  ["checked", constant` checked`],
  ["disabled", constant` disabled`],
  ["multiple", constant` multiple`],
  ["readonly", constant` readonly`],
  ["required", constant` required`]
])

const flat = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "")

const userNames: ReadonlySet<string> = new Set(["username", "user", "login", "userid", "identifier", "account"])
const oneTimeCodes: ReadonlySet<string> = new Set(["otp", "totp", "mfa", "code", "onetimecode", "verificationcode"])

/** The autofill field name for a field that names none itself (HTML, section 4.10.18.7). */
const autocompleteOf = (field: CredentialsField, type: string, withPassword: boolean): string | undefined => {
  const name = flat(field.name)
  if (type === "password") return oneTimeCodes.has(name) ? "one-time-code" : "current-password"
  if (oneTimeCodes.has(name)) return "one-time-code"
  if (userNames.has(name)) return "username"
  if (type === "email" || name === "email") return withPassword ? "username" : "email"
  return type === "tel" ? "tel" : undefined
}

const labelOf = (field: CredentialsField): string => {
  if (field.label !== undefined && field.label !== "") return field.label
  const words = field.name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase()
    .trim()
  return words === "" ? "Value" : words.charAt(0).toUpperCase() + words.slice(1)
}

const attributesOf = (field: CredentialsField): ReadonlyMap<string, string | boolean> => {
  const out = new Map<string, string | boolean>()
  for (const [name, value] of Object.entries(field.attributes)) {
    const lower = name.toLowerCase()
    if (!out.has(lower)) out.set(lower, value)
  }
  return out
}

/** Whether a field asks for a password. */
export const isPassword = (field: CredentialsField): boolean => field.type?.toLowerCase() === "password"

/** Whether a field is put in by the person (a hidden one is not). */
export const isVisible = (field: CredentialsField): boolean => field.type?.toLowerCase() !== "hidden"

/** Label and input of one field. */
export const renderField = (field: CredentialsField, context: FieldContext): Html => {
  const given = field.type?.toLowerCase() ?? "text"
  const type = types.has(given) ? given : "text"
  if (type === "hidden") return markup`<input type="hidden" name="${field.name}" value="${field.value}">`
  const attributes = attributesOf(field)
  const extra: Array<Html> = []
  for (const [name, value] of attributes) {
    const asText = textAttributes.get(name)
    if (asText !== undefined) extra.push(asText(String(value)))
    const flag = flags.get(name)
    if (flag !== undefined && value !== false && value !== "false") extra.push(flag)
  }
  const own = attributes.get("autocomplete")
  const autocomplete =
    typeof own === "string" ? own : own === false ? "off" : autocompleteOf(field, type, context.withPassword)
  if (autocomplete !== undefined) extra.push(markup` autocomplete="${autocomplete}"`)
  if (type !== "checkbox" && (autocomplete === "username" || autocomplete === "email" || type === "password")) {
    for (const name of ["autocapitalize", "spellcheck"]) {
      if (!attributes.has(name))
        extra.push(name === "spellcheck" ? constant` spellcheck="false"` : constant` autocapitalize="none"`)
    }
  }
  if (autocomplete === "one-time-code" && !attributes.has("inputmode")) extra.push(constant` inputmode="numeric"`)
  if (context.autofocus || attributes.get("autofocus") === true) extra.push(constant` autofocus`)
  if (context.invalidBy !== undefined) extra.push(markup` aria-invalid="true" aria-describedby="${context.invalidBy}"`)
  if (field.placeholder !== undefined) extra.push(markup` placeholder="${field.placeholder}"`)
  if (field.value !== undefined) extra.push(markup` value="${field.value}"`)
  if (context.forScript === true) extra.push(constant` data-form-field`)
  const label = markup`<label for="${context.id}"><bdi>${labelOf(field)}</bdi></label>`
  const input = markup`<input id="${context.id}" name="${field.name}" type="${type}"${join(extra)}>`
  return type === "checkbox"
    ? markup`<div class="field check">${input}${label}</div>`
    : markup`<div class="field">${label}${input}</div>`
}
