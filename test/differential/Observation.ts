/**
 * The observation of one step: the answer, decoded and freed of what is random, and everything the implementation did to
 * the outside while it answered. Two observations are equal exactly when nobody outside could tell the steps apart.
 */
import { decode } from "@auth/core/jwt"
import { createHash } from "node:crypto"
import type { Outbound, Person } from "./FakeProvider.ts"
import { type Page, readPage } from "./Html.ts"

/** A cookie of an answer. */
export interface SeenCookie {
  readonly name: string
  /** The name without prefix, chunk number and flow id: what differences are named by. */
  readonly key: string
  readonly value: unknown
  /** The claim of this library in a session token, without what is random in it. */
  readonly claim?: unknown
  readonly attributes: Readonly<Record<string, string>>
}

/** A call of one of the user's functions, or a line for the user's logger. */
export interface SeenCall {
  readonly name: string
  readonly args: unknown
}

/** A target the browser is sent to. */
export interface SeenTarget {
  readonly target: string
  readonly query: Readonly<Record<string, string>>
}

/** Everything seen of one step. */
export interface Observation {
  readonly kind: "response" | "raw" | "thrown"
  readonly thrown?: unknown
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly location: SeenTarget | undefined
  readonly cookies: ReadonlyArray<SeenCookie>
  readonly body: unknown
  readonly page: Page | undefined
  readonly calls: ReadonlyArray<SeenCall>
  readonly events: ReadonlyArray<SeenCall>
  readonly logs: ReadonlyArray<string>
  /** Of the failures in `logs`, those that are an alarm: what `logger.error` received. */
  readonly alarms: ReadonlyArray<string>
  /** Codes of `logger.warn` that Auth.js has no name for. */
  readonly advice: ReadonlyArray<string>
  readonly debugged: boolean
  readonly outbound: ReadonlyArray<Outbound>
  /** Calls of the store that look something up, and those that change something. */
  readonly reads: ReadonlyArray<SeenCall>
  readonly writes: ReadonlyArray<SeenCall>
  /** Changes of the store and calls of the application, in one line. */
  readonly sequence: ReadonlyArray<string>
  /** The person at the provider; not compared. */
  readonly person: Person | undefined
  /** The rows of every table before the step; not compared. */
  readonly before: Readonly<Record<string, ReadonlyArray<unknown>>>
  /** The rows of every table after the step. */
  readonly stored: Readonly<Record<string, ReadonlyArray<unknown>>>
}

/** The context that values need. */
export interface Context {
  readonly secret: string | ReadonlyArray<string>
  readonly host: string
  /** The CSRF token the browser holds, to tell it from any other random value. */
  readonly csrfToken: () => string | undefined
}

/** The corpus's mark of a configuration with a token format of its own. */
const fromBase64 = (text: string): string => Buffer.from(text, "base64url").toString()

/** Replaces what is random in a text by what it is. */
export const normaliseText = (text: string, context: Context): string => {
  const csrf = context.csrfToken()
  const known = csrf === undefined || csrf === "" ? text : text.replaceAll(csrf, "<csrf>")
  return known
    .replace(/\bplain\.([\w-]+)/g, (_, sealed: string) => `<plain ${normaliseText(fromBase64(sealed), context)}>`)
    .replaceAll(context.host, "idp.example")
    .replace(/eyJ[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+/g, "<jwe>")
    .replace(/eyJ[\w-]+\.eyJ[\w-]*\.[\w-]*/g, "<jws>")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>")
    .replace(/\b[0-9a-f]{64}\b/g, "<hex64>")
    .replace(/token-number-\d+-of-this-test/g, "<session token>")
    .replace(/(?<![\w-])[\w-]{43}(?![\w-])/g, "<random>")
}

/** Replaces what is random anywhere in a value and drops what cannot be compared (functions, identities). */
export const normalise = (value: unknown, context: Context, depth = 0): unknown => {
  if (typeof value === "string") return normaliseText(value, context)
  if (typeof value === "function") return "<function>"
  if (typeof value === "symbol") return "<symbol>"
  if (typeof value !== "object" || value === null) return value
  if (depth > 12) return "<deep>"
  if (value instanceof Date) return `date ${Number.isNaN(value.getTime()) ? "invalid" : value.toISOString()}`
  if (value instanceof URL) return normaliseText(value.href, context)
  if (value instanceof Error) return describeError(value)
  if (value instanceof Request) {
    return {
      method: value.method,
      url: normaliseText(value.url, context),
      headers: normalise(readHeaders(value), context, depth + 1)
    }
  }
  if (Array.isArray(value)) return value.map((item) => normalise(item, context, depth + 1))
  const out: Record<string, unknown> = {}
  for (const key of Object.keys(value).sort()) {
    const item: unknown = Reflect.get(value, key)
    out[key] = key === "jti" ? "<jti>" : normalise(item, context, depth + 1)
  }
  return out
}

/** The header fields of a request; of its cookies only that there are any, as names and values differ with what came before. */
const readHeaders = (request: Request): Readonly<Record<string, string>> => {
  const headers = Object.fromEntries(request.headers)
  return "cookie" in headers ? { ...headers, cookie: "<cookies>" } : headers
}

/** An error as a framework package tells errors apart: by type, or by name. */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return `not an error: ${typeof error}`
  const type: unknown = Reflect.get(error, "type")
  const code: unknown = Reflect.get(error, "code")
  return `${typeof type === "string" ? type : error.name}${type === "CredentialsSignin" && typeof code === "string" ? `(${code})` : ""}`
}

