/**
 * The error classes of Auth.js, for applications that throw them and framework packages that ask for them.
 *
 * An `instanceof` of these classes goes by shape (`type` and `kind`), so that failures of this library, and errors of another
 * copy of it or of Auth.js, are instances too; a subclass of the application's own goes by its prototype, as every class
 * does. Programs with Effect take the tagged failures of `Errors.ts` instead, of which those in `authorize` and in callbacks
 * are made when one of these is thrown there.
 *
 * @since 0.1.0
 */
import { textOf } from "../internal/ThrownValue.ts"

/** The name of a failure, as in `?error=`. */
type ErrorType =
  | "AuthError"
  | "AccessDenied"
  | "AccountNotLinked"
  | "AdapterError"
  | "CallbackRouteError"
  | "CredentialsSignin"
  | "DuplicateConditionalUI"
  | "EmailSignInError"
  | "ErrorPageLoop"
  | "EventError"
  | "ExperimentalFeatureNotEnabled"
  | "InvalidCallbackUrl"
  | "InvalidCheck"
  | "InvalidEndpoints"
  | "InvalidProvider"
  | "JWTSessionError"
  | "MissingAdapter"
  | "MissingAdapterMethods"
  | "MissingAuthorize"
  | "MissingCSRF"
  | "MissingSecret"
  | "MissingWebAuthnAutocomplete"
  | "OAuthAccountNotLinked"
  | "OAuthCallbackError"
  | "OAuthProfileParseError"
  | "OAuthSignInError"
  | "SessionTokenError"
  | "SignOutError"
  | "UnknownAction"
  | "UnsupportedStrategy"
  | "UntrustedHost"
  | "Verification"
  | "WebAuthnVerificationError"
  | (string & {})

/** The cause of an error. */
type ErrorCause = Record<string, unknown> & { err?: Error }

/** Names of failures that have another in a URL. */
const otherNames: Readonly<Record<string, string>> = {
  EmailSignin: "EmailSignInError",
  OAuthSignin: "OAuthSignInError"
}

const isNamed = (value: object, type: string): boolean => {
  const typeName = textOf(value, "type") ?? ""
  // The failures of this library have a name of their own beside the one that browsers see.
  return (
    typeName === type || otherNames[typeName] === type || textOf(value, "_tag")?.toLowerCase() === type.toLowerCase()
  )
}

/** The name that a class or one above it was given. */
const typeOf = (constructor: object): string => textOf(constructor, "type") ?? "AuthError"

/** The classes of this file: their instances are recognized by shape. */
const authErrors = new WeakSet<object>()

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !(value instanceof Error)

/** Whatever is given beside the message is kept: an error as `err`, with what was known of its own cause. */
const causeOf = (first: unknown, second: unknown): unknown => {
  const [error, options] =
    first instanceof Error ? [first, second] : isPlain(first) ? [undefined, first] : [undefined, second]
  if (error !== undefined) {
    return {
      err: error,
      ...(isPlain(error.cause) ? error.cause : undefined),
      ...(isPlain(options) ? options : undefined)
    }
  }
  if (options instanceof Error) return { err: options, ...(isPlain(options.cause) ? options.cause : undefined) }
  if (!isPlain(options)) return undefined
  const { cause, ...rest } = options
  if (Object.keys(rest).length === 0) return cause
  return isPlain(cause) ? { ...rest, ...cause } : cause === undefined ? rest : { ...rest, err: cause }
}

/**
 * The base of all errors of Auth.js. It takes a message, the error that it stands for, or neither, and what is to be known
 * of it.
 *
 * @category errors
 * @since 0.1.0
 */
