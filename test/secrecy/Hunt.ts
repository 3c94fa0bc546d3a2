/**
 * One generated run: a site is built, its flow is played, and everything that was said is searched for canaries where they
 * do not belong.
 */
import * as Effect from "effect/Effect"
import { type Canary, finder, type Sighting } from "./Canaries.ts"
import type { Plan } from "./Plan.ts"
import { played } from "./Plays.ts"
import type { Said } from "./Sinks.ts"
import { type Leaks, make, unspoken } from "./WatchedSite.ts"

/** A canary that was seen where it does not belong. */
export interface Leak extends Sighting {
  readonly sink: Said["sink"]
  readonly path?: string
}

/** Data of a person for that person: their session, the options of their authenticator, what the application shows. */
const own = /^\/(?:auth\/session|auth\/webauthn-options\/|app\/|api\/|rpc)/

const isLinkPage = (path: string): boolean => path === "/auth/callback/email"

/**
 * Where a canary belongs. State, nonce and challenge are in the address of the provider's page; a cookie is in its
 * `Set-Cookie`; a form has the token of forms; the page that a link opens has the token of the link; a person is told who
 * they are. Whatever else is secret belongs nowhere.
 */
const belongs = ({ kind, value }: Canary, { path = "", sink, text }: Said, { logger }: Plan): boolean => {
  switch (kind) {
    case "attempt":
      return sink === "location" && text.startsWith("https://idp.test/authorize?")
    case "cookie":
      return sink === "cookie"
    case "form":
      return sink === "page" || sink === "cookie" || (sink === "body" && path === "/auth/csrf")
    case "link":
      return sink === "page" && isLinkPage(path) && text.includes(`name="token" value="${value}"`)
    case "challenge":
      return sink === "body" && path.startsWith("/auth/webauthn-options/")
    case "person":
      // The option `debug` shows them to the developer.
      return (
        (sink === "body" && own.test(path)) ||
        (sink === "page" && isLinkPage(path)) ||
        (logger.endsWith("with debug") && /^log (?:line|message|on a span)$/.test(sink))
      )
    case "target":
      return ["page", "cookie", "location"].includes(sink) || (sink === "body" && own.test(path))
    case "words":
      return sink === "span of the server" && /\berror=/.test(text)
    case "secret":
      return false
  }
}

/** Plays a plan; the canaries that got out, and how much was looked at. */
export const hunt = (plan: Plan, leaks: Leaks = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const site = yield* make(plan, leaks)
      yield* played(site)
      const { userAgent, visits = [] } = leaks
      const headers: Record<string, string> = userAgent === undefined ? {} : { "user-agent": site.texts[userAgent] }
      for (const address of visits) yield* site.person().send("GET", address, { headers })
      const look = finder(site.canaries())
      const said = site.sinks.all()
      const seen = new Map<string, ReadonlyArray<Sighting>>()
      const found: Array<Leak> = []
      for (const one of said) {
        const isOwn = [
          "failure",
          "log cause",
          "log line",
          "log message",
          "log on a span",
          "span of the server"
        ].includes(one.sink)
        const text = isOwn ? unspoken(one.text) : one.text
        const sightings = seen.get(text) ?? look(text)
        seen.set(text, sightings)
        for (const sighting of sightings) {
          if (!belongs(sighting, one, plan)) {
            found.push({ ...sighting, sink: one.sink, ...(one.path === undefined ? {} : { path: one.path }) })
          }
        }
      }
      return { found, said, site }
    })
  )

/** The leaks in short: one line for each canary and place. */
export const told = (leaks: ReadonlyArray<Leak>): ReadonlyArray<string> => [
  ...new Map(
    leaks.map(({ around, name, path = "", sink }) => [
      `${sink} ${name} ${path}`,
      `${sink} ${path}: ${name} in …${around}…`
    ])
  ).values()
]
