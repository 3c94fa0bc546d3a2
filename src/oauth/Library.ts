/**
 * The way to `oauth4webapi` and `jose`, which are loaded when they are first needed. What they throw becomes a fault.
 *
 * Their errors may hold whole answers and tokens as their causes. A fault repeats none of it, and has no such cause.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Client } from "oauth4webapi"
import { isJsonObject, type JsonObject } from "../internal/JsonText.ts"
import { addresses, names } from "../internal/Mismatch.ts"
import { invalidResponse, invalidToken, type OAuthFault } from "./Fault.ts"

/** The loaded libraries. */
export type Library = typeof import("./Protocol.ts")

export const library = Effect.runSync(Effect.cached(Effect.promise(() => import("./Protocol.ts"))))

/** Calls the libraries; what they throw becomes a fault. */
export const call = <A>(
  use: (library: Library) => A | PromiseLike<A>,
  onError: (error: unknown) => OAuthFault
): Effect.Effect<A, OAuthFault> =>
  Effect.flatMap(library, (loaded) => Effect.tryPromise({ try: () => Promise.resolve(use(loaded)), catch: onError }))

/** The clock that `oauth4webapi` reads. */
const computer = Context.get(Context.empty(), Clock.Clock)

/** The current time of the program, in seconds since 1970. */
export const currentSeconds: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (now) =>
  Math.floor(now / 1000)
)

/**
 * The client whose answers `oauth4webapi` processes at the time `now` of the program's clock. It allows a second more than
 * `jose`, which compares the same times exactly: the clock of the computer goes on in between.
 */
export const clientAt = (library: Library, now: number, client: Client): Client => ({
  ...client,
  [library.clockSkew]: now - Math.floor(computer.currentTimeMillisUnsafe() / 1000),
  [library.clockTolerance]: 61
})

/**
 * An answer that was read to its end and parsed. The libraries take its value: nothing is written as text to be parsed again.
 * As in JSON, a member without a value is none.
 */
export class ParsedResponse extends Response {
  readonly #value: JsonObject

  constructor(value: JsonObject, status = 200) {
    super(null, status === 200 ? undefined : { status, headers: { "content-type": "application/json" } })
    this.#value = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
  }

  override readonly json = (): Promise<JsonObject> => Promise.resolve(this.#value)

  override readonly clone = (): this => this
}

/** What is wrong with a token, by the code of an error of jose. */
const wrongTokens: ReadonlyMap<unknown, string> = new Map([
  ["ERR_JWKS_NO_MATCHING_KEY", "is signed with a key that the provider does not publish"],
  ["ERR_JOSE_ALG_NOT_ALLOWED", "is signed with an algorithm that was not agreed"],
  ["ERR_JWT_EXPIRED", "has expired"],
  ["ERR_JWT_CLAIM_VALIDATION_FAILED", "has a time that is malformed, or not reached yet; compare the clocks"]
])

/** The fault behind an error of jose about a token. */
export const tokenFault =
  (what: string) =>
  (error: unknown): OAuthFault =>
    invalidToken(
      `the ${what} ${wrongTokens.get(isJsonObject(error) ? error["code"] : undefined) ?? "has a signature that is not good"}`
    )

/** What is wrong with a claim that `oauth4webapi` compared. */
const claimFault = (claim: unknown, expected: unknown, actual: unknown): string => {
  switch (claim) {
    case "iss":
      return `comes from another issuer${addresses(expected, actual)}`
    case "aud":
    case "azp":
      return `is for another client${names(expected, actual)}`
    case "nonce":
      return "is not for this sign-in (nonce)"
    case "exp":
      return "has expired"
    case "nbf":
      return "is not valid yet; compare the clocks"
    default:
      return "stems from a sign-in too long ago"
  }
}

/** The claim that a message of `oauth4webapi` names. Its messages are constants. */
const claimNamed = (message: unknown): string => /"([a-z_]{1,32})"/.exec(String(message))?.[1] ?? "a claim"

const idTokenFault = (reason: string): OAuthFault => invalidToken(`the ID token ${reason}`)

/** The fault behind an error of `oauth4webapi` about an answer of `what`, or, by `refuse`, about the claims of a token in it. */
export const processFault =
  (what: string, refuse = idTokenFault) =>
  (error: unknown): OAuthFault => {
    const { cause, code, message }: Readonly<Record<string, unknown>> = isJsonObject(error) ? error : {}
    const { attribute, body, claim, claims, expected }: Readonly<Record<string, unknown>> = isJsonObject(cause)
      ? cause
      : {}
    if (isJsonObject(claims)) {
      return refuse(
        typeof claim === "string" ? claimFault(claim, expected, claims[claim]) : `is malformed: ${claimNamed(message)}`
      )
    }
    if (attribute === "issuer" && isJsonObject(body)) return otherIssuer(what, expected, body["issuer"])
    return invalidResponse(`the answer of the ${what} ${answers.get(attribute ?? code) ?? "is malformed"}`)
  }

/** The fault of a document that speaks for another issuer. */
export const otherIssuer = (what: string, expected: unknown, actual: unknown): OAuthFault =>
  invalidResponse(`the issuer in the ${what} is not the configured one${addresses(expected, actual)}`)

/** What is wrong with an answer, by the code of an error of `oauth4webapi`, or by the member that differs. */
const answers: ReadonlyMap<unknown, string> = new Map([
  ["OAUTH_UNSUPPORTED_OPERATION", "needs something that is not supported"],
  ["sub", "is about another person than the ID token"]
])