/** The name a cookie's differences are filed under. */
const cookieKey = (name: string): string =>
  name
    .replace(/^__(Secure|Host)-/, "")
    .replace(/^(authjs\.flow)\..*/, "$1")
    .replace(/^authjs\./, "")
    .replace(/\.\d+$/, "")

/** Takes the claim of this library out of a value, for comparisons of their own. */
const withoutClaim = (value: unknown): Pick<SeenCookie, "value" | "claim"> => {
  const sealed: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "sealed") : undefined
  if (typeof sealed !== "object" || sealed === null || !("effect-doorman" in sealed)) return { value }
  const { "effect-doorman": claim, ...rest } = sealed
  const isOwn = typeof claim === "object" && claim !== null && "sid" in claim && typeof claim.sid === "string"
  return { value: { sealed: rest }, claim: isOwn ? { ...claim, sid: "<sid>" } : claim }
}

const times = (claims: Record<string, unknown>): Record<string, unknown> => {
  const now = Math.floor(Date.now() / 1000)
  const relative = (claim: unknown): unknown =>
    typeof claim === "number" ? `now${claim - now >= 0 ? "+" : ""}${claim - now}` : claim
  return { ...claims, iat: relative(claims["iat"]), exp: relative(claims["exp"]) }
}

const openCookie = async (name: string, value: string, context: Context): Promise<unknown> => {
  if (value === "") return ""
  const key = cookieKey(name)
  if (key === "flow") return "<flow>"
  if (key === "browser") return "<browser>"
  const csrf = /^([0-9a-f]{64})\|([0-9a-f]{64})$/.exec(value)
  if (csrf !== null) {
    const expected = createHash("sha256")
      .update(`${csrf[1]}${String(context.secret)}`)
      .digest("hex")
    return expected === csrf[2] ? "<csrf token and its hash>" : "<csrf token and another hash>"
  }
  if (!value.startsWith("eyJ")) return normaliseText(value, context)
  try {
    const secret = typeof context.secret === "string" ? context.secret : [...context.secret]
    const claims = await decode({ token: value, secret, salt: name })
    const sealed = key === "state" || key === "nonce" || key === "pkce.code_verifier"
    return {
      sealed: normalise(
        times({
          ...claims,
          ...(sealed
            ? {
                value: typeof claims?.["value"] === "string" ? "<value>" : claims?.["value"],
                ...("flow" in (claims ?? {}) ? { flow: "<flow>" } : {})
              }
            : {})
        }),
        context
      )
    }
  } catch {
    const [, claims] = /^eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+$/.exec(value) ?? []
    return claims === undefined
      ? "<sealed otherwise>"
      : { signed: normalise(times(JSON.parse(fromBase64(claims)) as Record<string, unknown>), context) }
  }
}

const seeTarget = (location: string, context: Context): SeenTarget => {
  const relative = location.startsWith("/") && !location.startsWith("//")
  if (!URL.canParse(location, relative ? "http://relative" : undefined))
    return { target: normaliseText(location, context), query: {} }
  const url = new URL(location, relative ? "http://relative" : undefined)
  const query: Record<string, string> = {}
  for (const [name, value] of url.searchParams) {
    query[name] =
      name === "state" && value.startsWith("eyJ")
        ? "<sealed state>"
        : name === "state" || name === "nonce" || name === "code_challenge"
          ? `<${name}>`
          : normaliseText(value, context)
  }
  return { target: normaliseText(`${relative ? "" : url.origin}${url.pathname}${url.hash}`, context), query }
}

