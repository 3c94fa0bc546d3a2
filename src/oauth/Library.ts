/**
 * The way to `oauth4webapi`, which is loaded when it is first needed, and the tables from its errors and those of `jose` to faults.
 *
 * Their errors may hold whole answers and tokens as their causes. A fault repeats none of it, and has no such cause.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Client, HttpRequestOptions } from "oauth4webapi"
import { isJsonObject, type JsonObject } from "../internal/JsonText.ts"
import { addresses, clocks, describe, kinds, names } from "../internal/Mismatch.ts"
import { whenLoaded } from "../internal/Lazily.ts"
import type { Outgoing } from "../internal/Network.ts"
import {
  errorFault,
  invalidResponse,
  invalidToken,
  OAuthFault,
  otherPerson,
  providerError,
  statusFault
} from "./Fault.ts"
import { type BufferedResponse, type EndpointName, toWeb, type Transport } from "./Transport.ts"

/** The loaded library. */
export type Library = typeof import("./Protocol.ts")

/** Uses the libraries. */
export const withLibrary = whenLoaded(() => import("./Protocol.ts"))

export const library: Effect.Effect<Library> = Effect.suspend(() => withLibrary(Effect.succeed))

/** Calls a library that was loaded. What it throws is for {@link libraryFault} or {@link tokenFault}. */
export const call = <A>(use: () => PromiseLike<A>): Effect.Effect<A, unknown> =>
  // The tables of failures read whatever was thrown.
  // @effect-diagnostics-next-line unknownInEffectCatch:off
  Effect.tryPromise({ try: use, catch: (error) => error })

/** The options of `oauth4webapi` by which a request goes over the transport. */
export type RequestOptions = HttpRequestOptions<"GET" | "POST", URLSearchParams | undefined>

/** What requests are sent with. */
export interface Sender {
  readonly transport: Transport
  readonly protocol: Library
}

/** A request that `oauth4webapi` has made. It waits until `answer` gives it the response, and does with it what remains. */
interface Pending {
  readonly request: Outgoing
  readonly answer: (response: Response) => Promise<unknown>
}

/** The form that a request of `oauth4webapi` sends. Where it sends none, it hands on `null` as well. */
const formOf = (form: unknown): URLSearchParams | undefined => (form instanceof URLSearchParams ? form : undefined)

/** Lets `oauth4webapi` make a request. Which addresses may be called without TLS was decided in NetworkAddress.ts. */
const makeRequest = (
  { protocol }: Sender,
  what: EndpointName,
  make: (options: RequestOptions) => Promise<unknown>
): Effect.Effect<Pending, OAuthFault> =>
  Effect.tryPromise({
    try: () =>
      new Promise<Pending>((resolve, reject) => {
        const made = make({
          [protocol.allowInsecureRequests]: true,
          [protocol.customFetch]: (url, { body, headers, method }) =>
            new Promise((answered) =>
              resolve({
                request: { method, url, headers, body: formOf(body) },
                answer: (response) => {
                  answered(response)
                  return made
                }
              })
            ),
          // Platforms that limit clients by their names (Reddit) shall not take this one for another.
          headers: { "user-agent": "effect-doorman" }
        })
        made.then(reject, reject)
      }),
    catch: (error) =>
      OAuthFault.is(error)
        ? error
        : providerError(`the request to the ${what} could not be made: expected keys and secrets that can sign it`, {
            fix: "Check clientSecret, token.clientPrivateKey and dpop of the provider object."
          })
  })

/** Sends a request that `oauth4webapi` makes. */
export const sendBy = (
  sender: Sender,
  what: EndpointName,
  make: (options: RequestOptions) => Promise<unknown>
): Effect.Effect<BufferedResponse, OAuthFault> =>
  Effect.flatMap(makeRequest(sender, what, make), ({ request }) => sender.transport.send(what, request))

/** The same for a request with a proof of DPoP, whose nonces `oauth4webapi` remembers from responses. */
export const sendProven = (
  sender: Sender,
  what: EndpointName,
  make: (options: RequestOptions) => Promise<unknown>
): Effect.Effect<BufferedResponse, OAuthFault> =>
  Effect.flatMap(makeRequest(sender, what, make), ({ answer, request }) =>
    Effect.tap(sender.transport.send(what, request), (response) => Effect.promise(() => answer(toWeb(response))))
  )

/** The clock that `oauth4webapi` reads. */
const computer = Context.get(Context.empty(), Clock.Clock)

/** The current time of a clock, in seconds since 1970. */
export const secondsOf = (clock: Clock.Clock): number => Math.floor(clock.currentTimeMillisUnsafe() / 1000)

/**
 * The client for which `oauth4webapi` makes requests and processes answers by the program's clock. It allows a second more than
 * `jose`, which compares the same times exactly: the clock of the computer goes on in between.
 */
export const clientAt = (clock: Clock.Clock, { clockSkew, clockTolerance }: Library, clientId: string): Client => ({
  client_id: clientId,
  [clockSkew]: secondsOf(clock) - secondsOf(computer),
  [clockTolerance]: 61
})

