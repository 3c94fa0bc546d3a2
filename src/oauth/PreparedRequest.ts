/**
 * Requests that `oauth4webapi` makes, and the caller sends over `Transport.ts`: those of a client that authenticates itself (OpenID
 * Connect Core section 9, RFC 6749 section 2.3), and others.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ClientAuth, HttpRequestOptions } from "oauth4webapi"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { type OAuthFault, providerError } from "./Fault.ts"
import type { Library } from "./Library.ts"
import type { Outgoing } from "./Transport.ts"

/** A client assertion lives for sixty seconds (RFC 7523 section 3). */
const assertionTime = (protocol: Library, now: number) => ({
  [protocol.modifyAssertion]: (_header: unknown, payload: Record<string, unknown>) => {
    Object.assign(payload, { iat: now, nbf: now, exp: now + 60 })
  }
})

/** How the client proves itself, or what is missing for it. */
const authenticate = (protocol: Library, provider: RedirectProvider, now: number) => {
  const secret = provider.clientSecret === undefined ? undefined : Redacted.value(provider.clientSecret)
  const method = provider.clientAuthentication
  if (method === "none") return protocol.None()
  // The certificate is that of the connection (RFC 8705 section 2).
  if (method === "tls_client_auth" || method === "self_signed_tls_client_auth") return protocol.TlsClientAuth()
  if (method === "private_key_jwt") {
    const key = provider.clientPrivateKey
    if (key === undefined) return "the provider's clientPrivateKey"
    const { kid } = key
    return protocol.PrivateKeyJwt(kid === undefined ? key.key : { key: key.key, kid }, assertionTime(protocol, now))
  }
  if (secret === undefined || secret === "") return "the provider's clientSecret"
  if (method === "client_secret_post") return protocol.ClientSecretPost(secret)
  return method === "client_secret_jwt" ? protocol.ClientSecretJwt(secret, assertionTime(protocol, now)) : basic(secret)
}

/**
 * HTTP Basic with both parts form-encoded first (RFC 6749 section 2.3.1). Only what must be encoded is: servers that
 * forget to decode still recognise an id like `my-app.example_1`.
 */
const basic =
  (secret: string) =>
  (_server: unknown, { client_id }: { readonly client_id: string }, _body: unknown, headers: Headers): void => {
    headers.set("authorization", `Basic ${btoa(`${formEncoded(client_id)}:${formEncoded(secret)}`)}`)
  }

const formEncoded = (text: string): string => encodeURIComponent(text).replaceAll("%20", "+")

const unread = new Response()

/** Lets `oauth4webapi` make a request without sending it. */
export const captureRequest = <Method extends string, Body extends Outgoing["body"]>(
  what: string,
  protocol: Library,
  make: (options: HttpRequestOptions<Method, Body>) => Promise<Response>
): Effect.Effect<Outgoing, OAuthFault> => {
  const impossible = () => providerError(`the request to the ${what} could not be made; check the keys and secrets`)
  let captured: Outgoing | undefined
  const making = Effect.tryPromise({
    // Which addresses may be called without TLS was decided in NetworkAddress.ts.
    try: () =>
      make({
        [protocol.allowInsecureRequests]: true,
        [protocol.customFetch]: (url, { body, headers, method }) => {
          // Platforms that limit clients by their names (Reddit) shall not take this one for another.
          captured = { url, method, headers: { ...headers, "user-agent": "effect-doorman" }, body: body ?? undefined }
          return Promise.resolve(unread)
        }
      }),
    catch: impossible
  })
  return Effect.flatMap(making, () => (captured === undefined ? Effect.fail(impossible()) : Effect.succeed(captured)))
}

/** A request of the client that authenticates itself. */
export const prepareRequest = (
  what: string,
  protocol: Library,
  provider: RedirectProvider,
  now: number,
  make: (authentication: ClientAuth, options: HttpRequestOptions<"POST", URLSearchParams>) => Promise<Response>
): Effect.Effect<Outgoing, OAuthFault> => {
  const authentication = authenticate(protocol, provider, now)
  return typeof authentication === "string"
    ? Effect.fail(providerError(`${authentication} is missing, which ${provider.clientAuthentication} needs`))
    : captureRequest(what, protocol, (options: HttpRequestOptions<"POST", URLSearchParams>) =>
        make(authentication, options)
      )
}
