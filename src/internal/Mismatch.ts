/**
 * Both sides of a comparison that failed, for the log: what was expected, and what came.
 *
 * Only issuers, origins, redirect URIs and client ids are written so. The actual value may be a text of an attacker. An
 * address is shown without user name, password, query and fragment and without path segments that look like tokens. A value
 * of another form is described and not shown.
 *
 * @since 0.1.0
 */
import { dateAt } from "./DateAt.ts"

/** Characters that are shown of one value. */
const most = 200

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A text that looks like a token: long, of letters and digits, and not the id of a tenant. */
const isOpaque = (segment: string): boolean =>
  /^[\w+~-]{32,}$/.test(segment) && /\d/.test(segment) && !uuid.test(segment)

const shorten = (text: string): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/** The kind of a value that is not shown. */
export const describe = (value: unknown): string =>
  value === undefined || value === null || value === ""
    ? "nothing"
    : typeof value === "string"
      ? `a text of another form, of ${value.length} characters`
      : Array.isArray(value)
        ? "a list"
        : `${typeof value === "object" ? "an" : "a"} ${typeof value}`

/** An address without what may be secret in it. */
export const showAddress = (value: unknown): string => {
  if (typeof value !== "string" || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return showName(value)
  const { origin, pathname, search } = new URL(value)
  const segments = pathname.split("/").map((segment) => (isOpaque(segment) ? "…" : segment))
  // The slash that ends an issuer counts: it is shown as it was written.
  const path = pathname === "/" && !value.endsWith("/") ? "" : segments.join("/")
  return shorten(`${origin}${path}${search === "" ? "" : "?…"}`)
}

/** A name such as a client id or a host; several of them, where there are. */
const showName = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : value.slice(0, 4).map(showName).join(", ")
  return typeof value === "string" && /^[\w.:/@+~{}[\]-]{1,200}$/.test(value) && !value.startsWith("eyJ")
    ? value
    : describe(value)
}

/** Expected and actual address, as the end of a sentence. */
export const addresses = (expected: unknown, actual: unknown): string =>
  `: expected ${showAddress(expected)}, got ${showAddress(actual)}`

/** The names of the members of an object, for a message that must not show their values. */
export const memberNames = (value: object): string => {
  const all = Object.keys(value).filter((name) => /^[\w.:-]{1,40}$/.test(name))
  return all.length === 0 ? "no members" : `the members ${all.slice(0, 8).join(", ")}${all.length > 8 ? ", …" : ""}`
}

/** Expected form and actual kind, as the end of a sentence. */
export const kinds = (expected: string, actual: unknown): string => `: expected ${expected}, got ${describe(actual)}`

/** Expected and actual name, as the end of a sentence. */
export const names = (expected: unknown, actual: unknown): string =>
  `: expected ${showName(expected)}, got ${showName(actual)}`

const timeOf = (seconds: unknown): string =>
  typeof seconds === "number" && Math.abs(seconds) < 1e11 ? dateAt(seconds * 1000).toISOString() : "no time"

/** Two times, in seconds, that differ by a wrong clock: the one in a token, and that of this machine. */
export const clocks = (inToken: unknown, now: number): string =>
  `; compare the clocks: the token says ${timeOf(inToken)}, and this machine ${timeOf(now)}`
