/**
 * The warning of `getToken` about a session cookie that does not open. Loaded for the first one: most processes give none.
 *
 * @since 0.1.0
 */
import { type UnopenedCause, unopenedCode } from "../http/UnopenedCookie.ts"
import { unopenedTexts } from "../http/UnopenedTexts.ts"
import { line } from "../internal/ConsoleLine.ts"
import type { TokenLogger } from "./Token.ts"

/** Warns the logger, or the console without one. */
export const warn = (cause: UnopenedCause, logger: TokenLogger | undefined): void => {
  const { message, remedy } = unopenedTexts[cause]
  if (logger?.warn === undefined) line("warn", `[${unopenedCode}] ${message} ${remedy}`)
  else logger.warn(unopenedCode, `${message} ${remedy}`)
}
