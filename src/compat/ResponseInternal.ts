/**
 * The answer of raw mode: plain data, from which a framework package makes an answer of its framework.
 *
 * @since 0.1.0
 */
import type { CookieOptions } from "../http/Cookie.ts"
import type { Unchecked } from "../internal/Untyped.ts"

/**
 * The internal answer that raw mode gives to framework packages.
 *
 * @category models
 * @since 0.1.0
 */
export interface ResponseInternal<Body = Unchecked> {
  status?: number
  headers?: Readonly<Record<string, string>>
  body?: Body
  redirect?: string
  cookies?: ReadonlyArray<{ readonly name: string; readonly value: string; readonly options: CookieOptions }>
}
