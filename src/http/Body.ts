/**
 * Reads and decodes a request body within fixed limits; plain code that the entry points call.
 *
 * The limits are for what an authentication endpoint receives: 64 kB, 200 form fields, 32 levels of JSON. Text must be
 * UTF-8, JSON must be an object, and members that are given twice or named like prototype properties are refused, as are
 * texts with half a surrogate pair. What else a text may be depends on what it is for (`Text.ts`). The platform's parser reads a form
 * of several parts, of which files are left out.
 *
 * @since 0.1.0
 */
import type { BodySource, Reading } from "../internal/BoundedStream.ts"
import { isJsonObject, readJsonText, readUtf8 } from "../internal/JsonText.ts"

export type { Reading } from "../internal/BoundedStream.ts"

/** Why a body was refused. */
export type BodyFailure = "too_large" | "media_type" | "malformed"

const limit = 65_536
const fieldLimit = 200
const depthLimit = 32

/** Collects a body up to the limit. */
export const readBody = (body: BodySource, contentLength: string | null): Reading => {
  if (contentLength === null || !(Number(contentLength) > limit)) return body.read(limit)
  body.cancel()
  return { bytes: Promise.resolve("too_large"), cancel: () => undefined }
}

type Fields = Readonly<Record<string, unknown>>

/** The fields of a body, or why it is refused. */
export type Decoded = { readonly body: Fields | undefined } | BodyFailure

/** Decodes a body by its content type; a form of several parts later. An empty body counts as absent, whatever its type. */
export const decodeAnyBody = (bytes: Uint8Array, contentType: string | null): Decoded | Promise<Decoded> =>
  bytes.byteLength > 0 && contentType !== null && mediaType(contentType) === "multipart"
    ? new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } }).formData().then(
        (data): Decoded => {
          const body = fieldsOf(data)
          return body === "malformed" ? body : { body }
        },
        (): Decoded => "malformed"
      )
    : decodeBody(bytes, contentType)

/** Decodes a body in one piece. */
export const decodeBody = (bytes: Uint8Array, contentType: string | null): Decoded => {
  if (bytes.byteLength === 0) return { body: undefined }
  const type = mediaType(contentType)
  if (type === undefined || type === "multipart") return "media_type"
  const text = readUtf8(bytes)
  if (text === undefined || text.startsWith("\uFEFF")) return "malformed"
  const body = type === "json" ? json(text) : form(text)
  return body === "malformed" ? body : { body }
}

/** RFC 9110 section 8.3.1: the type, then parameters; a charset other than UTF-8 is not read. */
const mediaType = (contentType: string | null): "json" | "form" | "multipart" | undefined => {
  if (contentType === null) return undefined
  // As browsers send it.
  if (contentType === "application/x-www-form-urlencoded") return "form"
  const [type = "", ...parameters] = contentType.toLowerCase().split(";")
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=")
    if (name.trim() === "charset" && !/^"?utf-?8"?$/.test(value.trim())) return undefined
  }
  switch (type.trim()) {
    case "application/json":
      return "json"
    case "application/x-www-form-urlencoded":
      return "form"
    case "multipart/form-data":
      return "multipart"
    default:
      return undefined
  }
}

const json = (text: string): Fields | undefined | "malformed" => {
  const read = readJsonText(text, depthLimit)
  if (typeof read === "string") return "malformed"
  const { value } = read
  if (value === null) return undefined
  return isJsonObject(value) && isHarmless(value) ? value : "malformed"
}

/**
 * Every text at every level is well-formed UTF-16, and no member is named like a property of a prototype. The depth is bounded, so is
 * this recursion.
 */
const isHarmless = (value: unknown): boolean => {
  if (typeof value === "string") return value.isWellFormed()
  if (typeof value !== "object" || value === null) return true
  if (Array.isArray(value)) return value.every(isHarmless)
  return Object.entries(value).every(
    ([name, member]) => name.isWellFormed() && !isPrototypeName(name) && isHarmless(member)
  )
}

const isPrototypeName = (name: string): boolean =>
  name === "__proto__" || name === "constructor" || name === "prototype"

/**
 * A field that is given twice and differently means its first value to some parsers and its last to others: the whole form
 * is refused.
 */
const form = (text: string): Fields | "malformed" =>
  hasMoreThan(fieldLimit, text) ? "malformed" : fieldsOf(new URLSearchParams(text))

const fieldsOf = (entries: Iterable<readonly [string, File | string]>): Fields | "malformed" => {
  const fields: Record<string, unknown> = {}
  let count = 0
  for (const [name, value] of entries) {
    if (++count > fieldLimit || isPrototypeName(name) || !isUtf8(name)) return "malformed"
    if (typeof value !== "string") continue
    if (!isUtf8(value)) return "malformed"
    if (Object.hasOwn(fields, name) && fields[name] !== value) return "malformed"
    fields[name] = value
  }
  return fields
}

/** What is no UTF-8 once it is decoded has become U+FFFD. */
const isUtf8 = (text: string): boolean => !text.includes("\uFFFD")

/** Counts separators before anything is made of what stands between them; some of it may be empty and no field. */
const hasMoreThan = (most: number, text: string): boolean => {
  let count = 0
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) {
    if (++count > 2 * most) return true
  }
  return false
}