export class AuthError extends Error {
  /** The name of the failure, as in `?error=`. */
  type: ErrorType
  /** `signIn` errors are answered by the sign-in page, others by the error page. */
  kind: "signIn" | "error"
  declare cause?: ErrorCause
  constructor(message?: string | Error | Record<string, unknown>, options?: Error | Record<string, unknown>) {
    const type = typeOf(new.target)
    super(typeof message === "string" && message !== "" ? message : `See docs/errors.md#${type.toLowerCase()}`)
    this.name = new.target.name
    this.type = type
    this.kind = textOf(new.target, "kind") === "signIn" ? "signIn" : "error"
    const cause = causeOf(message, options)
    if (cause !== undefined) Object.defineProperty(this, "cause", { value: cause, configurable: true, writable: true })
  }

  /** Is this such an error, of this copy of the library or of another? */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, value)) return true
    if (!authErrors.has(this) || !(value instanceof Error)) return false
    const kind = textOf(value, "kind")
    if (textOf(value, "type") === undefined || (kind !== "signIn" && kind !== "error")) return false
    if (Object.hasOwn(this, "type")) return isNamed(value, typeOf(this))
    return textOf(this, "kind") === undefined || kind === "signIn"
  }
}

/**
 * Errors that the sign-in page answers.
 *
 * @category errors
 * @since 0.1.0
 */
export class SignInError extends AuthError {
  /** @internal */
  static kind = "signIn"
}

/**
 * `authorize` did not recognise the credentials. A subclass may have a `code` of its own, which the sign-in page then finds
 * in its address.
 *
 * @category errors
 * @since 0.1.0
 */
export class CredentialsSignin extends SignInError {
  static type = "CredentialsSignin"
  /** Which of the causes a refused sign-in had; it is public. */
  code: string = "credentials"
}

/** An adapter method failed. @category errors @since 0.1.0 */
export class AdapterError extends AuthError {
  static type = "AdapterError"
}
/** The sign-in was refused by the application's `signIn` callback. @category errors @since 0.1.0 */
export class AccessDenied extends AuthError {
  static type = "AccessDenied"
}
/** Application code that runs inside a callback action failed. @category errors @since 0.1.0 */
export class CallbackRouteError extends AuthError {
  static type = "CallbackRouteError"
}
/** The custom error page leads back to itself. @category errors @since 0.1.0 */
export class ErrorPageLoop extends AuthError {
  static type = "ErrorPageLoop"
}
/** An event handler failed; the request went on. @category errors @since 0.1.0 */
export class EventError extends AuthError {
  static type = "EventError"
}
/** A callback URL was not one of this site. @category errors @since 0.1.0 */
export class InvalidCallbackUrl extends AuthError {
  static type = "InvalidCallbackUrl"
}
/** A provider lacks the endpoints it needs. @category errors @since 0.1.0 */
export class InvalidEndpoints extends AuthError {
  static type = "InvalidEndpoints"
}
/** The answer of a provider does not belong to a sign-in that this browser started. @category errors @since 0.1.0 */
export class InvalidCheck extends AuthError {
  static type = "InvalidCheck"
}
/** The session token could not be used. @category errors @since 0.1.0 */
export class JWTSessionError extends AuthError {
  static type = "JWTSessionError"
}
/** A configured feature needs storage and there is none. @category errors @since 0.1.0 */
export class MissingAdapter extends AuthError {
  static type = "MissingAdapter"
}
/** The adapter lacks methods that a configured feature needs. @category errors @since 0.1.0 */
export class MissingAdapterMethods extends AuthError {
  static type = "MissingAdapterMethods"
}
/** A credentials provider has no `authorize`. @category errors @since 0.1.0 */
export class MissingAuthorize extends AuthError {
  static type = "MissingAuthorize"
}
/** No secret is configured. @category errors @since 0.1.0 */
export class MissingSecret extends AuthError {
  static type = "MissingSecret"
}
/** The account belongs to another user, or its email address does. @category errors @since 0.1.0 */
export class OAuthAccountNotLinked extends SignInError {
  static type = "OAuthAccountNotLinked"
}
/** The provider's answer did not lead to a sign-in. @category errors @since 0.1.0 */
export class OAuthCallbackError extends SignInError {
  static type = "OAuthCallbackError"
}
/** The provider's profile could not be turned into a user. @category errors @since 0.1.0 */
export class OAuthProfileParseError extends AuthError {
  static type = "OAuthProfileParseError"
}
/** The session could not be read or written. @category errors @since 0.1.0 */
export class SessionTokenError extends AuthError {
  static type = "SessionTokenError"
}
/** The sign-in at a provider could not be started. @category errors @since 0.1.0 */
export class OAuthSignInError extends SignInError {
  static type = "OAuthSignInError"
}
/** The email with the link could not be sent. @category errors @since 0.1.0 */
export class EmailSignInError extends SignInError {
  static type = "EmailSignInError"
}
/** Part of a sign-out failed. @category errors @since 0.1.0 */
export class SignOutError extends AuthError {
  static type = "SignOutError"
}
/** There is no such action. @category errors @since 0.1.0 */
export class UnknownAction extends AuthError {
  static type = "UnknownAction"
}
/** The session strategy does not fit the rest of the configuration. @category errors @since 0.1.0 */
export class UnsupportedStrategy extends AuthError {
  static type = "UnsupportedStrategy"
}
/** There is no provider of that id for this action. @category errors @since 0.1.0 */
export class InvalidProvider extends AuthError {
  static type = "InvalidProvider"
}
/** The host of the request is not trusted. @category errors @since 0.1.0 */
export class UntrustedHost extends AuthError {
  static type = "UntrustedHost"
}
/** A link from an email was wrong, used or expired. @category errors @since 0.1.0 */
export class Verification extends AuthError {
  static type = "Verification"
}
/** The CSRF token was absent or did not match. @category errors @since 0.1.0 */
export class MissingCSRF extends SignInError {
  static type = "MissingCSRF"
}
/** Two WebAuthn providers want to fill in the same form. @category errors @since 0.1.0 */
export class DuplicateConditionalUI extends AuthError {
  static type = "DuplicateConditionalUI"
}
/** Conditional UI has no form field to show itself in. @category errors @since 0.1.0 */
export class MissingWebAuthnAutocomplete extends AuthError {
  static type = "MissingWebAuthnAutocomplete"
}
/** The answer of an authenticator is not valid. @category errors @since 0.1.0 */
export class WebAuthnVerificationError extends AuthError {
  static type = "WebAuthnVerificationError"
}
/** The key belongs to another user, or the email address does. @category errors @since 0.1.0 */
export class AccountNotLinked extends SignInError {
  static type = "AccountNotLinked"
}
/** The configuration asks for a feature that must be enabled first. @category errors @since 0.1.0 */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static type = "ExperimentalFeatureNotEnabled"
}

