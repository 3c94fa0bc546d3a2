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
import { requestedBy, type RequestedSignIn } from "./RequestedSignIn.ts"

/**
 * What belongs to one authorization request. State, nonce and challenge are base64url or a compact token: nothing in them needs
 * an encoding.
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

/** Where a browser is sent. */
export interface AuthorizationAddress {
  readonly url: string
  /** What the request asks of the sign-in, which an address that refers to a pushed request does not show. */
  readonly requested: RequestedSignIn
}

/** What all requests to one endpoint of a provider have in common. */
interface CommonRequest {
  readonly endpoint: string
  /** The endpoint without its query. */
  readonly address: string
  readonly parameters: Parameters
  readonly form: AddressForm | undefined
  /** The begin of a request that adds no parameters. */
  readonly begin: AuthorizationAddress
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

/** The address as far as it does not depend on the attempt. Later parameters replace earlier ones, in the place of the first. */
const beginOf = (
  { clientId }: RedirectProvider,
  { address, form }: Pick<CommonRequest, "address" | "form">,
  list: Parameters
): AuthorizationAddress => {
  const parameters = new Map(list)
  if (form?.omitsClientId !== true) parameters.set("client_id", clientId)
  const query = Array.from(parameters, ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return { url: `${address}?${query.join("&")}`, requested: requestedBy(parameters) }
}

/** Worked out once for each provider, as long as its endpoint stays the same. */
const common = new WeakMap<RedirectProvider, CommonRequest>()

const commonOf = (provider: RedirectProvider, endpoint: string): CommonRequest => {
  const cached = common.get(provider)
  if (cached?.endpoint === endpoint) return cached
  const url = new URL(endpoint)
  const parameters = configuredFor(provider, url)
  url.search = ""
  const form = addressForm(url)
  const { href: address } = url
  const made = { endpoint, address, parameters, form, begin: beginOf(provider, { address, form }, parameters) }
  common.set(provider, made)
  return made
}

/** Further parameters as far as they count. */
const addedTo = (configured: Parameters, { fromServer, parameters }: AuthorizationUrlRequest): Parameters => {
  const added = parameters.filter(([name]) => !isProtocol(name))
  return fromServer === true ? added : besides(configured, added)
}

/** The address in the form that a platform compares. */
const inForm = (url: string, { fragment, order }: AddressForm): string => {
  const [address = "", query = ""] = url.split("?", 2)
  const parameters = query.split("&")
  const first = order.flatMap((name) => parameters.filter((parameter) => parameter.startsWith(`${name}=`)))
  return `${address}?${[...new Set([...first, ...parameters])].join("&")}${fragment}`
}

/**
 * The request of one attempt. `endpoint` is a valid URL, `keyThumbprint` names the key to which the provider binds the code (RFC
 * 9449 section 10).
 */
export const writeRequest = (
  provider: RedirectProvider,
  endpoint: string,
  attempt: AuthorizationUrlRequest,
  keyThumbprint: string | undefined
): AuthorizationAddress => {
  const request = commonOf(provider, endpoint)
  const { form, parameters } = request
  const { codeChallenge, nonce, redirectUri, state } = attempt
  const added = addedTo(parameters, attempt)
  const scope = added.findLast(([name]) => name === "scope")?.[1]
  const { requested, url: begin } =
    added.length === 0 && keyThumbprint === undefined
      ? request.begin
      : beginOf(provider, request, [
          ...parameters,
          ...added,
          ...(keyThumbprint === undefined ? [] : [["dpop_jkt", keyThumbprint] as const])
        ])
  const challenge = codeChallenge === undefined ? "" : `&code_challenge=${codeChallenge}&code_challenge_method=S256`
  const end = nonce === undefined ? challenge : `${challenge}&nonce=${nonce}`
  const url = `${begin}&redirect_uri=${encodeURIComponent(redirectUri)}&state=${state}${end}`
  return {
    url: form === undefined ? url : inForm(url, form),
    requested: scope === undefined ? requested : { ...requested, scope }
  }
}
