/**
 * What is answered and logged where the engine could not be loaded. Nothing of Effect is imported.
 *
 * @since 0.1.0
 */
import { line } from "../internal/ConsoleLine.ts"
import { causeText } from "../internal/FailureText.ts"

/** What a person reads where no page can be drawn. */
export const unavailable = (requestId: string): string =>
  `This site has a problem. Try again later, or report it to the site. Reference: ${requestId}`

/** Logs why the engine is missing; gives the text of the answer. */
export const reportUnloaded = (cause: unknown): string => {
  const id = crypto.randomUUID()
  line("error", "effect-doorman could not load a part of itself", [
    `caused by ${causeText(cause)}`,
    "fix: Install the package again. In a bundle, keep the files of its dynamic imports beside it.",
    `request: ${id}`
  ])
  return unavailable(id)
}
