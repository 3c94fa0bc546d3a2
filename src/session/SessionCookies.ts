/**
 * The cookies of a session: those that a request brought, those that hold it after an answer, and the removal of the others.
 *
 * @since 0.1.0
 */
import { type Settings, cookiesFor } from "../config/Settings.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import { type CookiePair, readCookie, valueOfCookie } from "../http/CookieHeader.ts"
import { clear, clearEverywhere, mostRemoved, type ResponseCookie, set } from "../http/Cookie.ts"
import { temporaryCookie } from "./RememberMe.ts"

type Request = AuthRequest["Service"]

const templateOf = (settings: Settings["Service"], { url }: Request) => cookiesFor(settings, url).sessionToken

/**
 * The session cookies that a request brought, unopened. Empty cookies count as absent: there is nothing to read in them and
 * nothing to remove.
 *
 * @category getters
 * @since 0.1.0
 */
export const presentNames = (settings: Settings["Service"], request: Request): ReadonlyArray<string> =>
  readCookie(request.cookies, templateOf(settings, request).name).names.filter(
    (name) => valueOfCookie(request.cookies, name) !== ""
  )

/**
 * The cookies that hold a session, and the removal of what else the browser has under its name.
 *
 * @category constructors
 * @since 0.1.0
 */
export const holdSession = (
  settings: Settings["Service"],
  request: Request,
  present: ReadonlyArray<string>,
  pairs: ReadonlyArray<CookiePair>,
  { expires, isTemporary }: { readonly expires: Date; readonly isTemporary: boolean }
): ReadonlyArray<ResponseCookie> => {
  const template = templateOf(settings, request)
  const cookies = pairs.map(({ name, value }) => set({ ...template, name }, value, { expires }))
  const others = present.filter((name) => !pairs.some((pair) => pair.name === name))
  return [
    ...removeSession(settings, request, others.slice(0, mostRemoved - pairs.length)),
    ...(isTemporary ? cookies.map(temporaryCookie) : cookies)
  ]
}

/**
 * Removes session cookies with the attributes that the library sets.
 *
 * @category constructors
 * @since 0.1.0
 */
export const removeSession = (
  settings: Settings["Service"],
  request: Request,
  names: ReadonlyArray<string>
): ReadonlyArray<ResponseCookie> =>
  names.slice(0, mostRemoved).map((name) => clear(templateOf(settings, request), name))

/**
 * Removes session cookies wherever the browser may hold them.
 *
 * @category constructors
 * @since 0.1.0
 */
export const removeEverywhere = (
  settings: Settings["Service"],
  request: Request,
  names: ReadonlyArray<string>
): ReadonlyArray<ResponseCookie> => [
  ...clearEverywhere(templateOf(settings, request), names, request),
  ...removeFormer(settings, request)
]

const hostName = "__Host-authjs.session-token"
const secureName = "__Secure-authjs.session-token"

/**
 * Removes a session under the other name that it has over https. A site that moved from `Auth` to `createAuth`, or back, left it in
 * the browser, and `getToken` reads both.
 *
 * @category constructors
 * @since 0.1.0
 */
export const removeFormer = (settings: Settings["Service"], request: Request): ReadonlyArray<ResponseCookie> => {
  const { name, options } = templateOf(settings, request)
  const former = name === hostName ? secureName : name === secureName ? hostName : undefined
  if (former === undefined) return []
  const template = { name: former, options: { ...options, domain: undefined } }
  return readCookie(request.cookies, former)
    .names.slice(0, mostRemoved)
    .map((one) => clear(template, one))
}
