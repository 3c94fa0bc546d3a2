/**
 * Writes the address that sends a browser to a provider (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1).
 *
 * The parameters of the protocol come last and cannot be replaced, neither by the configuration nor by a request. Of the
 * others, those of the server's own call take precedence, then those of the configuration, then those of a browser. What
 * depends on the configuration alone is written once per provider.
 *
 * @since 0.1.0
 */
import type { RedirectProvider } from "../preset/Provider.ts"
import { besides, isProtocol, type Parameters } from "./AuthorizationParameters.ts"
import { type AddressForm, addressForm } from "./Platform.ts"

/** What belongs to one sign-in attempt. */
export interface Attempt {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string | undefined
  /** PKCE challenge for the method `S256` (RFC 7636 section 4.2). */
  readonly codeChallenge: string | undefined
  /** Further parameters for this attempt. */
  readonly parameters: Parameters
  /** Do they come from the server's own call, which takes precedence over the configuration? */
  readonly fromServer?: boolean
}

interface Prepared {
  readonly base: string
  readonly parameters: Parameters
  readonly query: string
  readonly responseType: string
  readonly form: AddressForm | undefined
}

const pair = (name: string, value: string): string => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

const write = (parameters: Parameters): string => parameters.map(([name, value]) => `${pair(name, value)}&`).join("")

/** Later values of a name replace earlier ones, in the place of the first. */
const merge = (...lists: ReadonlyArray<Parameters>): Parameters => [...new Map(lists.flat())]

const prepare = (provider: RedirectProvider, endpoint: string): Prepared => {
  const url = new URL(endpoint)
  const configured = merge([...url.searchParams], provider.authorizationParameters)
  // Azure DevOps calls its authorization code an assertion; every other response type is the code.
  const responseType = configured.some(([name, value]) => name === "response_type" && value === "Assertion")
  const own = configured.filter(([name]) => name === "response_mode" || !isProtocol(name))
  const scoped = provider.type === "oidc" && !own.some(([name]) => name === "scope")
  const parameters: Parameters = scoped ? [...own, ["scope", "openid profile email"]] : own
  url.search = ""
  return {
    base: url.href,
    parameters,
    query: write(parameters),
    responseType: responseType ? "Assertion" : "code",
    form: addressForm(url)
  }
}

const known = new WeakMap<RedirectProvider, Map<string, Prepared>>()

/** What can be written without knowing the attempt. */
const preparedFor = (provider: RedirectProvider, endpoint: string): Prepared => {
  const endpoints = known.get(provider) ?? new Map<string, Prepared>()
  known.set(provider, endpoints)
  const prepared = endpoints.get(endpoint) ?? prepare(provider, endpoint)
  if (endpoints.size > 4) endpoints.clear()
  endpoints.set(endpoint, prepared)
  return prepared
}

/** The address in the form that a platform compares as text. */
const inForm = (
  form: AddressForm,
  { base, parameters, responseType }: Prepared,
  provider: RedirectProvider,
  attempt: Attempt,
  further: Parameters
): string => {
  const all = new Map(
    merge(parameters, further, [
      ...(form.omitsClientId ? [] : [["client_id", provider.clientId] as const]),
      ["redirect_uri", attempt.redirectUri],
      ["response_type", responseType],
      ["state", attempt.state]
    ])
  )
  const first = form.order.flatMap((name) => {
    const value = all.get(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const rest = [...all].filter(([name]) => !form.order.includes(name))
  return `${base}?${[...first, ...rest].map(([name, value]) => pair(name, value)).join("&")}${form.fragment}`
}

/** The address for one attempt. `endpoint` is a valid URL. */
export const addressFor = (provider: RedirectProvider, endpoint: string, attempt: Attempt): string => {
  const prepared = preparedFor(provider, endpoint)
  const { base, form, parameters, query, responseType } = prepared
  const added = attempt.parameters.filter(([name]) => !isProtocol(name))
  const further = attempt.fromServer === true || added.length === 0 ? added : besides(parameters, added)
  if (form !== undefined) return inForm(form, prepared, provider, attempt, further)
  const own = further.length === 0 ? query : write(merge(parameters, further))
  const challenge =
    attempt.codeChallenge === undefined
      ? ""
      : `&${pair("code_challenge", attempt.codeChallenge)}&code_challenge_method=S256`
  const nonce = attempt.nonce === undefined ? "" : `&${pair("nonce", attempt.nonce)}`
  return (
    `${base}?${own}response_type=${responseType}&${pair("client_id", provider.clientId)}` +
    `&${pair("redirect_uri", attempt.redirectUri)}&${pair("state", attempt.state)}${challenge}${nonce}`
  )
}
