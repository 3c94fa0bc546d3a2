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
import { type AddressForm, addressForm } from "./Platform.ts"

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

/** What all requests to one endpoint of a provider have in common. */
interface CommonRequest {
  readonly endpoint: string
  /** The endpoint without its query. */
  readonly address: string
  readonly parameters: Parameters
  readonly form: AddressForm | undefined
}

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

/** Worked out once for each provider, as long as its endpoint stays the same. */
const common = new WeakMap<RedirectProvider, CommonRequest>()

const commonOf = (provider: RedirectProvider, endpoint: string): CommonRequest => {
  const cached = common.get(provider)
  if (cached?.endpoint === endpoint) return cached
  const url = new URL(endpoint)
  const parameters = configuredFor(provider, url)
  url.search = ""
  const made = { endpoint, address: url.href, parameters, form: addressForm(url) }
  common.set(provider, made)
  return made
}

/** Further parameters as far as they count. */
const addedTo = (configured: Parameters, { fromServer, parameters }: AuthorizationUrlRequest): Parameters => {
  if (parameters.length === 0) return parameters
  const added = parameters.filter(([name]) => !isProtocol(name))
  return fromServer === true ? added : besides(configured, added)
}

/** The parameters in the order that a platform wants. */
const inOrder = (parameters: ReadonlyMap<string, string>, { order }: AddressForm): ReadonlyMap<string, string> => {
  const first = order.flatMap((name) => [...parameters].filter(([one]) => one === name))
  return new Map([...first, ...parameters])
}

/**
 * The request of one attempt: its address, and its parameters. `endpoint` is a valid URL, `binding` names the key to which the
 * provider binds the code.
 */
export const writeRequest = (
  provider: RedirectProvider,
  endpoint: string,
  attempt: AuthorizationUrlRequest,
  binding: Readonly<Record<string, string>>
): { readonly url: string; readonly parameters: ReadonlyMap<string, string> } => {
  const { address, form, parameters: configured } = commonOf(provider, endpoint)
  const parameters = new Map(configured)
  for (const [name, value] of addedTo(configured, attempt)) parameters.set(name, value)
  if (form?.omitsClientId !== true) parameters.set("client_id", provider.clientId)
  parameters.set("redirect_uri", attempt.redirectUri).set("state", attempt.state)
  for (const [name, value] of Object.entries(binding)) parameters.set(name, value)
  if (attempt.codeChallenge !== undefined) {
    parameters.set("code_challenge", attempt.codeChallenge).set("code_challenge_method", "S256")
  }
  if (attempt.nonce !== undefined) parameters.set("nonce", attempt.nonce)
  let query = ""
  for (const [name, value] of form === undefined ? parameters : inOrder(parameters, form))
    query += `${query === "" ? "?" : "&"}${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  return { url: `${address}${query}${form?.fragment ?? ""}`, parameters }
}
