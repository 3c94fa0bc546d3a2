/**
 * Options in parts, under the names that Auth.js has for them.
 *
 * @since 0.1.0
 */
import type { LoggerInstance as Logger } from "../config/Options.ts"
import type { CookieOptions } from "../http/Cookie.ts"
import type { Unchecked } from "../internal/Untyped.ts"

export type { Awaitable } from "../internal/Untyped.ts"

/**
 * A logger of the application's.
 *
 * @category models
 * @since 0.1.0
 */
export interface LoggerInstance extends Logger, Record<string, Unchecked> {}

/**
 * Name and attributes of a cookie. `maxAge` is in seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface CookieOption {
  name: string
  options: CookieOptions
}

/**
 * The cookies that may be changed.
 *
 * @category models
 * @since 0.1.0
 */
export interface CookiesOptions {
  sessionToken: Partial<CookieOption>
  callbackUrl: Partial<CookieOption>
  csrfToken: Partial<CookieOption>
  pkceCodeVerifier: Partial<CookieOption>
  state: Partial<CookieOption>
  nonce: Partial<CookieOption>
  webauthnChallenge: Partial<CookieOption>
}
