/**
 * The form of a credentials provider: which inputs it has, and what of a submitted form reaches `authorize`.
 *
 * @since 0.1.0
 */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { MalformedRequest } from "../../Errors.ts"
import { isObjectName } from "../../internal/OwnProperty.ts"
import { isPlainObject, type Members } from "../../internal/Merge.ts"
import type { CredentialField, CredentialsProvider } from "./Provider.ts"

const attributeName = /^[A-Za-z][A-Za-z0-9-]{0,63}$/
/** Attributes that would run code, restyle the page or send the form elsewhere, and those that the page itself writes. */
const unsafeAttribute = /^(?:on.*|style|srcdoc|form.*|name|id|children|ref|key|dangerouslysetinnerhtml)$/i
const fieldAttributes: ReadonlySet<string> = new Set(["label", "type", "placeholder", "value", "redacted"])

const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined

const fieldOf = (name: string, given: unknown): CredentialField => {
  const input: Members = isPlainObject(given) ? given : {}
  const attributes: Record<string, string | boolean> = {}
  for (const [attribute, value] of Object.entries(input)) {
    if (fieldAttributes.has(attribute) || unsafeAttribute.test(attribute) || !attributeName.test(attribute)) continue
    const attributeText = typeof value === "boolean" ? value : text(value)
    if (attributeText !== undefined) attributes[attribute] = attributeText
  }
  return {
    name,
    label: text(input["label"]),
    type: text(input["type"]),
    placeholder: text(input["placeholder"]),
    value: text(input["value"]),
    attributes
  }
}

/** Reads the declared inputs. @internal */
export const fieldsOf = (credentials: unknown): ReadonlyArray<CredentialField> =>
  isPlainObject(credentials)
    ? Object.entries(credentials)
        .filter(([name]) => !isObjectName(name))
        .map(([name, input]) => fieldOf(name, input))
    : []

/**
 * The names of fields that are redacted. Only the type of the factory `Credentials` says so to `authorize`: in an object that
 * an application writes itself, every field is a text.
 *
 * @internal
 */
export const redactedFields = (given: unknown): ReadonlySet<string> =>
  new Set(
    Object.entries(isPlainObject(given) ? given : {}).flatMap(([name, field]) =>
      isPlainObject(field) && field["redacted"] === true ? [name] : []
    )
  )

type Texts = Readonly<Record<string, string>>

/** The same texts with some in another form; what is not enumerable stays so. */
const withFields = <A>(
  credentials: Texts,
  names: ReadonlySet<string>,
  change: (name: string, text: string) => Readonly<Record<string, A>>
): Readonly<Record<string, A | string>> => {
  const changes: Record<string, A | string> = {}
  for (const name of Object.getOwnPropertyNames(credentials)) {
    const value = credentials[name] ?? ""
    if (names.has(name)) Object.assign(changes, change(name, value))
    else Object.defineProperty(changes, name, { ...Object.getOwnPropertyDescriptor(credentials, name) })
  }
  return changes
}

/** What `authorize` is given. @internal */
export const forAuthorize = (
  { redacted }: CredentialsProvider,
  credentials: Texts
): Readonly<Record<string, string | Redacted.Redacted>> =>
  redacted.size === 0
    ? credentials
    : withFields(credentials, redacted, (name, text) => ({ [name]: Redacted.make(text, { label: name }) }))

/** What callbacks are given: what is redacted is between the person and `authorize`. @internal */
export const forCallbacks = ({ redacted }: CredentialsProvider, credentials: Texts): Texts =>
  redacted.size === 0 ? credentials : withFields<string>(credentials, redacted, () => ({}))

const protocolMembers: ReadonlySet<string> = new Set(["csrfToken", "callbackUrl"])

/**
 * What of a submitted form reaches `authorize`: the declared fields, as texts, unchanged in every byte. A provider that
 * declares no fields (the application has a form of its own) gets every member except those of the protocol. A member that
 * is no text is a malformed request; one that is absent stays absent.
 *
 * A text that is not declared can be read by its name and is not enumerable. So the application can read every field by
 * name, and a field that a visitor adds is not copied with the rest.
 *
 * @category getters
 * @since 0.1.0
 */
export const readSubmission = (
  provider: CredentialsProvider,
  body: Members
): Result.Result<Readonly<Record<string, string>>, MalformedRequest> => {
  const credentials: Record<string, string> = {}
  const names =
    provider.fields.length > 0
      ? provider.fields.map((field) => field.name)
      : Object.keys(body).filter((name) => !protocolMembers.has(name))
  for (const name of names) {
    if (isObjectName(name) || !Object.hasOwn(body, name)) continue
    const value = body[name]
    if (typeof value !== "string") {
      return Result.fail(new MalformedRequest({ detail: "A credential is not a text.", provider: provider.id }))
    }
    credentials[name] = value
  }
  for (const name of Object.keys(body)) {
    if (Object.hasOwn(credentials, name) || protocolMembers.has(name) || isObjectName(name)) continue
    const value = body[name]
    if (typeof value === "string") Object.defineProperty(credentials, name, { value })
  }
  return Result.succeed(credentials)
}
