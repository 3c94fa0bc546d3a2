/**
 * Finds what is wrong with the options that decide the public URL, and the risks that they take.
 *
 * @since 0.1.0
 */
import { InvalidConfiguration, UntrustedHost } from "../Errors.ts"
import { fixForUncopied } from "./EnvironmentProblems.ts"
import { isLoopback } from "../http/NetworkAddress.ts"
import { type HostOptions, type HostPolicy, parseHosts, parseNetworks, parseOrigin } from "./HostPolicy.ts"
import { advice, fatal, type Problem } from "./Problem.ts"

const fix = "Set AUTH_URL or origin to the public address of the site, or list its hosts in trustedHosts."

const originFix = () => ({ field: "origin", variable: "AUTH_URL", fix, ...fixForUncopied("AUTH_URL") })

/**
 * Why an email provider sends no link.
 *
 * @category constructors
 * @since 0.1.0
 */
export const unvouchedLinks = (provider: string): UntrustedHost =>
  new UntrustedHost({
    ...originFix(),
    provider,
    detail: `Provider "${provider}" is disabled in production: nothing vouches for the host of a request, and a mailed link would name it`
  })

/**
 * Why a WebAuthn provider neither makes nor accepts keys.
 *
 * @category constructors
 * @since 0.1.0
 */
export const unvouchedKeys = (provider: string): UntrustedHost =>
  new UntrustedHost({
    ...originFix(),
    provider,
    detail: `Provider "${provider}" is disabled in production: nothing vouches for the host of a request, and keys would belong to it. Without AUTH_URL, origin or trustedHosts, relayingParty must name id and origin`
  })

/**
 * Why a provider seals no state for a redirect proxy.
 *
 * @category constructors
 * @since 0.1.0
 */
export const unvouchedState = (provider: string): UntrustedHost =>
  new UntrustedHost({
    ...originFix(),
    provider,
    detail: `Provider "${provider}" is disabled here: nothing vouches for the host of a request, and the redirect proxy would send answers to it`
  })

/**
 * What is wrong with the options about hosts, and in production the risks that they take.
 *
 * @category constructors
 * @since 0.1.0
 */
export const hostProblems = (
  options: HostOptions,
  { origin, voucher }: HostPolicy,
  production: boolean
): ReadonlyArray<Problem> => {
  const mistakes = [
    ...(options.origin === undefined || parseOrigin(options.origin) !== undefined
      ? []
      : [mistake("origin", "origin must be scheme, host and port, such as https://app.example")]),
    ...(options.trustedHosts === undefined || parseHosts(options.trustedHosts) !== undefined
      ? []
      : [mistake("trustedHosts", `trustedHosts must list hosts in ASCII, ${examples}`)]),
    ...(options.trustedProxies === undefined || parseNetworks(options.trustedProxies) !== undefined
      ? []
      : [mistake("trustedProxies", "trustedProxies must list networks or addresses, such as 10.0.0.0/8 or ::1")])
  ]
  if (mistakes.length > 0) return mistakes
  return [
    ...ignoredHosts(options, voucher),
    ...risks(voucher, production),
    ...(production && origin?.startsWith("http:") === true ? [plainOrigin(origin)] : [])
  ]
}

/** An origin without TLS where the public is served. */
const plainOrigin = (origin: string): Problem => {
  const here = isLoopback(new URL(origin).hostname) ? ", and browsers on other machines do not reach it" : ""
  return advice(
    new InvalidConfiguration({
      field: "origin",
      variable: "AUTH_URL",
      detail: `The public origin is ${origin} in production: cookies are not Secure, and redirect URIs begin with http${here}`,
      fix: "Write the address that browsers use into AUTH_URL or origin, such as https://site.example/auth, also where a proxy ends TLS."
    })
  )
}

/** A list of hosts beside a pinned origin: the application may assume that requests can choose among them. */
const ignoredHosts = ({ trustedHosts }: HostOptions, voucher: HostPolicy["voucher"]): ReadonlyArray<Problem> =>
  voucher !== "origin" || trustedHosts === undefined
    ? []
    : [
        advice(
          new InvalidConfiguration({
            field: "trustedHosts",
            detail: "trustedHosts is ignored: origin, or AUTH_URL, names the one public address of the site",
            fix: "Leave out trustedHosts. To answer under several hosts, leave out origin and AUTH_URL."
          })
        )
      ]

const examples = "such as app.example, https://app.example, localhost:3000 or *.preview.example, where * is one label"

const mistake = (field: string, detail: string): Problem => fatal(new InvalidConfiguration({ field, detail }))

const risks = (voucher: HostPolicy["voucher"], production: boolean): ReadonlyArray<Problem> => {
  if (voucher === "distrust") {
    return [
      fatal(
        new UntrustedHost({
          field: "trustHost",
          detail: "trustHost is not true: the host of requests cannot be trusted",
          variable: "AUTH_TRUST_HOST",
          ...fixForUncopied("AUTH_TRUST_HOST", "AUTH_URL")
        })
      )
    ]
  }
  if (!production || (voucher !== "trustHost" && voucher !== "nothing")) return []
  return [adviceFor(voucher)]
}

/** Advice that was given before: errors are costly to make, and configurations may be made for every request. */
const adviceByKey = new Map<string, Problem>()

const adviceFor = (voucher: "trustHost" | "nothing"): Problem => {
  const fields = originFix()
  const key = `${voucher} ${fields.fix}`
  const before = adviceByKey.get(key)
  if (before !== undefined) return before
  const problem = advice(
    voucher === "trustHost"
      ? new UntrustedHost({ ...fields, field: "trustHost", detail: believedHostDetail })
      : new UntrustedHost({ ...fields, detail: unknownHostDetail })
  )
  adviceByKey.set(key, problem)
  return problem
}

const believedHostDetail =
  "trustHost alone vouches for the host of requests: unless a proxy in front checks it, a stranger chooses the host of links that are mailed to others"

const unknownHostDetail =
  "Nothing vouches for the host of requests: answers use it, and no provider can mail a link or take its name for passkeys"

/**
 * The risk of a redirect proxy without a list of origins, where `trustHost` alone vouches for the hosts of deployments.
 *
 * @category constructors
 * @since 0.1.0
 */
export const unlistedOrigins = ({ voucher }: HostPolicy, list: unknown): ReadonlyArray<Problem> =>
  voucher !== "trustHost" || list !== undefined
    ? []
    : [
        advice(
          new UntrustedHost({
            field: "redirectProxyOrigins",
            detail:
              "redirectProxyOrigins is not set, and trustHost alone vouches for hosts: answers of providers go to any host that a request to a deployment names",
            fix: "List the origins of the deployments in redirectProxyOrigins, and pin each by AUTH_URL or origin."
          })
        )
      ]
