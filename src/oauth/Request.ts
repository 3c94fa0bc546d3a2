/**
 * Requests that a client makes of its provider. `oauth4webapi` writes them, with the client authentication that is configured
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
import type { AuthorizationServer, Client, ClientAuth, DPoPRequestOptions, HttpRequestOptions } from "oauth4webapi"
import type { JsonObject } from "../internal/JsonText.ts"
import { lazily } from "../internal/Lazily.ts"
import { names } from "../internal/Mismatch.ts"
import type { TokenSet } from "../Models.ts"
import type { SharedIssuer } from "../Provider/internal/PlatformRules.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { invalidResponse, OAuthFault, providerError, statusFault } from "./Fault.ts"
import { type EndpointName, fetchOver, readJson, type Transport } from "./Transport.ts"

/** The loaded library. */
export type Library = typeof import("./Protocol.ts")

/** `oauth4webapi`, loaded with the first request. */
export const library: Effect.Effect<Library> = lazily(() => import("./Protocol.ts"))

/** Calls a library that was loaded. A table of `Fault.ts` reads what it throws. */
export const call = <A>(use: () => PromiseLike<A>): Effect.Effect<A, unknown> =>
  // @effect-diagnostics-next-line unknownInEffectCatch:off
  Effect.tryPromise({ try: use, catch: (error) => error })

/** The options by which a request of `oauth4webapi` goes over the transport. */
export type RequestOptions = HttpRequestOptions<"GET" | "POST", URLSearchParams | undefined>

/** Sends a request that `oauth4webapi` makes. Which addresses may be called without TLS was decided in NetworkAddress.ts. */
export const sendBy = (
  transport: Transport,
  { allowInsecureRequests, customFetch }: Library,
  what: EndpointName,
  make: (options: RequestOptions) => Promise<Response>
): Effect.Effect<Response, OAuthFault> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.tryPromise({
      try: (signal) =>
        make({
          [allowInsecureRequests]: true,
          [customFetch]: fetchOver(transport, what, context),
          // Platforms that limit clients by their names (Reddit) shall not take this one for another.
          headers: { "user-agent": "effect-doorman" },
          signal
        }),
      catch: (error) =>
        OAuthFault.is(error)
          ? error
          : providerError(`the request to the ${what} could not be made: expected keys and secrets that can sign it`, {
              fix: "Check clientSecret, token.clientPrivateKey and dpop of the provider object."
            })
    })
  )

/** The current time in seconds since 1970. */
export const currentSeconds: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (now) =>
  Math.floor(now / 1000)
)

/** The clock that `oauth4webapi` reads. */
const computer = Context.get(Context.empty(), Clock.Clock)

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
    default: {
      if (secret === "") return missing("clientSecret")
      if (method === "client_secret_post") return protocol.ClientSecretPost(secret)
      return method === "client_secret_jwt" ? protocol.ClientSecretJwt(secret) : basic(secret)
    }
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

/** The server, the client and the options of every request and answer. */
export interface Connection {
  readonly provider: RedirectProvider
  readonly transport: Transport
  /** Its `issuer` names the provider where the provider has no issuer. */
  readonly server: AuthorizationServer
  /** Set when the issuer stands for many. */
  readonly shared: SharedIssuer | undefined
}

/** A connection, with `oauth4webapi` and what its functions take. */
export interface Sending extends Connection {
  readonly protocol: Library
  /** The client at the current time. */
  readonly client: Client
  readonly authentication: ClientAuth
}

/** The arguments of `oauth4webapi` for requests and answers, by the clock of the program. */
export const sendingOf = Effect.fnUntraced(function* (connection: Connection): Effect.fn.Return<Sending> {
  const { provider } = connection
  const protocol = yield* library
  const now = yield* currentSeconds
  return {
    ...connection,
    protocol,
    client: {
      client_id: provider.clientId,
      [protocol.clockSkew]: now - Math.floor(computer.currentTimeMillisUnsafe() / 1000),
      // A second more than `jose`, which compares the same times exactly: the clock of the computer goes on in between.
      [protocol.clockTolerance]: 61
    },
    // Evaluated while the request is made, so that a key that cannot sign is a typed error: the configuration accepts any CryptoKey.
    authentication: (...parameters) => authenticate(protocol, provider)(...parameters)
  }
})

/** RFC 9449 section 8.1. */
const nonceSyntax = /^[\x21\x23-\x5b\x5d-\x7e]{1,1024}$/

/** The fault of a key pair that no proof can be made with. */
const keyPairFault = (): OAuthFault =>
  providerError("the key pair of dpop cannot be used: expected a CryptoKeyPair that signs, got another", {
    fix: "Give dpop the result of crypto.subtle.generateKey for signing, with an extractable public key."
  })

/** A request to one endpoint. */
export interface Outgoing<A> {
  readonly make: (options: RequestOptions & DPoPRequestOptions) => Promise<Response>
  /** Reads the answer. It fails with what `oauth4webapi` throws, or with a fault. */
  readonly read: (response: Response) => Effect.Effect<A, unknown>
  /** The fault behind such a failure. */
  readonly fault: (error: unknown) => OAuthFault
}

/** Makes a request, and reads its answer. */
export const request = <A>(
  { client, protocol, provider: { dpop }, transport }: Sending,
  what: EndpointName,
  { fault, make, read }: Outgoing<A>
): Effect.Effect<A, OAuthFault> =>
  Effect.gen(function* () {
    const DPoP = dpop && (yield* Effect.try({ try: () => protocol.DPoP(client, dpop), catch: keyPairFault }))
    const send = sendBy(transport, protocol, what, (options) =>
      make(DPoP === undefined ? options : { ...options, DPoP })
    )
    const response = yield* send
    return yield* Effect.catchIf(
      read(response),
      (error) =>
        DPoP !== undefined &&
        protocol.isDPoPNonceError(error) &&
        nonceSyntax.test(response.headers.get("dpop-nonce") ?? ""),
      () => Effect.flatMap(send, read)
    )
  }).pipe(Effect.mapError(fault))

/** An answer as the functions of `oauth4webapi` take it. */
export interface Answer {
  readonly body: JsonObject
  readonly status: number
}

/** The `Response` of an answer that was read strictly. */
export const answerOf = ({ body, status }: Answer): Response => Response.json(body, { status })

/** Reads an answer for `oauth4webapi`. An error in an answer of the status `success` is an error. */
export const readAnswer = Effect.fnUntraced(function* (
  what: string,
  response: Response,
  success: 200 | 201
): Effect.fn.Return<Answer, OAuthFault> {
  const { status } = response
  // Two statuses of this class say that a repeat may succeed: a timeout, and too many requests.
  const isRefusal = status >= 400 && status <= 499 && status !== 408 && status !== 429
  if (status !== success && !isRefusal) return yield* statusFault(what, status, success)
  const json = readJson(what, response)
  if (isRefusal) return { status, body: yield* Effect.orElseSucceed(json, () => ({})) }
  const body = yield* json
  const { error } = body
  return { body, status: typeof error === "string" && error !== "" ? 400 : status }
})

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
