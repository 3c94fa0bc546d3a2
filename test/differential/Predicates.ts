/**
 * The vocabulary that the predicates behind the rows of `docs/compatibility.md` are written in.
 */
import type { Difference, Place } from "./Compare.ts"
import type { SeenCookie } from "./Observation.ts"

/** A row's predicate. */
export interface Deviation {
  readonly id: string
  readonly covers: (difference: Difference) => boolean
}

export const row = (id: string, covers: (difference: Difference, place: Place) => boolean): Deviation => ({
  id,
  covers: (difference) => covers(difference, difference.place)
})

export const aspect = (difference: Difference, ...names: ReadonlyArray<string>): boolean =>
  names.includes(difference.aspect)
export const starts = (difference: Difference, ...names: ReadonlyArray<string>): boolean =>
  names.some((name) => difference.aspect.startsWith(name))
export const json = (value: unknown): string => JSON.stringify(value) ?? ""

export const errorOf = (answer: Place["ours"]): string | undefined => {
  const url: unknown =
    typeof answer.body === "object" && answer.body !== null ? Reflect.get(answer.body, "url") : undefined
  const query =
    answer.location?.query ??
    (typeof url === "object" && url !== null
      ? (Reflect.get(url, "query") as Readonly<Record<string, string>>)
      : problemOf(answer))
  const { error, code } = query
  return error === undefined ? undefined : code === undefined ? error : `${error}/${code}`
}

/** The members of problem details, by the names of a redirect's query. */
const problemOf = ({ body, headers }: Place["ours"]): Readonly<Record<string, string>> => {
  if (headers["content-type"] !== "application/problem+json") return {}
  const { code, reason } = JSON.parse(String(body)) as { readonly code?: string; readonly reason?: string }
  return { ...(code === undefined ? {} : { error: code }), ...(reason === undefined ? {} : { code: reason }) }
}

/** Is the whole answer another one because of the row? Everything of the step is explained, but not a wider set of cookies. */
export const answers = (place: Place, peer: number | undefined, ours: number): boolean =>
  place.ours.status === ours && (peer === undefined || place.peer.status === peer)

export const has = (place: Place, fault: string): boolean =>
  (place.scenario.faults as ReadonlyArray<string>).includes(fault)
export const named = (place: Place, ...names: ReadonlyArray<string>): boolean => names.includes(place.scenario.name)

/** Has the configuration one of these traits? */
export const trait = (place: Place, ...names: ReadonlyArray<string>): boolean =>
  names.some((name) => place.scenario.traits.includes(name))

/** Does the browser hold a session so long that a callback URL beside it would make the `Cookie` header too long? */
export const lacksRoom = (place: Place): boolean =>
  place.scenario.given.includes("session-chunked") ||
  place.scenario.name.includes("long token") ||
  trait(place, "a long token")

/** Does the browser say that a page of another site sent this (Fetch Metadata, else `Origin`, else `Referer`)? */
export const ofAnotherSite = ({ headers, url }: Place): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "cross-site"
  const from = headers["origin"] === undefined || headers["origin"] === "null" ? headers["referer"] : headers["origin"]
  return from !== undefined && new URL(from).host !== url.host
}

/** The addresses that a request asks to be sent to, each once. */
export const requestedTargets = ({ body, headers, url }: Place): ReadonlySet<string> => {
  const form = (headers["content-type"] ?? "").toLowerCase().startsWith("application/x-www-form-urlencoded")
  const inForm = form ? new URLSearchParams(body).getAll("callbackUrl") : []
  return new Set([...url.searchParams.getAll("callbackUrl"), ...inForm.slice(-1)])
}

export const cookiesIn = (value: unknown): ReadonlyArray<SeenCookie> =>
  Array.isArray(value) ? (value as ReadonlyArray<SeenCookie>) : []
export const cleared = (value: unknown): boolean =>
  cookiesIn(value).length > 0 && cookiesIn(value).every((cookie) => cookie.value === "")

