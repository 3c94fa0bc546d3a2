/**
 * JSON from outside: its text, what it holds, and whether it says the same to every parser.
 *
 * A member that is given twice means its first value to some parsers and its last to others (RFC 8259 section 4), a byte order
 * mark is an error to some (section 8.1), and depth fills the stack of a reader that recurses.
 *
 * @since 0.1.0
 */

/** A JSON object, in contrast to an array, `null` or a scalar. */
export interface JsonObject {
  readonly [name: string]: unknown
}

/** Why a text is not read. */
export type JsonFault = "not_json" | "too_deep" | "repeated"

const quote = 34
const colon = 58
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text of bytes in UTF-8, with a byte order mark where there is one; `undefined` when the bytes are not UTF-8. */
export const readUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Levels of objects and arrays in one text, where the caller names no other number. */
const deepest = 512

/** The value of a JSON text, or `undefined` when it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A value in JSON: the text, and what a parser reads in it. Each is made anew when it is asked for. */
export interface JsonForm {
  readonly text: () => string
  readonly value: () => unknown
}

/** The form of a text that is JSON. */
export const fromJsonText = (text: string): JsonForm => ({ text: () => text, value: () => parseJson(text) })

/** The form of a value. Throws as `JSON.stringify` does; a value that says by its `toJSON` that it is nothing is `null`. */
export const jsonForm = (value: unknown): JsonForm => {
  const copy = copyJson(value, deepestCopy)
  return copy === undefined
    ? fromJsonText(String(JSON.stringify(value) ?? "null"))
    : { text: () => JSON.stringify(copy), value: () => copyJson(copy, deepestCopy) }
}

/** Levels of objects that are copied without a text between them. */
const deepestCopy = 16

/** The value that the JSON of a value would be read as, where plain objects, arrays and scalars leave no doubt; else `undefined`. */
const copyJson = (value: unknown, depth: number): unknown => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  // JSON has no negative zero, and `null` for the numbers that are not finite.
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : undefined
  if (typeof value !== "object" || depth === 0 || hasForm(value)) return undefined
  if (Array.isArray(value)) return copyArray(value, depth)
  if (!isJsonObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return undefined
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const member = value[name]
    if (member === undefined) continue
    const inner = name === "__proto__" ? undefined : copyJson(member, depth - 1)
    if (inner === undefined) return undefined
    copy[name] = inner
  }
  return copy
}

/** Does a value say itself what it is in JSON? Looked up as `JSON.stringify` does: a member may be hidden or inherited. */
const hasForm = (value: { readonly toJSON?: unknown }): boolean => typeof value.toJSON === "function"

const copyArray = (values: ReadonlyArray<unknown>, depth: number): ReadonlyArray<unknown> | undefined => {
  if (Object.getPrototypeOf(values) !== Array.prototype) return undefined
  const copy: Array<unknown> = []
  for (const value of values) {
    const inner = copyJson(value, depth - 1)
    if (inner === undefined) return undefined
    copy.push(inner)
  }
  return copy
}

/** Is this a JSON object, in contrast to an array, `null` or a scalar? */
export const isJsonObject = (u: unknown): u is JsonObject => typeof u === "object" && u !== null && !Array.isArray(u)

/** The value of a JSON text, in which no object at any level has two members of one name; `null` is one too. */
export const readJsonText = (text: string, depth = deepest): { readonly value: unknown } | JsonFault => {
  const members = countMembers(text, depth)
  if (members === undefined) return "too_deep"
  const value = parseJson(text)
  if (value === undefined) return "not_json"
  return members === membersOf(value) ? { value } : "repeated"
}

/** The object of a JSON text, as {@link readJsonText}; `undefined` when there is none. */
export const readJsonObject = (text: string): JsonObject | undefined => {
  const read = readJsonText(text)
  return typeof read !== "string" && isJsonObject(read.value) ? read.value : undefined
}

/** Members of all objects in a valid JSON text, a repeated name counted each time; `undefined` for one that is too deep. */
const countMembers = (text: string, most: number): number | undefined => {
  let members = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === colon) members++
    else if (code === openBrace || code === openBracket) {
      if (++depth > most) return undefined
    } else if (code === closeBrace || code === closeBracket) depth--
  }
  return members
}

/** Members of all objects in a value; its depth is bounded, so is this recursion. */
const membersOf = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0
  const inner: ReadonlyArray<unknown> = Object.values(value)
  let members = Array.isArray(value) ? 0 : inner.length
  for (const one of inner) members += membersOf(one)
  return members
}

/** Index of the quotation mark that closes the string opened at `start`. */
const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

const isEscaped = (text: string, at: number): boolean => {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++
  return backslashes % 2 === 1
}
