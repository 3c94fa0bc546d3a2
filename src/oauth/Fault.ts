/**
 * Faults between this server and a provider, before the failing action is known.
 *
 * The parts of the OAuth client fail with this one type; `OAuthClient.ts` turns it into the failure of the action that was
 * running. The errors of `oauth4webapi` and `jose` may hold whole answers and tokens as their causes: a fault has no such cause. Details are sentences of this library. They say what was expected and what came: addresses, names and kinds, as
 * `Mismatch.ts` shows them, and no other value that a provider or a browser sent. `fix` says what to change.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type { FailureCode } from "../Errors.ts"
import type { ResponsibleParty } from "../internal/FailureFacts.ts"
import { isJsonObject, type JsonObject } from "../internal/JsonText.ts"
import { addresses, clocks, describe, kinds, names, showAddress } from "../internal/Mismatch.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"

/** A provider did not do what the protocol asks for. */
export class OAuthFault extends Data.TaggedError("OAuthFault")<{
  readonly code: FailureCode
  readonly detail: string
  readonly retryable: boolean
  /** The operator's fix, where it is more specific than the fix of the failure. */
  readonly fix?: string | undefined
  /** The answer is about another person than the sign-in. */
  readonly isOtherPerson?: boolean | undefined
  /** The responsible party, where it is not the provider. */
  readonly blame?: ResponsibleParty | undefined
  readonly cause?: unknown
}> {
  readonly #own = true

  /** Asks a question that nothing which was thrown can answer by itself, as a proxy answers `instanceof`. */
  static readonly is = (value: unknown): value is OAuthFault =>
    typeof value === "object" && value !== null && #own in value && value.#own

  override get message(): string {
    return this.detail
  }
}

/** The fix, where it differs from the usual one, and the cause of the fault. */
interface Circumstances {
  readonly fix?: string
  readonly cause?: unknown
}

const fault =
  (code: FailureCode, usualFix?: string, blame?: ResponsibleParty) =>
  (detail: string, { cause, fix = usualFix }: Circumstances = {}): OAuthFault =>
    new OAuthFault({
      code,
      detail,
      blame,
      fix,
      retryable: code === "provider_unavailable",
      ...(cause === undefined ? {} : { cause })
    })

/** The provider is down, slow or overloaded: a repeat may succeed. */
export const unavailable = fault(
  "provider_unavailable",
  "Try again. If it persists, check that this server reaches the issuer and the endpoints of the provider object."
)

/** The provider refused, or this client is not configured as the provider expects. */
export const providerError = fault(
  "provider_error",
  "Compare the provider object with the registration of this application at the provider."
)

/** The provider's answer does not have the form that its specification demands. */
export const invalidResponse = fault(
  "invalid_response",
  "Check issuer and endpoints of the provider object. For a provider that differs from its specification, set token.conform or userinfo.request."
)

/** The userinfo response is about another person than the ID token (OpenID Connect Core section 5.3.2). */
export const otherPerson = (): OAuthFault =>
  new OAuthFault({
    code: "invalid_response",
    detail: "the userinfo response is about another person than the ID token: expected its sub, got another",
    fix: "Check that the userinfo endpoint belongs to the issuer of the provider object.",
    retryable: false,
    isOtherPerson: true
  })

/** The browser sent a response that no provider sends, or one of another sign-in. */
export const invalidAnswer = fault(
  "invalid_response",
  "Start the sign-in again from the site. If it persists, check issuer and authorization of the provider object.",
  "request"
)

/** A signed token is not one that this client may accept. */
export const invalidToken = fault(
  "invalid_token",
  "Compare issuer, clientId and client of the provider object with the registration at the provider, and the clocks of both."
)

/** The profile does not name one person. */
export const profileInvalid = fault("profile_invalid")

/** The failure of an application's function: a fault of this library stays unchanged. */
export const applicationFault =
  (what: string, fault = providerError) =>
  (cause: unknown): OAuthFault =>
    OAuthFault.is(cause) ? cause : fault(`${what} failed`, { fix: `Look at the cause, and correct ${what}.`, cause })

/** The fault of an endpoint that answered with a redirect. */
export const redirected = (what: string): OAuthFault =>
  invalidResponse(`the ${what} answered with a redirect, which is not followed: expected the answer itself`, {
    fix: "Write the address that it redirects to into the provider object."
  })

/** The fault behind a status other than the expected one. */
export const statusFault = (what: string, status: number, expected = 200): OAuthFault =>
  status >= 300 && status < 400
    ? redirected(what)
    : (status >= 500 || status === 429 || status === 408 ? unavailable : invalidResponse)(
        `the ${what} answered with status ${status}: expected ${expected}`
      )

/** Codes that RFC 6749, OpenID Connect Core, RFC 8707 and RFC 7009 register beside those of the table below. */
const registered: ReadonlySet<string> = new Set(
  `invalid_request invalid_request_object invalid_request_uri invalid_scope invalid_target registration_not_supported
  request_not_supported request_uri_not_supported server_error unsupported_grant_type unsupported_response_type
  unsupported_token_type`.split(/\s+/)
)