export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
export const sealedClaim = (value: unknown, name: string): unknown => member(member(value, "sealed"), name)

/** Do two objects differ by the members `names` alone? */
export const onlyDiffersIn = (difference: Difference, ...names: ReadonlyArray<string>): boolean => {
  const without = (value: unknown): string =>
    json(
      typeof value === "object" && value !== null
        ? Object.entries(value).filter(([key]) => !names.includes(key))
        : value
    )
  return without(difference.peer) === without(difference.ours)
}

/** Do the answers follow from a step whose whole answer another row explains? Named scenarios only, from `step` on. */
export const within = (place: Place, step: number, ...names: ReadonlyArray<string>): boolean =>
  place.step >= step && named(place, ...names)

/** Is this a name of a request, and nothing else? */
export const isReference = (value: unknown): boolean => typeof value === "string" && /^[\w-]{16}$/.test(value)

export const faulty = (place: Place, ...faults: ReadonlyArray<string>): boolean =>
  faults.some((fault) => has(place, fault))

export const checkCookies = ["state", "pkce.code_verifier", "nonce"]
export const isCheck = (difference: Difference, suffix: string): boolean =>
  checkCookies.some((name) => difference.aspect === `cookie.${name}${suffix}`)

/** Do two lists differ by `name` alone? */
export const differBy = (difference: Difference, ...names: ReadonlyArray<string>): boolean => {
  const [left, right] = [difference.peer, difference.ours]
  if (!Array.isArray(left) || !Array.isArray(right)) return false
  const others = (list: ReadonlyArray<unknown>) => list.filter((item) => !names.includes(String(item)))
  return json(others(left)) === json(others(right))
}

export const sameUrl = (a: unknown, b: unknown): boolean =>
  typeof a === "string" && typeof b === "string" && URL.canParse(a) && new URL(a).href === new URL(b, a).href

/** The requests without those to `path`, as one text. */
export const sentWithout = (value: unknown, ...paths: ReadonlyArray<string>): string =>
  Array.isArray(value) ? value.filter((sent) => !paths.some((path) => String(sent).includes(path))).join("\n") : ""

export const configurationError = (answer: Place["ours"]): boolean => errorOf(answer) === "Configuration"

/** Is this one of the three answers that carry a CSRF token? */
export const showsToken = (place: Place): boolean =>
  place.method === "GET" && ["csrf", "signin", "signout"].includes(place.action)

export const refusedAtProvider = (place: Place): boolean =>
  (errorOf(place.ours) ?? "").startsWith("OAuthCallbackError/")

/** Is the sign-in refused here, or are these the steps after, in which nobody is signed in? */
export const refusedNow = (place: Place): boolean =>
  place.step === 1
    ? refusedAtProvider(place)
    : place.step > 1 && place.ours.calls.length === 0 && place.ours.events.length === 0

/** Does somebody come back with a code of an attempt that is over, and is shown the way home? */
export const isBack = (place: Place): boolean => {
  const { ours, peer, url } = place
  const target = placeOf(ours)
  return (
    place.action === "callback" &&
    place.method === "GET" &&
    url.searchParams.has("code") &&
    url.searchParams.has("state") &&
    target === `${url.origin}/` &&
    errorOf(ours) === undefined &&
    ours.logs.every((line) => line.startsWith("warn ")) &&
    ours.events.length === 0 &&
    ours.writes.length === 0 &&
    (configurationError(peer) || peer.kind === "thrown")
  )
}

/** Is the difference about where the browser is sent, now or later, and nothing else? */
export const isTarget = (difference: Difference): boolean =>
  aspect(
    difference,
    "location.target",
    "location.query.callbackUrl",
    "body.url.target",
    "body.url.query.callbackUrl",
    "page.form.value.callbackUrl",
    "cookie.callback-url",
    "cookie.callback-url.value",
    "cookie.back",
    "cookie.back.value",
    "callback.redirect.url"
  ) ||
  (aspect(difference, "callback.order") && differBy(difference, "redirect")) ||
  (starts(difference, "location.query.", "body.url.query.") && leadsElsewhere(difference.place)) ||
  (aspect(difference, "callback.sendVerificationRequest.url") &&
    withoutTarget(difference.peer) === withoutTarget(difference.ours))

