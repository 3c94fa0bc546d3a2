/**
 * Resolves the session of a message of `effect/rpc` by the headers that it carries.
 *
 * Messages come over every transport, so nothing is renewed: no cookie could be set. Over HTTP the headers of a message are
 * those of its request, with what the client wrote into the message.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import type { SessionUnavailable } from "./AccessProblem.ts"
import type { Doorman } from "../Doorman.ts"
import { type CookieHeader, parseCookieHeader } from "../http/CookieHeader.ts"
import { Settings } from "../config/Settings.ts"
import { lookUp } from "./ResolveSession.ts"
import { readSession } from "./ServerRequest.ts"
import type { Found } from "./SessionDecoder.ts"
import { textOf } from "../internal/Text.ts"

/** The session that headers prove, if there is one. */
export const resolveMessageSession = (
  { servicesHere }: Doorman["Service"],
  headers: Headers.Headers
): Effect.Effect<Found | undefined, SessionUnavailable> =>
  Effect.flatMap(servicesHere, (services) => {
    const settings = Context.get(services, Settings)
    const cookies = parseCookieHeader(textOf(headers["cookie"]))
    // The transport is not known. A browser sends a cookie with this prefix over https alone (RFC 6265bis section 4.1.3).
    const isSecure = hasSessionCookie(cookies, settings.secureCookies.sessionToken.name)
    const url = new URL(settings.hosts.origin ?? (isSecure ? "https://localhost" : "http://localhost"))
    const authorization = textOf(headers["authorization"])
    // A message may change something, whatever brings it.
    const request = readSession(url, cookies, headersOf(headers), "POST")
    return Effect.map(lookUp(services, request, { authorization, renewal: "never" }), ({ found }) => found)
  })

/** The headers of a message that could be headers of a request. */
const headersOf = (headers: Headers.Headers): globalThis.Headers =>
  new globalThis.Headers(
    Object.entries<unknown>(headers).flatMap(([name, value]): Array<[string, string]> =>
      fieldName.test(name) && typeof value === "string" && fieldValue.test(value) ? [[name, value]] : []
    )
  )

/** RFC 9110 sections 5.1 and 5.5. */
const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Is the cookie there, whole or in chunks? */
export const hasSessionCookie = (cookies: CookieHeader, name: string): boolean => {
  const { values } = cookies
  return values.has(name) || values.has(`${name}.0`)
}
