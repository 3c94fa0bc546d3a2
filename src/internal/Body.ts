/**
 * Reads and decodes a request body within fixed limits; plain code below the doors.
 *
 * The limits are for what an authentication endpoint receives: 64 kB, 200 form fields, 32 levels of JSON. Text must be
 * UTF-8, JSON must be an object, and members named like prototype properties are refused.
 *
 * @since 0.1.0
 */
import { type Reading, readBounded } from "./BoundedStream.ts"

export type { Reading } from "./BoundedStream.ts"

/** Why a body was refused. */
export type BodyFailure = "too_large" | "media_type" | "malformed"

const limit = 65_536
const fieldLimit = 200
const depthLimit = 32

/** Collects a body up to the limit. */
export const readBody = (body: ReadableStream, contentLength: string | null): Reading => {
  if (contentLength === null || !(Number(contentLength) > limit)) return readBounded(body, limit)
  void body.cancel().catch(() => undefined)
  return { bytes: Promise.resolve("too_large"), cancel: () => undefined }
}

/** Decodes a body by its content type. An empty body is none, whatever its type. */
export const decodeBody = (
  bytes: Uint8Array,
  contentType: string | null
): { readonly body: Readonly<Record<string, unknown>> | undefined } | BodyFailure => {
  if (bytes.byteLength === 0) return { body: undefined }
  const type = mediaType(contentType)
  if (type === undefined) return "media_type"
  const text = utf8(bytes)
  if (text === undefined) return "malformed"
  const body = type === "json" ? json(text) : form(text)
  return body === "malformed" ? body : { body }
}

/** RFC 9110 section 8.3.1: the type, then parameters; a charset other than UTF-8 is not read. */
const mediaType = (contentType: string | null): "json" | "form" | undefined => {
  if (contentType === null) return undefined
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
    default:
      return undefined
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const utf8 = (bytes: Uint8Array): string | undefined => {
  try {
    const text = decoder.decode(bytes)
    return text.charCodeAt(0) === 0xfeff ? undefined : text
  } catch {
    return undefined
  }
}

const json = (text: string): Readonly<Record<string, unknown>> | undefined | "malformed" => {
  if (tooDeep(text)) return "malformed"
  try {
    const value: unknown = JSON.parse(text)
    if (value === null) return undefined
    return isPlain(value) && isHarmless(value) ? value : "malformed"
  } catch {
    return "malformed"
  }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** No member at any level may be named like a property of a prototype. The depth is bounded, so is this recursion. */
const isHarmless = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return true
  if (Array.isArray(value)) return value.every(isHarmless)
  return Object.entries(value).every(([name, member]) => !isPrototypeName(name) && isHarmless(member))
}

const isPrototypeName = (name: string): boolean =>
  name === "__proto__" || name === "constructor" || name === "prototype"

/** Counts brackets outside of strings before anything recursive sees the text. */
const tooDeep = (text: string): boolean => {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === 0x5c) index++
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > depthLimit) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** Fields that decide something and mean nothing when they are named twice and differently (RFC 6749 section 3.1). */
const decisive: ReadonlySet<string> = new Set(["callbackUrl", "code", "iss", "state"])

/** Fields that name a person or prove something: named twice and differently, the whole form is refused. */
const single: ReadonlySet<string> = new Set(["email", "token"])

/** Of a repeated field the last value counts. */
const form = (text: string): Readonly<Record<string, unknown>> | "malformed" => {
  if (hasMoreThan(fieldLimit, text)) return "malformed"
  const fields: Record<string, unknown> = {}
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > fieldLimit || isPrototypeName(name) || name.includes("\uFFFD") || value.includes("\uFFFD"))
      return "malformed"
    if (single.has(name) && Object.hasOwn(fields, name) && fields[name] !== value) return "malformed"
    fields[name] = decisive.has(name) && Object.hasOwn(fields, name) && fields[name] !== value ? "" : value
  }
  return fields
}

/** Counts separators before anything is made of what stands between them; some of it may be empty and no field. */
const hasMoreThan = (most: number, text: string): boolean => {
  let count = 0
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) {
    if (++count > 2 * most) return true
  }
  return false
}
