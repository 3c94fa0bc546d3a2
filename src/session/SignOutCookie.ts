/**
 * Cookies that end with a session: its ID token and the record of a logout at the provider, which browsers send to the sign-out
 * alone, and the tokens of its provider.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { cookiesFor, type Settings } from "../config/Settings.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import { chunkLength, largestField, read, reserve, sizeAfter } from "../http/ChunkedCookie.ts"
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

/** Does a provider keep the ID token of its sessions? */
const keepsIdToken = ({ providers }: Settings["Service"]): boolean =>
  providers.identities.some(({ id, type }) => {
    const provider = type === "oidc" ? Result.getOrUndefined(providers.get(id)) : undefined
    return provider?._tag === "Oidc" && provider.logout !== undefined
  })

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
 * Removes the tokens of a provider that the browser shows, but for the cookies that the answer sets.
 *
 * @category constructors
 * @since 0.1.0
 */
export const forgetProviderTokens = (
  settings: Settings["Service"],
  { cookies, url }: Request,
  kept: ReadonlyArray<ResponseCookie> = []
): ReadonlyArray<ResponseCookie> => {
  const template = cookiesFor(settings, url).providerTokens
  const names = read(cookies, template.name).names.filter((name) => !kept.some((cookie) => cookie.name === name))
  return names.map((name) => clear(template, name))
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
  return largestField - reserve - sizeAfter(request.cookies, without)
}

/** Do the cookies of an answer take more than those that they replace? */
const isLarger = ({ cookies: { values } }: Request, cookies: ReadonlyArray<ResponseCookie>): boolean => {
  let growth = 0
  for (const { name, value } of cookies) growth += value.length - (values.get(name)?.length ?? 0)
  return growth > 0
}

/**
 * What an answer removes of the browser, and a warning where the tokens of a provider are among it.
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
 * token of a logout, which only requests to the sign-out show, goes where one of the largest size would have no room there. What
 * does not grow has arrived before: the server has room for it.
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
  const visible = cookies.filter(({ name }) => name !== idToken.name)
  if (!isLarger(request, visible)) return nothing
  const size = sizeAfter(request.cookies, visible)
  if (size + chunkLength <= largestField) return nothing
  const hint = cookies.length > visible.length ? [] : forgetIdToken(settings, request)
  if (size <= largestField) return { cookies: hint }
  const address = request.cookies.values.has(callbackUrl.name) ? [clear(callbackUrl)] : []
  const tokens = forgetProviderTokens(settings, request, cookies)
  const isEnough = tokens.length === 0 || sizeAfter(request.cookies, [...visible, ...address]) <= largestField
  if (isEnough) return { cookies: [...hint, ...address] }
  return {
    cookies: [...hint, ...address, ...tokens],
    warning: `The tokens of a provider are removed from the browser: with the session the cookies take ${size} bytes, and common servers refuse requests with more than ${largestField}`
  }
}
