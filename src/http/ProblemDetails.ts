/**
 * Failures as problem details (RFC 9457), for clients that ask for JSON.
 *
 * A client gets the same facts as a browser, and a sentence with the fix. Of failures that the operator is responsible for it
 * learns only that there is one; the log has the details under the request id.
 *
 * @since 0.1.0
 */
import type { AuthError } from "../Errors.ts"

/** A problem as JSON. */
export interface Problem {
  /** `urn:effect-doorman:` and the tag of the failure; `Configuration` for what only the operator may know. */
  readonly type: string
  readonly title: string
  readonly status: number
  /** The public name of the failure, as in `?error=`. */
  readonly code: string
  /** The cause, from the closed list of `FailureCode`, or of the application's own making. */
  readonly reason?: string
  /** What to do about it. */
  readonly remedy: string
  /** This occurrence, under the name that the log has for it. */
  readonly instance: string
}

/** May the client know what failed? */
const isShown = (failure: AuthError): boolean =>
  failure.isClientSafe || (failure.blame === "request" && failure._tag !== "JwtSessionError")

const titles: Readonly<Record<string, string>> = {
  AccessDenied: "Access denied",
  AccountNotLinked: "The account is not linked",
  CredentialsSignin: "The credentials were not accepted",
  EmailSignInError: "The email could not be sent right now",
  InvalidCallbackUrl: "The callback URL is not allowed",
  InvalidCheck: "The sign-in attempt was not recognised",
  InvalidEmail: "This is no email address",
  InvalidProvider: "There is no such provider",
  MalformedRequest: "The request is malformed",
  MethodNotAllowed: "The method is not allowed",
  MissingCsrf: "The CSRF token is missing or wrong",
  OAuthAccountNotLinked: "The account is not linked",
  OAuthCallbackError: "The provider did not sign the person in",
  OAuthProfileParseError: "The provider did not sign the person in",
  OAuthSignInError: "The sign-in could not be started",
  PayloadTooLarge: "The body is too large",
  RequestTimeout: "The body came too slowly",
  TooManyAttempts: "There were too many attempts",
  UnknownAction: "There is no such action",
  UnprovenAddress: "A user holds the address without proof",
  UnsupportedMediaType: "The media type is not supported",
  Verification: "The link is not valid",
  WebAuthnVerificationError: "The key could not be verified"
}

/** The problem that a failure is. */
export const problemOf = (failure: AuthError, requestId: string): Problem => {
  const instance = `urn:effect-doorman:request:${requestId}`
  const { _tag: tag, code, kind, remedy, status, type } = failure
  if (!isShown(failure)) {
    return {
      type: "urn:effect-doorman:Configuration",
      title: "There is a problem with the server",
      status,
      code: "Configuration",
      remedy: "Try again later; the operator finds the reason in the log.",
      instance
    }
  }
  const reason = failure.isClientSafe && kind === "signIn" ? code : undefined
  return {
    type: `urn:effect-doorman:${tag}`,
    title: titles[tag] ?? "The request was refused",
    status,
    code: type,
    ...(reason === undefined ? {} : { reason }),
    remedy,
    instance
  }
}

/**
 * Headers that a failure calls for: RFC 9110 sections 10.2.3, 15.5.2, 15.5.6 and 15.5.16, and the fields of
 * draft-ietf-httpapi-ratelimit-headers-10.
 */
export const headersOf = (failure: AuthError): Readonly<Record<string, string>> => {
  if (failure._tag === "MethodNotAllowed" && failure.allow !== undefined) return { allow: failure.allow }
  if (failure._tag === "UnsupportedMediaType" && failure.acceptEncoding !== undefined) {
    return { "accept-encoding": failure.acceptEncoding }
  }
  if (failure._tag === "TooManyAttempts" && failure.budget !== undefined) {
    const { limit, name, retryAfter, seconds } = failure.budget
    return {
      "retry-after": `${retryAfter}`,
      "ratelimit-policy": `"${name}";q=${limit};w=${seconds}`,
      ratelimit: `"${name}";r=0;t=${retryAfter}`
    }
  }
  // A form is no scheme of RFC 9110; this name makes no browser ask for a password of its own.
  return failure.status === 401 ? { "www-authenticate": 'Cookie realm="effect-doorman"' } : {}
}