/**
 * An answer that was read strictly, as the libraries take it. They ask a good one for its members, which are in memory and which
 * they change, and clone a response that is an error. The member is defined, not assigned: the `Response` that `@hono/node-server`
 * puts in place of the platform's has a `json` that cannot be written.
 */
export const answerOf = (body: JsonObject, status = 200): Response =>
  status < 300
    ? Object.defineProperty(new Response(null, { status }), "json", { value: () => Promise.resolve(body) })
    : Response.json(body, { status })

const membersOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** What is wrong with a claim that one of the libraries compared. */
const claimFault = (claim: unknown, expected: unknown, actual: unknown, now: number): string => {
  switch (claim) {
    case "iss":
      return `comes from another issuer${addresses(expected, actual)}`
    case "aud":
    case "azp":
      return `is for another client${names(expected, actual)}`
    case "nonce":
      return `is not for this sign-in (nonce): expected the one that was sent, got ${actual === undefined ? "none" : "another"}`
    case "exp":
      return `has expired${clocks(actual, now)}`
    case "nbf":
      return `is not valid yet${clocks(actual, now)}`
    default:
      return `stems from a sign-in too long ago${clocks(actual, now)}`
  }
}

/** What is wrong with a token, by the code of an error of jose. */
const wrongTokens: ReadonlyMap<unknown, string> = new Map([
  [
    "ERR_JWKS_NO_MATCHING_KEY",
    "is signed with a key that the provider does not publish: expected one at its jwks_uri, got another"
  ],
  ["ERR_JOSE_ALG_NOT_ALLOWED", "is signed with an algorithm that was not agreed"]
])

/** The fault behind an error of jose about a token at a time in seconds. `expected` are the claims that it compared. */
export const tokenFault =
  (what: string, now: number, expected: JsonObject = {}) =>
  (error: unknown): OAuthFault => {
    const { claim, code, payload } = membersOf(error)
    const actual = typeof claim === "string" ? membersOf(payload)[claim] : undefined
    const reason =
      typeof claim === "string" && Object.hasOwn(expected, claim)
        ? claimFault(claim, expected[claim], actual, now)
        : code === "ERR_JWT_EXPIRED"
          ? `has expired${clocks(actual, now)}`
          : code === "ERR_JWT_CLAIM_VALIDATION_FAILED"
            ? `has a time that is malformed, or not reached yet (${String(claim)})${clocks(actual, now)}`
            : (wrongTokens.get(code) ??
              "has a signature that is not good: expected one by a key of the provider, got one that does not verify")
    return invalidToken(`the ${what} ${reason}`)
  }

/** The claim that a message of `oauth4webapi` names. Its messages are constants. */
const claimNamed = (message: unknown): string => /"([a-z_]{1,32})"/.exec(String(message))?.[1] ?? "a claim"

const times: ReadonlySet<string> = new Set(["auth_time", "exp", "iat", "nbf"])

/** What is wrong with a claim of another form. */
const claimForm = (claims: JsonObject, name: string): string =>
  `is malformed: ${name}${kinds(times.has(name) ? "seconds since 1970" : "text", claims[name])}`

/** The fault of an answer of which a member has another form. The messages of `oauth4webapi` are constants. */
const memberFault = (what: string, message: unknown, body: unknown): OAuthFault => {
  const [, name = "", form = "a good value"] = /"([a-z_]{1,32})" property must (.{1,40})$/.exec(String(message)) ?? []
  return invalidResponse(
    `the answer of the ${what} has no good ${name === "" ? "form" : name}: it must ${form}, got ${describe(membersOf(body)[name])}`,
    name === "id_token"
      ? { fix: 'Ask for the scope openid, or set type: "oauth" for a provider without ID tokens.' }
      : undefined
  )
}

/** The fault behind an error of `oauth4webapi` about the answer of `what`, or about the claims of a token in it. */
export const libraryFault =
  (what: string, redirectUri = "", refuse = (reason: string) => invalidToken(`the ID token ${reason}`)) =>
  (error: unknown): OAuthFault => {
    if (OAuthFault.is(error)) return error
    const { cause, code, error: reported, message } = membersOf(error)
    const { attribute, body, claim, claims, expected, now, status } = membersOf(cause)
    if (isJsonObject(claims)) {
      return refuse(
        typeof claim === "string"
          ? claimFault(claim, expected, claims[claim], Number(now))
          : claimForm(claims, claimNamed(message))
      )
    }
    switch (code) {
      case "OAUTH_RESPONSE_BODY_ERROR":
        return errorFault(what, reported, redirectUri)
      case "OAUTH_RESPONSE_IS_NOT_CONFORM":
        return status === 401 ? errorFault(what, "invalid_client", redirectUri) : statusFault(what, Number(status))
      case "OAUTH_UNSUPPORTED_OPERATION":
        return invalidResponse(
          `the answer of the ${what} needs something that is not supported: expected the token_type bearer, or DPoP with the option dpop`
        )
    }
    return attribute === "sub" ? otherPerson() : memberFault(what, message, body)
  }