/**
 * The fault behind the error code of an authorization response or of an endpoint: `what` reports it. The provider's own words are
 * not repeated, registered codes aside; what was sent as redirect URI helps to find the registered one.
 */
export const errorFault = (what: string, error: unknown, redirectUri: string): OAuthFault => {
  switch (error) {
    case "access_denied":
    case "user_cancelled_authorize":
    case "user_cancelled_login":
      return fault(
        "access_denied",
        "Let the person sign in again and agree, or ask for fewer scopes.",
        "person"
      )("the person or the provider refused (access_denied)")
    case "login_required":
    case "interaction_required":
    case "consent_required":
    case "account_selection_required":
      return fault(
        "login_required",
        "Begin the sign-in without prompt=none.",
        "person"
      )(`the provider would have to ask the person (${error})`)
    case "temporarily_unavailable":
      return unavailable(`the ${what} is overloaded (temporarily_unavailable)`)
    case "invalid_client":
    case "unauthorized_client":
    // GitHub's name for it.
    case "incorrect_client_credentials":
      return providerError(`the ${what} does not accept this client (${error}); check the client id and secret`, {
        fix: "Set clientId, clientSecret and client.token_endpoint_auth_method as they are registered at the provider."
      })
    case "invalid_grant":
    // GitHub's name for it.
    case "bad_verification_code":
      return fault(
        "provider_error",
        "Start the sign-in again. If it persists, register the redirect URI of the message at the provider.",
        "request"
      )(
        `the ${what} refuses the code (${error}): it is forged, used, too old, or for another redirect URI than ${showAddress(redirectUri)}`
      )
    // GitHub and Google say so in a code of their own.
    case "redirect_uri_mismatch":
      return providerError(
        `the provider does not know the redirect URI (redirect_uri_mismatch): register ${showAddress(redirectUri)} there`,
        { fix: "Register the redirect URI of the message at the provider." }
      )
    default:
      return providerError(
        typeof error === "string" && registered.has(error)
          ? `the ${what} reports ${error}`
          : `the ${what} reports an unregistered error: expected a code of RFC 6749, got ${describe(error)}`
      )
  }
}

/** The members of a provider action's failure for a fault. */
export const failureFields = (
  provider: RedirectProvider,
  { blame, cause, code, detail, fix, retryable }: OAuthFault
) => ({
  detail: `${provider.id}: ${detail}`,
  code,
  provider: provider.id,
  retryable,
  ...(blame === undefined ? {} : { blame }),
  ...(fix === undefined ? {} : { fix }),
  ...(cause === undefined ? {} : { cause })
})

const membersOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** The mistake of a claim that one of the libraries compared. */
const claimFault = (claim: unknown, expected: unknown, actual: unknown, now: unknown): string => {
  switch (claim) {
    case "iss":
      return `comes from another issuer${addresses(expected, actual)}`
    case "aud":
    case "azp":
      return `is for another client${names(expected, actual)}`
    case "nonce":
      return `is not for this sign-in (nonce): expected the one that was sent, got ${actual === undefined ? "none" : "another"}`
    case "exp":
      return `has expired${clocks(actual, Number(now))}`
    case "nbf":
      return `is not valid yet${clocks(actual, Number(now))}`
    default:
      return `stems from a sign-in too long ago${clocks(actual, Number(now))}`
  }
}

/** The fault behind an error of jose about a token at a time in seconds. `expected` are the claims that it compared. */
export const tokenFault =
  (what: string, now: number, expected: JsonObject = {}) =>
  (error: unknown): OAuthFault => {
    if (OAuthFault.is(error)) return error
    const { claim, code, payload } = membersOf(error)
    const name = String(claim)
    const actual = membersOf(payload)[name]
    const isCompared = code === "ERR_JWT_EXPIRED" || Object.hasOwn(expected, name)
    const reason = isCompared
      ? claimFault(claim, expected[name], actual, now)
      : code === "ERR_JWT_CLAIM_VALIDATION_FAILED"
        ? `has a time that is malformed, or not reached yet (${name})${clocks(actual, now)}`
        : code === "ERR_JWKS_NO_MATCHING_KEY"
          ? "is signed with a key that the provider does not publish: expected one at its jwks_uri, got another"
          : code === "ERR_JOSE_ALG_NOT_ALLOWED"
            ? "is signed with an algorithm that was not agreed"
            : "has a signature that is not good: expected one by a key of the provider, got one that does not verify"
    return invalidToken(`the ${what} ${reason}`)
  }

const times: ReadonlySet<string> = new Set(["auth_time", "exp", "iat", "nbf"])

/** The mistake of a claim with another form. The messages of `oauth4webapi` are constants, and name it. */
const claimForm = (claims: JsonObject, message: unknown): string => {
  const name = /"([a-z_]{1,32})"/.exec(String(message))?.[1] ?? "a claim"
  return `is malformed: ${name}${kinds(times.has(name) ? "seconds since 1970" : "text", claims[name])}`
}

/** The fault of an answer of which a member has another form. */
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
        typeof claim === "string" ? claimFault(claim, expected, claims[claim], now) : claimForm(claims, message)
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
