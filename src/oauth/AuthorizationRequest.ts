/**
 * Writes the address that sends a browser to a provider (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1).
 *
 * The parameters of the protocol cannot be replaced, neither by the configuration nor by a request. Of the others, those
 * of the server's own call take precedence, then those of the configuration, then those of a browser.
 *
 * @since 0.1.0
 */
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { besides, isProtocol, type Parameters } from "./AuthorizationParameters.ts"
import { addressForm } from "./Platform.ts"

/**
 * What belongs to one authorization request.
 *
 * @category models
 * @since 0.1.0
 */
export interface AuthorizationUrlRequest {
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string | undefined
  /** PKCE challenge for the method `S256` (RFC 7636 section 4.2). */
  readonly codeChallenge: string | undefined
  /** Further parameters that the caller has checked; those of the protocol are ignored. */
  readonly parameters: Parameters
  /** Do they come from the server's own call? Then they take precedence over the configuration. Default: `false`. */
  readonly fromServer?: boolean
}

const pair = ([name, value]: readonly [string, string]): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

/** The parameters of the configuration and of its address: later values replace earlier ones, in the place of the first. */
const configuredFor = (provider: RedirectProvider, { searchParams }: URL): Parameters => {
  const all = new Map([...searchParams, ...provider.authorizationParameters])
  const own = [...all].filter(([name]) => name === "response_mode" || !isProtocol(name))
  const isScoped = provider.type !== "oidc" || own.some(([name]) => name === "scope")
  return [
    ...own,
    ...(isScoped ? [] : [["scope", "openid profile email"] as const]),
    // Azure DevOps calls its authorization code an assertion; every other response type is the code.
    ["response_type", all.get("response_type") === "Assertion" ? "Assertion" : "code"]
  ]
}

/** The address for one attempt. `endpoint` is a valid URL, `binding` names the key to which the provider binds the code. */
export const addressFor = (
  provider: RedirectProvider,
  endpoint: string,
  attempt: AuthorizationUrlRequest,
  binding: Readonly<Record<string, string>>
): string => {
  const url = new URL(endpoint)
  const form = addressForm(url)
  const configured = configuredFor(provider, url)
  const added = attempt.parameters.filter(([name]) => !isProtocol(name))
  const parameters = new Map([
    ...configured,
    ...(attempt.fromServer === true ? added : besides(configured, added)),
    ...(form?.omitsClientId === true ? [] : [["client_id", provider.clientId] as const]),
    ["redirect_uri", attempt.redirectUri],
    ["state", attempt.state],
    ...Object.entries(binding)
  ])
  if (attempt.codeChallenge !== undefined) {
    parameters.set("code_challenge", attempt.codeChallenge).set("code_challenge_method", "S256")
  }
  if (attempt.nonce !== undefined) parameters.set("nonce", attempt.nonce)
  const first = form?.order.flatMap((name) => [...parameters].filter(([one]) => one === name)) ?? []
  const ordered = form === undefined ? parameters : new Map([...first, ...parameters])
  url.search = ""
  return `${url.href}?${[...ordered].map(pair).join("&")}${form?.fragment ?? ""}`
}
