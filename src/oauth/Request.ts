/**
 * Requests that a client makes of its provider: `oauth4webapi` writes them, with the client authentication that is configured
 * (OpenID Connect Core section 9, RFC 6749 section 2.3) and with a proof of the key pair that tokens are bound to (DPoP, RFC 9449).
 *
 * An endpoint may ask for a nonce in the proof. The request is made again then, once: the error says that the first one had no
 * effect, and an endpoint that asks for a nonce each time is not followed.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Client, ClientAuth, DPoPRequestOptions } from "oauth4webapi"
import type { JsonObject } from "../internal/JsonText.ts"
import { names } from "../internal/Mismatch.ts"
import type { TokenSet } from "../Models.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import type { Connection } from "./Connection.ts"
import { invalidResponse, type OAuthFault, providerError, statusFault } from "./Fault.ts"
import {
  clientAt,
  type Library,
  library,
  type RequestOptions,
  sendBy,
  type Sender,
  sendProven,
  withLibrary
} from "./Library.ts"
import { type BufferedResponse, type EndpointName, readJson } from "./Transport.ts"

/** How the client proves itself. What is missing for it fails the request. */
const authenticate = (protocol: Library, provider: RedirectProvider): ClientAuth => {
  const secret = provider.clientSecret === undefined ? "" : Redacted.value(provider.clientSecret)
  const { clientAuthentication: method, clientPrivateKey } = provider
  const missing = (option: string) => () =>
    Promise.reject(
      providerError(`the provider's ${option} is missing, which ${method} needs`, {
        fix: `Set ${option}, or client.token_endpoint_auth_method as it is registered at the provider ("none" for a public client).`
      })
    )
  switch (method) {
    case "none":
      return protocol.None()
    // The certificate is that of the connection (RFC 8705 section 2).
    case "tls_client_auth":
    case "self_signed_tls_client_auth":
      return protocol.TlsClientAuth()
    case "private_key_jwt": {
      if (clientPrivateKey === undefined) return missing("clientPrivateKey")
      const { key, kid } = clientPrivateKey
      return protocol.PrivateKeyJwt(kid === undefined ? key : { key, kid })
    }
    case "client_secret_post":
      return secret === "" ? missing("clientSecret") : protocol.ClientSecretPost(secret)
    case "client_secret_jwt":
      return secret === "" ? missing("clientSecret") : protocol.ClientSecretJwt(secret)
    default:
      return secret === "" ? missing("clientSecret") : basic(secret)
  }
}

/**
 * HTTP Basic with both parts form-encoded first (RFC 6749 section 2.3.1). Only what must be encoded is: servers that
 * forget to decode still recognise an id like `my-app.example_1`.
 */
const basic =
  (secret: string): ClientAuth =>
  (_server, { client_id }, _body, headers) => {
    headers.set("authorization", `Basic ${btoa(`${formEncoded(client_id)}:${formEncoded(secret)}`)}`)
  }

const formEncoded = (text: string): string => encodeURIComponent(text).replaceAll("%20", "+")

/** A connection, with `oauth4webapi` and what its functions take. */
export interface Sending extends Connection, Sender {
  /** That of the program, for functions of the application that call an endpoint. */
  readonly context: Context.Context<never>
  /** That of the program. */
  readonly clock: Clock.Clock
  /** The client at the current time. */
  readonly client: Client
  readonly authentication: ClientAuth
}

/** A request to one endpoint. */
export interface Outgoing<A> {
  readonly make: (options: RequestOptions & DPoPRequestOptions) => Promise<Response>
  /** Reads the answer. It fails with what `oauth4webapi` throws, or with a fault. */
  readonly read: (response: BufferedResponse) => Effect.Effect<A, unknown>
  /** The fault behind such a failure. */
  readonly fault: (error: unknown) => OAuthFault
}

