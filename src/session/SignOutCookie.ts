/**
 * Cookies that end with a session: its ID token and the record of a logout at the provider, which browsers send to the sign-out
 * alone, and the tokens of its provider.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { cookiesFor, type Settings } from "../config/Settings.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import { maxChunks, read } from "../http/ChunkedCookie.ts"
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
 * Removes the ID token of a session that ends at another address than that of the sign-out, where no request says whether the
 * browser has one, and in how many cookies.
 *
 * @category constructors
 * @since 0.1.0
 */
export const forgetIdToken = (settings: Settings["Service"], request: Request): ReadonlyArray<ResponseCookie> => {
  if (!keepsIdToken(settings)) return []
  const template = ofSignOut(settings, request, "idToken")
  const chunks = Array.from({ length: maxChunks }, (_, index) => `${template.name}.${index}`)
  return [template.name, ...chunks].map((name) => clear(template, name))
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
