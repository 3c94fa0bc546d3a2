/**
 * How a sign-in at a provider begins: the address that sends a browser there (RFC 6749 section 4.1.1, OpenID Connect Core section
 * 3.1.2.1), with the parameters in it or, pushed to the provider first (RFC 9126), with a reference to them.
 *
 * The parameters of the protocol cannot be replaced, neither by the configuration nor by a request. Of the others, those
 * of the server's own call take precedence, then those of the configuration, then those of a browser.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { OAuthSignInError } from "../Errors.ts"
import { isLine } from "../internal/Text.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { besides, isProtocol, type Parameters } from "./AuthorizationParameters.ts"
import { connect } from "./Connection.ts"
import { failureFields, invalidResponse, libraryFault } from "./Fault.ts"
import { requestedBy, type RequestedSignIn } from "./Flow.ts"
import { answerOf, call, type Connection, readAnswer, request, sendingOf, thumbprintOf } from "./Request.ts"
import { transportTo, type Transports } from "./Transport.ts"

/**
 * The parts of one authorization request.
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
  /** The requirements of the request, which an address that refers to a pushed request does not show. */
  readonly requested: RequestedSignIn
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

/**
 * The request of one attempt. `endpoint` is a valid URL, `keyThumbprint` names the key to which the provider binds the code (RFC
 * 9449 section 10).
 */
export const writeRequest = (
  provider: RedirectProvider,
  endpoint: string,
  { codeChallenge, fromServer, nonce, parameters, redirectUri, state }: AuthorizationUrlRequest,
  keyThumbprint: string | undefined
): AuthorizationAddress => {
  const url = new URL(endpoint)
  const configured = configuredFor(provider, url)
  const further = parameters.filter(([name]) => !isProtocol(name))
  const added = fromServer === true ? further : besides(configured, further)
  const scope = added.findLast(([name]) => name === "scope")?.[1]
  const all = new Map([...configured, ...added])
  for (const [name, value] of [
    ["dpop_jkt", keyThumbprint],
    ["client_id", provider.clientId],
    ["redirect_uri", redirectUri],
    ["state", state],
    ["code_challenge", codeChallenge],
    ["code_challenge_method", codeChallenge && "S256"],
    ["nonce", nonce]
  ] as const)
    if (value !== undefined) all.set(name, value)
  url.search = ""
  const query = Array.from(all, ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const { conform = (address: string) => address } = provider.authorization
  return {
    url: conform(`${url.href}?${query.join("&")}`),
    requested: { ...requestedBy(all), ...(scope === undefined ? {} : { scope }) }
  }
}

/** The address to send the browser to, as `OAuthClient` describes it. */
export const authorizationUrl = Effect.fnUntraced(
  function* (transports: Transports, provider: RedirectProvider, attempt: AuthorizationUrlRequest) {
    const transport = transportTo(transports, provider)
    const { server } = yield* connect(transport, provider, ["authorization_endpoint"])
    const { authorization_endpoint: endpoint = "", require_pushed_authorization_requests: isRequired = false } = server
    const address = writeRequest(provider, endpoint, attempt, yield* thumbprintOf(provider))
    // An issuer that accepts pushed requests may not have enabled the client for them: they are sent where it requires them.
    if (!(provider.pushedAuthorizationRequests ?? isRequired)) return address
    const pushing = yield* connect(transport, provider, [
      "authorization_endpoint",
      "pushed_authorization_request_endpoint"
    ])
    return { ...address, url: yield* push(pushing, endpoint, address.url) }
  },
  (self, _, provider) => Effect.mapError(self, (fault) => new OAuthSignInError(failureFields(provider, fault)))
)

const what = "pushed authorization request endpoint"

/** Longest reference, in characters: it travels in an address. */
const longestReference = 1024

/** Sends the parameters of `address`, and answers the address that refers to them. `endpoint` is where the browser goes. */
const push = Effect.fnUntraced(function* (connection: Connection, endpoint: string, address: string) {
  const { searchParams } = new URL(address)
  const sending = yield* sendingOf(connection)
  const { authentication, client, protocol, server } = sending
  const { expires_in, request_uri } = yield* request(sending, what, {
    make: (options) => protocol.pushedAuthorizationRequest(server, client, authentication, searchParams, options),
    read: (response) =>
      Effect.flatMap(readAnswer(what, response, 201), (answer) =>
        call(() => protocol.processPushedAuthorizationResponse(server, client, answerOf(answer)))
      ),
    fault: libraryFault(what, searchParams.get("redirect_uri") ?? "")
  })
  if (!isLine(request_uri, longestReference) || !URL.canParse(request_uri) || expires_in <= 0) {
    return yield* invalidResponse(
      `the answer of the ${what} has no request_uri that can be used: expected a URI of at most ${longestReference} visible characters that has not expired, got another`
    )
  }
  const url = new URL(endpoint)
  url.searchParams.set("client_id", connection.provider.clientId)
  url.searchParams.set("request_uri", request_uri)
  return url.href
})
