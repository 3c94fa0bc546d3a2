/**
 * What can go wrong between this server and a provider, before it is known which action it spoils.
 *
 * The parts of the OAuth client fail with this one type; `OAuthClient.ts` turns it into the failure of the action that was
 * running. Details are sentences of this library: no value that a provider or a browser sent ever stands in one.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import { showAddress } from "../internal/Mismatch.ts"
import type { FailureCode } from "../Errors.ts"
import type { ResponsibleParty } from "../internal/FailureFacts.ts"

/** A provider did not do what the protocol asks for. */
export class OAuthFault extends Data.TaggedError("OAuthFault")<{
  readonly code: FailureCode
  readonly detail: string
  readonly retryable: boolean
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

const fault =
  (code: FailureCode, blame?: ResponsibleParty) =>
  (detail: string, cause?: unknown): OAuthFault =>
    new OAuthFault({
      code,
      detail,
      blame,
      retryable: code === "provider_unavailable",
      ...(cause === undefined ? {} : { cause })
    })

/** The provider is down, slow or overloaded: a repeat may succeed. */
export const unavailable = fault("provider_unavailable")

/** The provider refused, or this client is not configured as the provider expects. */
export const providerError = fault("provider_error")

/** The provider's answer does not have the form that its specification demands. */
export const invalidResponse = fault("invalid_response")

/** The browser sent a response that no provider sends, or one of another sign-in. */
export const invalidAnswer = fault("invalid_response", "request")

/** The provider does not know the code that the browser sent, or no longer knows it. */
export const invalidGrant = fault("provider_error", "request")

/** A signed token is not one that this client may accept. */
export const invalidToken = fault("invalid_token")

/** The person did not agree. */
export const accessDenied = fault("access_denied", "person")

/** The person would have to act at the provider, and the request forbade asking them. */
export const loginRequired = fault("login_required", "person")

/** The profile does not name one person. */
export const profileInvalid = fault("profile_invalid")

/** What a function of the application failed with: a fault of this library stays what it is. */
export const applicationFault =
  (what: string, fault = providerError) =>
  (cause: unknown): OAuthFault =>
    OAuthFault.is(cause) ? cause : fault(`${what} failed`, cause)

/** The error codes that RFC 6749, OpenID Connect Core and RFC 8707 register: the only foreign words a detail may repeat. */
const registered: ReadonlySet<string> = new Set([
  "access_denied",
  "account_selection_required",
  "consent_required",
  "interaction_required",
  "invalid_client",
  "invalid_grant",
  "invalid_request",
  "invalid_request_object",
  "invalid_request_uri",
  "invalid_scope",
  "invalid_target",
  "login_required",
  "registration_not_supported",
  "request_not_supported",
  "request_uri_not_supported",
  "server_error",
  "temporarily_unavailable",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_response_type"
])

/** GitHub and Google say so in a code of their own. */
export const unregistered = (redirectUri: string): string =>
  `the provider does not know the redirect URI (redirect_uri_mismatch): register ${showAddress(redirectUri)} there`

/** An error code as it may stand in a detail. */
export const nameOf = (error: unknown): string =>
  typeof error === "string" && registered.has(error) ? error : "an unregistered error"