interface PlainCookie {
  readonly name: string
  readonly value: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Reads one `Set-Cookie` field (RFC 6265 section 5.2). */
const readSetCookie = (field: string): PlainCookie => {
  const [pair = "", ...rest] = field.split(/;\s*/)
  const cut = pair.indexOf("=")
  const raw = pair.slice(cut + 1)
  let value = raw
  try {
    value = decodeURIComponent(raw)
  } catch {
    // kept as it is
  }
  const attributes: Record<string, string> = {}
  for (const part of rest) {
    const at = part.indexOf("=")
    attributes[(at < 0 ? part : part.slice(0, at)).toLowerCase()] = at < 0 ? "" : part.slice(at + 1)
  }
  return { name: pair.slice(0, cut), value, attributes }
}

const seeCookies = async (
  cookies: ReadonlyArray<PlainCookie>,
  context: Context
): Promise<ReadonlyArray<SeenCookie>> => {
  const seen: Array<SeenCookie> = []
  const chunks = new Map<string, Array<PlainCookie>>()
  for (const cookie of cookies) {
    const chunk = /^(.*)\.\d+$/.exec(cookie.name)
    const base = chunk?.[1]
    if (base !== undefined && cookie.value !== "" && cookieKey(cookie.name) !== "flow") {
      chunks.set(base, [...(chunks.get(base) ?? []), cookie])
    } else {
      seen.push({
        name: cookie.name,
        key: cookieKey(cookie.name),
        ...withoutClaim(await openCookie(cookie.name, cookie.value, context)),
        attributes: cookie.attributes
      })
    }
  }
  for (const [base, parts] of chunks) {
    const joined = parts.map((part) => part.value).join("")
    seen.push({
      name: parts.map((part) => part.name).join("+"),
      key: cookieKey(base),
      ...withoutClaim(await openCookie(base, joined, context)),
      attributes: parts[0]?.attributes ?? {}
    })
  }
  return seen
}

/** An answer as the browser gets it, with what it carries read. */
export interface Answer {
  readonly seen: Pick<Observation, "kind" | "thrown" | "status" | "headers" | "location" | "cookies" | "body" | "page">
  readonly setCookies: ReadonlyArray<PlainCookie>
  readonly location: string | undefined
  readonly json: unknown
  readonly html: string | undefined
}

const rawShape = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {}

const seeRaw = async (
  value: unknown,
  context: Context,
  kept: (cookies: ReadonlyArray<PlainCookie>) => void
): Promise<Answer> => {
  const internal = rawShape(value)
  const list = Array.isArray(internal["cookies"]) ? internal["cookies"] : []
  const setCookies = list.map((item): PlainCookie => {
    const cookie = rawShape(item)
    const attributes: Record<string, string> = {}
    for (const [name, option] of Object.entries(rawShape(cookie["options"]))) {
      attributes[name.toLowerCase()] = option instanceof Date ? option.toUTCString() : String(option)
    }
    return { name: String(cookie["name"]), value: String(cookie["value"]), attributes }
  })
  kept(setCookies)
  const redirect = internal["redirect"]
  const status = internal["status"]
  const headers: Record<string, string> = {}
  if (internal["headers"] !== undefined)
    new Headers(internal["headers"] as HeadersInit).forEach((v, k) => (headers[k] = v))
  const html =
    typeof internal["body"] === "string" && headers["content-type"]?.startsWith("text/html") === true
      ? internal["body"]
      : undefined
  return {
    seen: {
      kind: "raw",
      status: typeof status === "number" ? status : undefined,
      headers,
      location: typeof redirect === "string" ? seeTarget(redirect, context) : undefined,
      cookies: await seeCookies(setCookies, context),
      body: html === undefined ? normalise(internal["body"], context) : undefined,
      page: undefined
    },
    setCookies,
    location: typeof redirect === "string" ? redirect : undefined,
    json: internal["body"],
    html
  }
}

/** Reads what `Auth` resolved to; `kept` gets the cookies before values are read, so that a jar can take them. */
export const seeAnswer = async (
  value: unknown,
  request: Request,
  context: Context,
  kept: (cookies: ReadonlyArray<PlainCookie>) => void
): Promise<Answer> => {
  if (!(value instanceof Response)) return seeRaw(value, context, kept)
  const setCookies = value.headers.getSetCookie().map(readSetCookie)
  kept(setCookies)
  const headers: Record<string, string> = {}
  value.headers.forEach((field, name) => {
    if (name !== "set-cookie" && name !== "location") headers[name] = field
  })
  const text = await value.text()
  const type = value.headers.get("content-type") ?? ""
  const location = value.headers.get("location") ?? undefined
  let json: unknown
  let body: unknown = text
  let page: Page | undefined
  if (type.startsWith("application/json") && text !== "") {
    json = JSON.parse(text)
    body = normalise(json, context)
    const url: unknown = typeof json === "object" && json !== null ? Reflect.get(json, "url") : undefined
    if (typeof url === "string") body = { url: seeTarget(url, context) }
  } else if (type.startsWith("text/html")) {
    const read = readPage(text, request.url)
    page = normalise(read, context) as Page
    body = "<page>"
  } else {
    body = normaliseText(text, context)
  }
  return {
    seen: {
      kind: "response",
      status: value.status,
      headers,
      location: location === undefined ? undefined : seeTarget(location, context),
      cookies: await seeCookies(setCookies, context),
      body,
      page
    },
    setCookies,
    location,
    json,
    html: page === undefined ? undefined : text
  }
}