for (const constructor of [
  AuthError,
  SignInError,
  AccessDenied,
  AccountNotLinked,
  AdapterError,
  CallbackRouteError,
  CredentialsSignin,
  DuplicateConditionalUI,
  EmailSignInError,
  ErrorPageLoop,
  EventError,
  ExperimentalFeatureNotEnabled,
  InvalidCallbackUrl,
  InvalidCheck,
  InvalidEndpoints,
  InvalidProvider,
  JWTSessionError,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingCSRF,
  MissingSecret,
  MissingWebAuthnAutocomplete,
  OAuthAccountNotLinked,
  OAuthCallbackError,
  OAuthProfileParseError,
  OAuthSignInError,
  SessionTokenError,
  SignOutError,
  UnknownAction,
  UnsupportedStrategy,
  UntrustedHost,
  Verification,
  WebAuthnVerificationError
])
  authErrors.add(constructor)

/** Types that browsers may know. */
const clientErrors: ReadonlySet<string> = new Set([
  "AccessDenied",
  "AccountNotLinked",
  "CredentialsSignin",
  "MissingCSRF",
  "OAuthAccountNotLinked",
  "OAuthCallbackError",
  "Verification",
  "WebAuthnVerificationError"
])

/**
 * May a browser know which error this is?
 *
 * @category guards
 * @since 0.1.0
 */
export const isClientError = (error: unknown): error is AuthError =>
  error instanceof AuthError && clientErrors.has(error.type)
