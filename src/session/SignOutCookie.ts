/**
 * Cookies that end with a session: its ID token and the record of a logout at the provider, which browsers send to the sign-out
 * alone, and the tokens of its provider.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { cookiesFor, keepsIdToken, type Settings } from "../config/Settings.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import {
  headerSize,
  largestAfter,
  largestField,
  maxChunks,
  maxCookieLength,
  readCookie,
  reserve,
  sizeAfter,
  valueOfCookie
} from "../http/CookieHeader.ts"
import { clear, type CookieTemplate, type ResponseCookie } from "../http/Cookie.ts"

type Request = AuthRequest["Service"]

/**
 * The template of such a cookie.
 *
 * @category constructors
 * @since 0.1.0
 */
export const ofSignOut = (
  settings: Settings["Service"],
  { url }: Request,
  name: "idToken" | "logout"
): CookieTemplate => {
  const template = cookiesFor(settings, url)[name]
  return { ...template, options: { ...template.options, path: `${settings.basePath}/signout` } }
}

/**
 * Is this an answer of a provider by a form? Browsers send cookies of `SameSite=None` alone with one of another site: what else
 * they hold is not in the request.
 */
const hidesCookies = ({ providers }: Settings["Service"], { action, method, providerId }: Request): boolean => {
  if (method !== "POST" || action !== "callback") return false
  const provider = Result.getOrUndefined(providers.get(providerId ?? ""))
  return provider !== undefined && "formPost" in provider && provider.formPost
}

/** Bytes for cookies that such a request does not show, beside the callback URL: CSRF token, link, attempts at other providers. */
const unseen = 1000

/**
 * Removes the ID token of a session at another address than that of the sign-out, where no request says whether the browser has
 * one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const forgetIdToken = (settings: Settings["Service"], request: Request): ReadonlyArray<ResponseCookie> => {
  if (!keepsIdToken(settings)) return []
  return [clear(ofSignOut(settings, request, "idToken"))]
}

/**
 * Removes the tokens of a provider that the browser shows or may hold unseen, but for the cookies that the answer sets.
 *
 * @category constructors
 * @since 0.1.0
 */
export const forgetProviderTokens = (
  settings: Settings["Service"],
  request: Request,
  kept: ReadonlyArray<ResponseCookie> = []
): ReadonlyArray<ResponseCookie> => {
  const template = cookiesFor(settings, request.url).providerTokens
  const shown = readCookie(request.cookies, template.name).names
  const mayBeHidden = settings.providerTokens === "cookie" && hidesCookies(settings, request)
  if (shown.length === 0 && !mayBeHidden) return []
  const names = new Set(shown)
  if (mayBeHidden) {
    names.add(template.name)
    for (let index = 0; index < maxChunks; index++) names.add(`${template.name}.${index}`)
  }
  for (const { name } of kept) names.delete(name)
  return Array.from(names, (name) => clear(template, name))
}

/**
 * Bytes that an answer with these cookies leaves to the tokens of a provider and the ID token. The callback URL gives way to them.
 *
 * @category combinators
 * @since 0.1.0
 */
export const roomBeside = (
  settings: Settings["Service"],
  request: Request,
  cookies: ReadonlyArray<ResponseCookie>
): number => {
  const { callbackUrl } = cookiesFor(settings, request.url)
  const without = [clear(callbackUrl), ...forgetProviderTokens(settings, request), ...cookies]
  const hidden = hidesCookies(settings, request) ? unseen : 0
  return largestField - reserve - hidden - sizeAfter(request.cookies, without)
}

/**
 * Bytes for the tokens of a provider after a refresh. Nothing else is left to what comes later, because the refresh token before is
 * spent; and what the request shows has arrived, whatever its size.
 *
 * @category combinators
 * @since 0.1.0
 */
export const roomOfRefresh = (settings: Settings["Service"], request: Request): number => {
  const { values } = request.cookies
  const shown = forgetProviderTokens(settings, request).map(({ name }) => ({ name, value: values.get(name) ?? "" }))
  return Math.max(roomBeside(settings, request, []) + reserve, headerSize(shown))
}

/** Bytes of the cookies of an answer, and of those that they replace. */
const growthOf = (
  request: Request,
  cookies: ReadonlyArray<ResponseCookie>
): { readonly before: number; readonly after: number } => {
  let before = 0
  let after = 0
  for (const { name, value } of cookies) {
    before += valueOfCookie(request.cookies, name)?.length ?? 0
    after += value.length
  }
  return { before, after }
}

/**
 * An ID token that no request shows was kept where a sign-in left `reserve` bytes. Within one step of this size a session does not
 * use them up, however often it grows: only from one step into the next the ID token goes.
 */
const step = 400

/**
 * What an answer removes of the browser, and a warning where the user or the application will miss it: the tokens of a provider, or
 * an ID token.
 *
 * @category models
 * @since 0.1.0
 */
export interface Removal {
  readonly cookies: ReadonlyArray<ResponseCookie>
  readonly warning?: string
}

const nothing: Removal = { cookies: [] }

/**
 * Removes what requests have no room for beside the cookies of an answer: the callback URL, then the tokens of a provider. The ID
 * token of a logout, which only requests to the sign-out show, goes where a session has grown so much that one of the largest size
 * may have no room there. What does not grow has arrived before: the server has room for it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const makeRoom = (
  settings: Settings["Service"],
  request: Request,
  cookies: ReadonlyArray<ResponseCookie>
): Removal => {
  const { callbackUrl, idToken } = cookiesFor(settings, request.url)
  const isDecided = cookies.some(({ name }) => name === idToken.name)
  const visible = isDecided ? cookies.filter(({ name }) => name !== idToken.name) : cookies
  const { after, before } = growthOf(request, visible)
  if (after <= before) return nothing
  const isHiding = hidesCookies(settings, request)
  const hidden = isHiding ? unseen : 0
  // Most answers are far from the limit.
  if (largestAfter(request.cookies, cookies) + hidden + maxCookieLength <= largestField) return nothing
  const sizeWith = (changes: ReadonlyArray<ResponseCookie>) => sizeAfter(request.cookies, changes) + hidden
  const size = sizeWith(visible)
  const atSignOut = isDecided ? sizeWith(cookies) : size
  if (atSignOut + maxCookieLength <= largestField) return nothing
  const isNextStep = size > largestField || Math.floor(after / step) > Math.floor(before / step)
  const hint = isDecided || !isNextStep ? [] : forgetIdToken(settings, request)
  const hasAddress = atSignOut > largestField && request.cookies.values.has(callbackUrl.name)
  const address = isHiding || hasAddress ? [clear(callbackUrl)] : []
  const remaining = address.length === 0 ? size : sizeWith([...visible, ...address])
  const tokens = remaining <= largestField ? [] : forgetProviderTokens(settings, request, cookies)
  const removed = [...hint, ...address, ...tokens]
  // With a sign-in the session that the ID token was kept for ends.
  const lost = [
    ...(tokens.length > 0 ? ["tokens of a provider"] : []),
    ...(hint.length > 0 && before > 0 ? ["any ID token for a logout"] : [])
  ]
  if (lost.length === 0) return { cookies: removed }
  return {
    cookies: removed,
    warning: `Removed from the browser: ${lost.join(", ")}. With the session the cookies take ${size} bytes, and common servers refuse requests with more than ${largestField}`
  }
}
