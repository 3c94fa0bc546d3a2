/**
 * Invariants of every answer to every request.
 */
import { idpSecret } from "../MemoryProvider.ts"
import { secret, site } from "../Visitor.ts"
import { tokens } from "./FaultyProvider.ts"
import { type Entry, scriptsIn } from "./Sites.ts"
import type { Answer } from "./Stage.ts"

/** Nothing of these is in any answer. */
const secrets = [
  secret,
  idpSecret,
  "client-secret-0123456789-abcdefghijk",
  "newest-secret-0123456789-abcdefghijk",
  "older-secret-0123456789-abcdefghij",
  tokens.access,
  tokens.refresh,
  "a function of the application failed",
  "node_modules"
]

const stackLine = /\bat .{1,80}\.[mc]?[jt]s:\d+:\d+/

const people = /^(?:ann|ada|bob|u\d+)@example\.com$/

/** Where answers lead when the application does not lead elsewhere. */
const targets = [site, "https://acme.example", "https://idp.example"]

const leak = (text: string): string | undefined =>
  secrets.find((one) => text.includes(one)) ?? (stackLine.test(text) ? "a line of a stack" : undefined)

const redirectProblem = ({ configuration }: Entry, location: string): string | undefined => {
  if (configuration.startsWith("redirects ")) return undefined
  const origin = URL.canParse(location, site) ? new URL(location, site).origin : "no URL"
  return targets.includes(origin) ? undefined : `leads to ${location.slice(0, 200)}`
}

const sessionProblem = ({ basePath }: Entry, { url }: Request, body: string): string | undefined => {
  if (new URL(url).pathname !== `${basePath}/session` || !body.startsWith("{")) return undefined
  const email = /"email":"([^"]*)"/.exec(body)?.[1]
  return email === undefined || people.test(email) ? undefined : `a session of ${email}`
}

const statusProblem = (
  { basePath, fails, providers }: Entry,
  { method, url }: Request,
  { body, response: { headers, status } }: Answer,
  isHonest: boolean
): string | undefined => {
  switch (fails) {
    case "refused": {
      if (method === "GET" && new URL(url).pathname === `${basePath}/session` && `${status} ${body}` !== "500 null")
        return `${status} where the configuration is refused`
      return headers.getSetCookie().some((line) => /session-token=[^;]/.test(line)) ? "sets a session" : undefined
    }
    case "application":
      // The error page that says so, or a session that cannot be read.
      return status < 500 || body.includes("</html>") || body === "null" || body.startsWith("{")
        ? undefined
        : `${status} ${body.slice(0, 200)}`
    case "told":
    case "never": {
      if (status >= 500) return `${status} ${body.slice(0, 200)}`
      const action = /^(callback|signin|webauthn-options)(?:\/([^/]*))?\/?$/.exec(
        new URL(url).pathname.slice(basePath.length + 1)
      )
      const isKnown = action === null || providers(action[1] ?? "").includes(action[2] ?? "")
      const location = headers.get("location") ?? ""
      return isHonest && isKnown && /[?&]error=Configuration\b/.test(location)
        ? `leads to ${location.slice(0, 200)}`
        : undefined
    }
  }
}

/** Returns the fault of an answer, if any. `isHonest`: the provider has answered as it should. */
export const violation = (entry: Entry, request: Request, answer: Answer, isHonest: boolean): string | undefined => {
  const { body, response } = answer
  const lines = response.headers.getSetCookie()
  const location = response.headers.get("location")
  const text = [body, ...[...response.headers].map(([, value]) => value)].join("\n")
  const leaked = leak(text)
  if (leaked !== undefined) return `leaks ${leaked}`
  if (body.length > 64_000) return `a body of ${body.length} characters`
  // JSON repeats names as they are, and no browser reads it as a page.
  const isJson = /^application\/json\b/.test(response.headers.get("content-type") ?? "")
  if (!isJson && scriptsIn(body) > entry.scripts) return "a script that is not of the library"
  if (lines.some((line) => line.length > 4096)) return "a cookie of more than 4096 characters"
  return (
    statusProblem(entry, request, answer, isHonest) ??
    (location === null ? undefined : redirectProblem(entry, location)) ??
    (isHonest ? sessionProblem(entry, request, body) : undefined)
  )
}
