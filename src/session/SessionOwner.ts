/**
 * Names the person of a request's session without asking the store: what CSRF tokens and sign-in attempts are bound to.
 *
 * With session tokens the person is the subject of the token; with sessions in a database it is the session itself, by a
 * hash of its token. `undefined` means signed out.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Settings, cookiesFor } from "../config/Settings.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import { readCookie } from "../http/CookieHeader.ts"
import { sha256 } from "../crypto/Sha256.ts"
import type { ReadToken } from "../Jwt.ts"
import { presentNames } from "./SessionCookies.ts"
import { type SessionServices, SessionStore } from "./SessionStore.ts"

/**
 * The tokens of sessions in a database that a request brings: normally none or one, at most four when a browser sends
 * several under the name. `names` are the cookies to clear.
 *
 * @category getters
 * @since 0.1.0
 */
export const sessionTokens = (
  settings: Settings["Service"],
  request: AuthRequest["Service"]
): { readonly tokens: ReadonlyArray<string>; readonly names: ReadonlyArray<string> } => {
  const { candidates } = readCookie(request.cookies, cookiesFor(settings, request.url).sessionToken.name)
  return {
    tokens: candidates.filter((token) => token.length <= longest),
    names: presentNames(settings, request)
  }
}

/**
 * Characters of the longest session token that is looked up.
 *
 * @category models
 * @since 0.1.0
 */
export const longest = 512

/**
 * The name of a session in a database.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sessionSubject = (token: string): string => sha256(`session ${token}`, "base64url").slice(0, 22)

/**
 * Names the person of the request's session.
 *
 * @category combinators
 * @since 0.1.0
 */
export const subjectOf = (request: AuthRequest["Service"]): Effect.Effect<string | undefined, never, SessionServices> =>
  Effect.flatMap(SessionStore, (store) => store.owner(request))

/**
 * Opens the token of the request's session. With sessions in a database there is none to open.
 *
 * @category combinators
 * @since 0.1.0
 */
export const openToken = (
  request: AuthRequest["Service"]
): Effect.Effect<ReadToken | undefined, never, SessionServices> =>
  Effect.flatMap(SessionStore, (store) => store.open(request))