/** The address of a mailed link, but for where it leads afterwards. */
const withoutTarget = (address: unknown): string => String(address).replace(/callbackUrl=[^&]*/, "")

/** Are both sent somewhere, to different places, and neither because of an error? */
const leadsElsewhere = ({ ours, peer }: Place): boolean =>
  errorOf(ours) === undefined && errorOf(peer) === undefined && placeOf(ours) !== placeOf(peer)

const placeOf = (answer: Place["ours"]): unknown =>
  answer.location?.target ?? member(member(answer.body, "url"), "target")

/** Does the request ask for an address that is none, is read by parsers in different ways, or is that of an action? */
export const asksForRefused = (place: Place): boolean => {
  const asked = [...requestedTargets(place), ...targetOfJson(place)]
  return asked.some((address) => isRefused(address, place.url))
}

/** The address in a body of JSON; what is no text is an empty one. */
const targetOfJson = ({ body, headers }: Place): ReadonlyArray<string> => {
  if (!(headers["content-type"] ?? "").startsWith("application/json")) return []
  const read = /"callbackUrl":(?:"((?:[^"\\]|\\.)*)"|(?!null))/.exec(body)
  return read === null ? [] : [read[1] ?? ""]
}

const actionPath =
  /\/(?:auth|auth-v1\.0|a\.b)\/(?:(?:providers|session|csrf|signout|callback|webauthn-options)\b|signin\/[^/])/

const isNative = (address: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(address) && !/^(?:javascript|data|vbscript|blob|file|https?|ftp|wss?):/i.test(address)

const isRefused = (address: string, url: URL): boolean => {
  // oxlint-disable-next-line no-control-regex
  if (address === "" || address.length > 2048 || /[\u0000-\u0020\u007f-\u00a0\\]/.test(address)) return true
  if (!address.startsWith("/") && !/^https?:\/\/[^/]/i.test(address) && !isNative(address)) return true
  if (/^\/(?:\/|%2f|%5c)/i.test(address)) return true
  if (!URL.canParse(address, url.origin)) return true
  const read = new URL(address, url.origin)
  return (
    read.username !== "" ||
    read.password !== "" ||
    read.href.length > 2048 ||
    /%(?:0[0-9a-d]|5c)/i.test(read.pathname) ||
    /^\/(?:\/|%2f|%5c)/i.test(read.pathname) ||
    (read.origin === url.origin && actionPath.test(read.pathname))
  )
}

/** Did the peer answer with a failure of the configuration, or throw? */
export const failedThere = ({ peer }: Place): boolean =>
  configurationError(peer) || peer.kind === "thrown" || json(peer.body).includes("error=Configuration")

/** Does the client take JSON, and neither pages nor anything at all? */
export const wantsProblem = ({ headers }: Place): boolean => {
  const types = (headers["accept"] ?? "").split(",").map((type) => type.trim().split(";")[0])
  return types.includes("application/json") && !types.includes("text/html") && !types.includes("*/*")
}

/** Is it a cookie that our failures leave alone? */
export const cookieless = (difference: Difference): boolean => difference.kind === "absent"

const knownErrors: ReadonlySet<string> = new Set([
  "AccessDenied",
  "Callback",
  "Configuration",
  "CredentialsSignin",
  "OAuthCallbackError",
  "SessionRequired",
  "Verification"
])

/** Is it an error of the query that nobody knows, or none at all? */
export const isUnknownError = ({ kind, peer, place }: Difference): boolean =>
  kind === "absent" &&
  typeof peer === "string" &&
  !knownErrors.has(peer) &&
  peer === (place.url.searchParams.get("error") ?? "undefined")
