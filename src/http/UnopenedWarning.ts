/**
 * The warning of `getToken` about a session cookie that does not open. Loaded for the first one: most processes give none.
 *
 * @since 0.1.0
 */
import { line } from "../internal/ConsoleLine.ts"
import { warningText } from "../internal/WarningTexts.ts"
import { type UnopenedCause, unopenedCode } from "./UnopenedCookie.ts"
import { unopenedTexts } from "./UnopenedTexts.ts"

/** Warns the logger, or the console without one. */
export const warn = (
  cause: UnopenedCause,
  logger: { readonly warn?: (code: string, message?: string) => void } | undefined
): void => {
  const text = warningText(unopenedTexts[cause])
  if (logger?.warn === undefined) line("warn", `[${unopenedCode}] ${text}`)
  else logger.warn(unopenedCode, text)
}
