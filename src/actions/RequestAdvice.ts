/**
 * Advice about a site from its requests: addresses and schemes that disagree with the options. Each is advice in the log, once in a
 * process for each configuration.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { clientOf } from "../config/HostPolicy.ts"
import type { Arrival, Sender } from "../http/Arrival.ts"
import type { Settings } from "../config/Settings.ts"
import { scopeOf } from "../crypto/Scope.ts"
import { InvalidConfiguration } from "../Errors.ts"
import { isLoopback } from "../http/NetworkAddress.ts"
import { type RequestHeaders, toWebHeaders } from "../http/RequestHeaders.ts"
import { causeText } from "../internal/FailureText.ts"
import { showAddress } from "../internal/Mismatch.ts"
import { isFirstTime } from "../internal/OncePerProcess.ts"

type Advice = Pick<InvalidConfiguration, "field"> & { readonly detail: string; readonly fix: string }

/**
 * Writes advice to the log, unless this process has written it for this configuration. `what` names it: no value of a request is in
 * it, so that no client makes more lines.
 *
 * @category combinators
 * @since 0.1.0
 */
export const adviseOnce = (
  { basePath, secrets }: Settings["Service"],
  what: string,
  advice: () => Advice
): Effect.Effect<void> =>
  Effect.suspend(() =>
    isFirstTime(`${scopeOf("advice", basePath, secrets[0])} ${what}`)
      ? Effect.logWarning(new InvalidConfiguration(advice()))
      : Effect.void
  )

/** Decides the address of a client. */
type ClientSettings = Pick<Settings["Service"], "clientAddress" | "hosts">

/**
 * The address of a client: what the application reads from a header, else what the connection says.
 *
 * @category combinators
 * @since 0.1.0
 */
export const clientAddressOf = (
  { clientAddress, hosts }: ClientSettings,
  headers: RequestHeaders,
  sender: Sender | undefined
):
  | { readonly address: string | undefined; readonly defect?: unknown }
  | Exclude<ReturnType<typeof clientOf>, object>
  | "unknown" => {
  if (clientAddress !== undefined) {
    const answer = Result.try(() => clientAddress(toWebHeaders(headers)))
    if (Result.isFailure(answer)) return { address: undefined, defect: answer.failure }
    return { address: typeof answer.success === "string" ? answer.success : undefined }
  }
  return sender?.isConnected === true ? clientOf(hosts, sender) : "unknown"
}

/**
 * Log lines about the route of a request, and about its client.
 *
 * @category combinators
 * @since 0.1.0
 */
export const adviceOn = (
  settings: Settings["Service"],
  url: URL,
  arrival: Arrival | undefined,
  client: ReturnType<typeof clientAddressOf>
): Effect.Effect<void> => {
  const { hosts, production } = settings
  if (typeof client === "object" && "defect" in client) {
    return adviseOnce(settings, "clientAddress", () => withoutAnswer(client.defect))
  }
  if (arrival === undefined) return Effect.void
  const said = url.protocol === "http:" ? whoSaysHttps(settings, url, arrival) : undefined
  const isClientMissed = client === "forwarded" || (client === "internal" && production && !isLoopback(url.hostname))
  const advice = [
    ...(said === undefined ? [] : [adviseOnce(settings, "https", () => plainAnswer(settings, url, said))]),
    ...(arrival.isConnected || hosts.proxies === undefined
      ? []
      : [adviseOnce(settings, "proxies", () => withoutConnection)]),
    ...(isClientMissed ? [adviseOnce(settings, "client", () => withoutAddress(settings, client, arrival.peer))] : [])
  ]
  return advice.length === 0 ? Effect.void : Effect.all(advice, { discard: true })
}

/** The header that says that the browser uses https, if any. */
const whoSaysHttps = ({ hosts }: Settings["Service"], url: URL, { header }: Arrival): string | undefined => {
  const name = schemeHeaders.find(([name, pattern]) => pattern.test(header(name) ?? ""))?.[0]
  if (name !== undefined) return name
  if (header("origin") === `https://${url.host}`) return "origin"
  return hosts.voucher === "platform" && !isLoopback(url.hostname) ? "the platform" : undefined
}

const schemeHeaders: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ["x-forwarded-proto", /\bhttps\b/i],
  ["forwarded", /\bproto="?https\b/i],
  ["x-forwarded-scheme", /\bhttps\b/i],
  ["x-forwarded-protocol", /\bhttps\b/i],
  ["x-url-scheme", /\bhttps\b/i],
  ["x-forwarded-ssl", /^on$/i],
  ["front-end-https", /^on$/i],
  ["cf-visitor", /"https"/i]
]

const plainAnswer = ({ hosts }: Settings["Service"], { host, origin }: URL, said: string): Advice => ({
  field: hosts.voucher === "origin" ? "origin" : "trustedHosts",
  detail: `A request says https (${said}), and its answer is made for ${showAddress(origin)}: cookies are not Secure, and redirect URIs begin with http`,
  fix:
    hosts.voucher === "origin"
      ? `Write the address that browsers use into AUTH_URL or origin, with https instead of ${showAddress(origin)}.`
      : `Set AUTH_URL or origin to the https address of the site, write "https://${isLoopback(host) ? "app.example" : host}" into trustedHosts, or name the proxy that ends TLS in trustedProxies.`
})

const withoutAnswer = (defect: unknown): Advice => ({
  field: "clientAddress",
  detail: `clientAddress threw ${causeText(defect)}: the client of the request has no address`,
  fix: "Return undefined or null where a request has no such header."
})

const withoutConnection: Advice = {
  field: "trustedProxies",
  detail: "trustedProxies trusts nothing here: a web Request does not say from which address it came",
  fix: "Write the scheme into trustedHosts or origin, and read the address of the client with clientAddress. toNodeHandler and layers on NodeHttpServer know the connection."
}

const withoutAddress = (
  { hosts }: Settings["Service"],
  reason: "forwarded" | "internal",
  peer: string | undefined
): Advice => ({
  field: "trustedProxies",
  detail:
    reason === "forwarded"
      ? "A request carries a header of proxies, and no proxy is trusted: its client has no address, and shares the budgets of all clients without one"
      : hosts.proxies === undefined
        ? `A request came from ${peer ?? "a socket without an address"}, which is not a public address: its client has no address, and shares the budgets of all clients without one`
        : `A request came from ${peer ?? "a socket without an address"}, and X-Forwarded-For names no public address beyond trustedProxies: its client has no address`,
  fix: "Name the proxy in front in trustedProxies by its network, such as 10.0.0.0/8, or read the header that it sets with clientAddress."
})
