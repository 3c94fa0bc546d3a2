/**
 * Answers without the engine: where it could not be loaded, and where a request is Node's. Nothing of Effect is imported.
 *
 * @since 0.1.0
 */
import { line } from "../internal/ConsoleLine.ts"
import { causeText } from "../internal/FailureText.ts"
import { member } from "../internal/ThrownValue.ts"

/** The text for a person where no page can be drawn. */
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

/** The part of a response of `node:http` that an answer needs. */
interface NodeResponse {
  readonly writeHead: (status: number) => unknown
  readonly end: (text: string) => unknown
}

/** Is this a response of `node:http`? Then a handler of the web was made a listener. */
export const isNodeResponse = (value: unknown): value is NodeResponse =>
  typeof member(value, "writeHead") === "function" && typeof member(value, "end") === "function"

/** Answers a request of `node:http` that came to a handler of the web, which would not answer it. */
export const refuseNode = (response: NodeResponse): Response => {
  const id = crypto.randomUUID()
  line("error", "auth.handler takes a web Request, and got a request of node:http", [
    "fix: Write createServer(toNodeHandler(auth)), with toNodeHandler from effect-doorman/node.",
    `request: ${id}`
  ])
  response.writeHead(500)
  response.end(unavailable(id))
  return new Response(null, { status: 500 })
}
