/**
 * What an endpoint answers to a client that authenticates itself: what was asked for, or an error (RFC 6749 section 5.2, RFC 9126
 * section 2.3). `oauth4webapi` processes both.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isJsonObject, type JsonObject } from "../internal/JsonText.ts"
import { showAddress } from "../internal/Mismatch.ts"
import { invalidGrant, nameOf, type OAuthFault, providerError, unavailable, unregistered } from "./Fault.ts"
import { processFault } from "./Library.ts"
import { type Incoming, readJson, statusFault } from "./Transport.ts"

/** Reads an answer for `ParsedResponse`. An error in an answer of the status `success` is an error. */
export const readAnswer = Effect.fnUntraced(function* (what: string, incoming: Incoming, success: 200 | 201) {
  const { status } = incoming
  // Two statuses of this class say that a repeat may succeed: a timeout, and too many requests.
  const isRefusal = status >= 400 && status <= 499 && status !== 408 && status !== 429
  if (status !== success && !isRefusal) return yield* statusFault(what, status)
  const body: JsonObject = yield* isRefusal
    ? Effect.orElseSucceed(readJson(what, incoming), () => ({}))
    : readJson(what, incoming)
  const { error } = body
  return { body, status: typeof error === "string" && error !== "" && !isRefusal ? 400 : status }
})

/** The platform does not accept the client: RFC 6749 section 5.2, and GitHub's name for it. */
const clientErrors: ReadonlySet<string> = new Set([
  "invalid_client",
  "unauthorized_client",
  "incorrect_client_credentials"
])

/** RFC 6749 section 5.2, and GitHub's name for it. */
const grantErrors: ReadonlySet<string> = new Set(["invalid_grant", "bad_verification_code"])

/** The fault behind an error response. What was sent as redirect URI helps to find the registered one. */
const errorFault = (what: string, error: string, redirectUri: string): OAuthFault =>
  clientErrors.has(error)
    ? providerError(`the ${what} does not accept this client (${error}); check the client id and secret`)
    : grantErrors.has(error)
      ? invalidGrant(
          `the ${what} refuses the code (${error}): it is forged, used, too old, or for another redirect URI than ${showAddress(redirectUri)}`
        )
      : error === "redirect_uri_mismatch"
        ? providerError(unregistered(redirectUri))
        : error === "temporarily_unavailable"
          ? unavailable(`the ${what} is overloaded (temporarily_unavailable)`)
          : providerError(`the ${what} reports ${nameOf(error)}`)

/** The fault behind what `oauth4webapi` says of an answer. */
export const answerFault =
  (what: string, status: number, redirectUri: string) =>
  (error: unknown): OAuthFault => {
    const { code, error: name }: Readonly<Record<string, unknown>> = isJsonObject(error) ? error : {}
    if (code === "OAUTH_RESPONSE_BODY_ERROR") return errorFault(what, String(name), redirectUri)
    if (code !== "OAUTH_RESPONSE_IS_NOT_CONFORM") return processFault(what)(error)
    return status === 401 ? errorFault(what, "invalid_client", redirectUri) : statusFault(what, status)
  }
