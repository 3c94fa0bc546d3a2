/**
 * Does the session of a sign-in outlive the browser? A cookie without an end goes when the browser closes (RFC 6265 section 5.3,
 * "persistent-flag").
 *
 * The option `session.rememberMe` decides, or with `"ask"` the person, by the field `rememberMe` of the form. What was decided goes
 * with the session, so that renewals keep it: in the mark of a token, and at the end of the token of a row, because adapters of
 * Auth.js have no column for it.
 *
 * @since 0.1.0
 */
import type { Settings } from "../config/Settings.ts"
import { isYes } from "../config/Flag.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { ownMember } from "../internal/OwnProperty.ts"
import type { SessionMark } from "./SessionMark.ts"

/** Is a person remembered who signs in with this form? A form without the field counts as an answer where the site asks. */
export const remembersIn = ({ session }: Settings["Service"], { body }: AuthRequest["Service"]): boolean => {
  const { rememberMe } = session
  if (rememberMe === false) return false
  const field = ownMember(body, "rememberMe")
  return field === undefined ? rememberMe === true : isYes(field)
}

/** The mark of a session that ends with the browser. */
export const temporaryMark = (mark: SessionMark | undefined): SessionMark => ({ v: 1, ...mark, temp: true })

/** Ends the session of this mark with the browser? */
export const isTemporary = (mark: SessionMark | undefined): boolean => mark?.["temp"] === true

const suffix = "~T"

/** The token of a row whose session ends with the browser. No token of the library has a capital letter. */
export const temporaryToken = (token: string): string => `${token}${suffix}`

/** Ends the session of this row with the browser? */
export const isTemporaryToken = (token: string): boolean => /~T(?:~[0-9a-z]{1,9})?$/.test(token)

/** The same cookie, which ends with the browser; a removal stays one. */
export const temporaryCookie = (cookie: ResponseCookie): ResponseCookie =>
  cookie.value === "" ? cookie : { ...cookie, options: { ...cookie.options, maxAge: undefined, expires: undefined } }