/** What `oauth4webapi` makes requests and processes answers with, at the current time. */
export const sendingOf = ({ provider, server, tenants, transport }: Connection): Effect.Effect<Sending> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const clock = Context.get(context, Clock.Clock)
    return withLibrary((protocol) =>
      Effect.succeed({
        provider,
        transport,
        server,
        tenants,
        clock,
        context,
        protocol,
        client: clientAt(clock, protocol, provider.clientId),
        // Evaluated while the request is made, so that a key that cannot sign is a typed error: the configuration accepts any CryptoKey.
        authentication: (...parameters: Parameters<ClientAuth>) => authenticate(protocol, provider)(...parameters)
      })
    )
  })

/** RFC 9449 section 8.1. */
const nonceSyntax = /^[\x21\x23-\x5b\x5d-\x7e]{1,1024}$/

/** The fault of a key pair that no proof can be made with. */
const keyPairFault = (): OAuthFault =>
  providerError("the key pair of dpop cannot be used: expected a CryptoKeyPair that signs, got another", {
    fix: "Give dpop the result of crypto.subtle.generateKey for signing, with an extractable public key."
  })

/** Makes a request, and reads its answer. */
export const request = <A>(
  sending: Sending,
  what: EndpointName,
  { fault, make, read }: Outgoing<A>
): Effect.Effect<A, OAuthFault> => {
  const { client, protocol, provider } = sending
  const { dpop } = provider
  if (dpop === undefined) return Effect.mapError(Effect.flatMap(sendBy(sending, what, make), read), fault)
  const proven = Effect.gen(function* () {
    const DPoP = yield* Effect.try({ try: () => protocol.DPoP(client, dpop), catch: keyPairFault })
    const send = sendProven(sending, what, (options) => make({ ...options, DPoP }))
    const response = yield* send
    return yield* Effect.catchIf(
      read(response),
      (error) => protocol.isDPoPNonceError(error) && nonceSyntax.test(response.headers.get("dpop-nonce") ?? ""),
      () => Effect.flatMap(send, read)
    )
  })
  return Effect.mapError(proven, fault)
}

/** An answer as the functions of `oauth4webapi` take it. */
export interface Answer {
  readonly body: JsonObject
  readonly status: number
}

/** Reads an answer for `oauth4webapi`. An error in an answer of the status `success` is an error. */
export const readAnswer = (
  what: string,
  response: BufferedResponse,
  success: 200 | 201
): Effect.Effect<Answer, OAuthFault> => {
  const { status } = response
  // Two statuses of this class say that a repeat may succeed: a timeout, and too many requests.
  const isRefusal = status >= 400 && status <= 499 && status !== 408 && status !== 429
  if (status !== success && !isRefusal) return Effect.fail(statusFault(what, status, success))
  const json = readJson(what, response)
  return Effect.mapEager(isRefusal ? Effect.orElseSucceed(json, () => ({})) : json, (body: JsonObject) => {
    const { error } = body
    return { body, status: typeof error === "string" && error !== "" && !isRefusal ? 400 : status }
  })
}

/** Is the access token bound to the key, as the option asks (RFC 9449 section 5)? */
export const checkBound = ({ dpop }: RedirectProvider, { token_type }: TokenSet): Effect.Effect<void, OAuthFault> =>
  dpop === undefined || token_type === "dpop"
    ? Effect.void
    : Effect.fail(
        invalidResponse(`the access token is not bound to the key of dpop${names("DPoP", token_type)}`, {
          fix: "Register the client for DPoP at the provider, or leave dpop out."
        })
      )

/** Names the key to which the provider binds the code (RFC 9449 section 10). */
export const thumbprintOf = ({ dpop }: RedirectProvider): Effect.Effect<string | undefined, OAuthFault> =>
  dpop === undefined
    ? Effect.undefined
    : Effect.flatMap(library, ({ DPoP }) =>
        Effect.tryPromise({ try: () => DPoP({}, dpop).calculateThumbprint(), catch: keyPairFault })
      )
