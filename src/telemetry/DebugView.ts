/**
 * Selects the parts of a value that a debug message shows.
 *
 * Only members that are listed here are shown: ids, times, and what a provider says about an account. Names and addresses
 * of people are shown where `debug` is on, which is a warning by itself, and not to a `debug` function alone. Every other
 * member keeps its name and loses its value: tokens, hashes, passwords, ids and public keys of passkeys, and the
 * application's own columns.
 *
 * @since 0.1.0
 */
import { showAddress } from "../internal/Mismatch.ts"
import { isPageCode, isPageError } from "../internal/PageError.ts"

/** Stands for a value that is not shown. */
export const placeholder = "[redacted]"

const visibleMembers: ReadonlySet<string> = new Set([
  "counter",
  "credentialBackedUp",
  "credentialDeviceType",
  "emailVerified",
  "expires",
  "expires_at",
  "expires_in",
  "id",
  "isNewUser",
  "provider",
  "scope",
  "token_type",
  "transports",
  "type",
  "userId"
])

/** Members that identify a person. */
const personal: ReadonlySet<string> = new Set(["email", "identifier", "image", "name"])

/** Types of accounts whose id is that of a person. The id of another account is that of a passkey. */
const ofPerson: ReadonlySet<unknown> = new Set(["email", "oauth", "oidc"])

const isShown = (name: string, record: object): boolean =>
  visibleMembers.has(name) ||
  personal.has(name) ||
  (name === "providerAccountId" && ofPerson.has(Reflect.get(record, "type")))

/** Members that hold a record, whose members are looked at in turn. */
const records: ReadonlySet<string> = new Set(["account", "session", "user"])

/** Characters of a text, members of a record and rows of a list that are shown. */
const most = { characters: 200, members: 40, rows: 10 }

/** A text without the query of an address, which may sign it. */
const showText = (text: string): string => {
  const whole = /^https?:\/\//i.test(text) ? showAddress(text) : /^data:/i.test(text) ? "data:…" : text
  return whole.length > most.characters ? `${whole.slice(0, most.characters)}…` : whole
}

/** A value of a listed member. */
const leaf = (value: unknown): unknown => {
  if (typeof value === "string") return showText(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString()
  return value === null || ["boolean", "number", "undefined"].includes(typeof value) ? value : placeholder
}

const isFlag = (value: unknown): boolean => value === null || value === undefined || typeof value === "boolean"

/** A record, or a list of records, as a debug message shows it. A value that is neither is not shown. */
export const view = (value: unknown): unknown => {
  if (isFlag(value)) return value
  if (value instanceof Date) return leaf(value)
  if (Array.isArray(value)) return value.slice(0, most.rows).map((one) => view(one))
  if (typeof value !== "object" || value === null) return placeholder
  try {
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, most.members)
        .map(([name, member]: [string, unknown]) => [
          name,
          isShown(name, value) ? leaf(member) : records.has(name) ? view(member) : isFlag(member) ? member : placeholder
        ])
    )
  } catch {
    return placeholder
  }
}

/** The argument of a call that is an id or an address by itself. */
export const viewOfId = (value: unknown): unknown =>
  typeof value === "string" ? showText(value) : typeof value === "number" ? value : view(value)

/** Where an address leads: the origin alone, because paths may hold invitations and other tokens. */
export const viewOfTarget = (address: string, base = "relative://here"): string => {
  if (!URL.canParse(address, base)) return placeholder
  const { host, protocol } = new URL(address, base)
  return protocol === "relative:" ? "this site" : `${protocol}//${host}`
}

/** Where an answer leads: for a page of this site with its `error`, for other places the origin alone. */
export const viewOfLocation = (location: string, origin: string): string => {
  const target = viewOfTarget(location, origin)
  const query = URL.canParse(location, origin) ? new URL(location, origin).searchParams : new URLSearchParams()
  const error = query.get("error") ?? ""
  const code = query.get("code") ?? ""
  if (target !== origin || !isPageError(error)) return target
  return `${target}/…?error=${error}${isPageCode(code) ? `&code=${code}` : ""}`
}

/** The name of a cookie; that of a sign-in attempt ends with a part of its state. */
export const viewOfCookie = (name: string): string => name.replace(/(\.flow\.).*$/, "$1…")

/** Parameters that a browser or a provider sends; what else a client names is counted. */
const visibleFields: ReadonlySet<string> = new Set([
  "action",
  "callbackUrl",
  "code",
  "csrfToken",
  "data",
  "email",
  "error",
  "error_description",
  "error_uri",
  "id_token",
  "iss",
  "json",
  "password",
  "redirect",
  "scope",
  "session_state",
  "state",
  "token",
  "user",
  "username"
])

/** The names of the parameters of a request. */
export const viewOfNames = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const others = names.filter((name) => !visibleFields.has(name)).length
  return [...new Set(names.filter((name) => visibleFields.has(name))), ...(others === 0 ? [] : [`${others} others`])]
}

/** The parameters of an authorization request that are the same for every attempt, and those that say what is asked for. */
const parameters: ReadonlySet<string> = new Set([
  "access_type",
  "acr_values",
  "appid",
  "audience",
  "client_id",
  "code_challenge_method",
  "connection",
  "display",
  "domain_hint",
  "hd",
  "kc_idp_hint",
  "max_age",
  "organization",
  "prompt",
  "redirect_uri",
  "resource",
  "response_mode",
  "response_type",
  "scope",
  "screen_hint",
  "ui_locales"
])

/** The address of an authorization request: state, nonce, challenge and everything unknown lose their values. */
export const viewOfAuthorization = (address: string): string => {
  if (!URL.canParse(address)) return placeholder
  const url = new URL(address)
  const query = [...url.searchParams].map(
    ([name, value]) => `${name}=${parameters.has(name) ? encodeURIComponent(value) : placeholder}`
  )
  return `${url.origin}${url.pathname}${query.length === 0 ? "" : `?${query.join("&")}`}`
}
