/**
 * Every failure of the library, as tagged errors.
 *
 * A failure carries facts, not prose: its public `type` (the value a browser may see in `?error=`), its `kind` (which page
 * answers it), an HTTP status for programs, and a remedy for the person who operates the server. The facts of all types
 * stand in one table below, so that adding a failure is one row and one class. No field ever holds a secret, a token, a
 * cookie or a request body: `detail` is text written by this library or by a function of the application, `code` comes from a closed list.
 *
 * What a failure turns into on the wire is decided in `Action.ts` and nowhere else.
 *
 * @since 0.1.0
 */
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import { facts, type FailureTag, type ResponsibleParty } from "./internal/FailureFacts.ts"
import { isError, textOf } from "./internal/Peek.ts"

export type { ResponsibleParty } from "./internal/FailureFacts.ts"

/**
 * Which of the causes a failed sign-in attempt had; the only values that ever follow `code=` in a URL.
 *
 * @category models
 * @since 0.1.0
 */
export type FailureCode =
  | "flow_missing"
  | "flow_mismatch"
  | "flow_expired"
  | "flow_other_host"
  | "flow_used"
  | "flow_unknown_key"
  | "access_denied"
  | "login_required"
  | "provider_unavailable"
  | "provider_error"
  | "invalid_response"
  | "invalid_token"
  | "profile_invalid"
  | "credentials"
  | "throttled"
  | "email_invalid"

/**
 * Why a storage method failed.
 *
 * @category models
 * @since 0.1.0
 */
export type AdapterFault = "unique" | "missing" | "stale" | "unsupported" | "invalid" | "timeout" | "unavailable"

/**
 * What may be said about one occurrence of a failure.
 *
 * @category models
 * @since 0.1.0
 */
export interface FailureFields {
  /** What happened, in words of this library or of a function of the application; never a value of a request. */
  readonly detail?: string
  /** The cause, from the closed list. A custom `CredentialsSignin` may carry a code of the application's own. */
  readonly code?: FailureCode | (string & {})
  /** Id of the provider concerned. */
  readonly provider?: string
  /** What the failing part threw or failed with; for the log only. */
  cause?: unknown
  /** The option that is wrong, as a path such as `cookies.state` or `providers.github` (failures of a configuration). */
  readonly field?: string
  /** A repeat may succeed (a timeout, a provider that is down). */
  readonly retryable?: boolean
  /** The fix for this occurrence, where it is more specific than that of the tag. */
  readonly fix?: string
  /** The environment variable that fills the option `field`. */
  readonly variable?: string
  /** Every problem of the configuration, this one first, where there are several. */
  readonly problems?: ReadonlyArray<Error & FailureFields & { readonly remedy: string }>
  /** The party responsible for this occurrence, where it is not that of the tag. */
  readonly blame?: ResponsibleParty
}

/**
 * What every failure is: an error that programs can yield, with the facts of its tag.
 *
 * @category models
 * @since 0.1.0
 */
export interface Failure<Tag extends string> extends Cause.YieldableError, FailureFields {
  readonly _tag: Tag
  /** The public name, as in `?error=` and in the `type` of Auth.js errors. */
  readonly type: string
  /** `signIn` failures are answered by the sign-in page, others by the error page. */
  readonly kind: "signIn" | "error"
  /** HTTP status for callers that are programs. */
  readonly status: number
  /** May the browser see `type`, or only `Configuration`? */
  readonly isClientSafe: boolean
  /** Whose mistake it is: the person or program that sent the request, the provider, or the operator. */
  readonly blame: ResponsibleParty
  /** What to do about it, one sentence. */
  readonly remedy: string
  /** Where the documentation explains it. */
  readonly docs: string
}

/** Gives one class for each tag the members that come from the table of facts. */
const failure = <const Tag extends FailureTag>(tag: Tag): new (fields: FailureFields) => Failure<Tag> =>
  class extends Data.TaggedError(tag)<Omit<FailureFields, "blame">> {
    constructor({ blame, ...fields }: FailureFields) {
      super(fields)
      if (blame !== undefined) Object.defineProperty(this, "blame", { value: blame, enumerable: true })
    }
    get type() {
      return facts[tag].type
    }
    get kind() {
      return facts[tag].kind
    }
    get status() {
      return facts[tag].status
    }
    get isClientSafe() {
      return facts[tag].exposed
    }
    get blame(): ResponsibleParty {
      return facts[tag].blame
    }
    get remedy(): string {
      return this.fix ?? facts[tag].remedy
    }
    get docs() {
      return `docs/errors.md#${facts[tag].type.toLowerCase()}`
    }
    override get message() {
      return this.detail ?? this.remedy
    }
  }

/** The key belongs to another user, or the e-mail address does. @category errors @since 0.1.0 */
export class AccountNotLinked extends failure("AccountNotLinked") {}
/** Two WebAuthn providers want to fill in the same form. @category errors @since 0.1.0 */
export class DuplicateConditionalUi extends failure("DuplicateConditionalUi") {}
/** The e-mail with the link could not be sent. @category errors @since 0.1.0 */
export class EmailSignInError extends failure("EmailSignInError") {}
/** What was given as an e-mail address is none. @category errors @since 0.1.0 */
export class InvalidEmail extends failure("InvalidEmail") {}
/** The adapter lacks methods that a configured feature needs. @category errors @since 0.1.0 */
export class MissingAdapterMethods extends failure("MissingAdapterMethods") {}
/** Conditional UI has no form field to show itself in. @category errors @since 0.1.0 */
export class MissingWebAuthnAutocomplete extends failure("MissingWebAuthnAutocomplete") {}
/** The answer of an authenticator is not valid. @category errors @since 0.1.0 */
export class WebAuthnVerificationError extends failure("WebAuthnVerificationError") {}
/** The sign-in was refused by the application's `signIn` callback. @category errors @since 0.1.0 */
export class AccessDenied extends failure("AccessDenied") {}
/** A storage method failed. @category errors @since 0.1.0 */
export class AdapterError extends failure("AdapterError") {
  /** The method, such as `createUser`. */
  readonly method: string
  /**
   * `unique`: such a row is there already. `missing`: there is no such row. `stale`: somebody else was faster.
   * `unsupported`: the store has no such method. `invalid`: the store answered what no row can be. `timeout`: it did not
   * answer in time, so nobody knows what became of the call. `unavailable`: everything else.
   */
  readonly reason: AdapterFault
  constructor(fields: FailureFields & { readonly method: string; readonly reason: AdapterFault }) {
    const { method, reason, ...rest } = fields
    super({ retryable: reason === "unavailable" || reason === "timeout", ...rest })
    this.method = method
    this.reason = reason
  }
  /** Is such a row there already? */
  get isUniqueViolation(): boolean {
    return this.reason === "unique"
  }
}
/** Application code that runs inside a callback action failed. @category errors @since 0.1.0 */
export class CallbackRouteError extends failure("CallbackRouteError") {}
/** `authorize` did not recognise the credentials. @category errors @since 0.1.0 */
export class CredentialsSignin extends failure("CredentialsSignin") {}
/** The custom error page leads back to itself. @category errors @since 0.1.0 */
export class ErrorPageLoop extends failure("ErrorPageLoop") {}
/** An event handler failed; the request went on. @category errors @since 0.1.0 */
export class EventError extends failure("EventError") {}
/** A callback URL was not one of this site. @category errors @since 0.1.0 */
export class InvalidCallbackUrl extends failure("InvalidCallbackUrl") {}
/** The answer of a provider does not belong to a sign-in that this browser started. @category errors @since 0.1.0 */
export class InvalidCheck extends failure("InvalidCheck") {}
/** An option has a value that cannot work. @category errors @since 0.1.0 */
export class InvalidConfiguration extends failure("InvalidConfiguration") {}
/** A provider lacks the endpoints it needs. @category errors @since 0.1.0 */
export class InvalidEndpoints extends failure("InvalidEndpoints") {}
/** There is no provider of that id for this action. @category errors @since 0.1.0 */
export class InvalidProvider extends failure("InvalidProvider") {}
/** The session token could not be used. @category errors @since 0.1.0 */
export class JwtSessionError extends failure("JwtSessionError") {}
/** The user would have no way left to sign in by. @category errors @since 0.1.0 */
export class LastWayToSignIn extends failure("LastWayToSignIn") {}
/** The request is not well formed. @category errors @since 0.1.0 */
export class MalformedRequest extends failure("MalformedRequest") {}
/** The action exists but not for that method. @category errors @since 0.1.0 */
export class MethodNotAllowed extends failure("MethodNotAllowed") {
  /** The methods that the path answers, for the `Allow` header (RFC 9110 section 10.2.1). */
  readonly allow: string
  constructor(fields: FailureFields & { readonly allow: string }) {
    const { allow, ...rest } = fields
    super(rest)
    this.allow = allow
  }
}
/** A configured feature needs storage and there is none. @category errors @since 0.1.0 */
export class MissingAdapter extends failure("MissingAdapter") {}
/** A credentials provider has no `authorize`. @category errors @since 0.1.0 */
export class MissingAuthorize extends failure("MissingAuthorize") {}
/** The anti-forgery token was absent or did not match. @category errors @since 0.1.0 */
export class MissingCsrf extends failure("MissingCsrf") {}
/** No secret is configured. @category errors @since 0.1.0 */
export class MissingSecret extends failure("MissingSecret") {}
/** The account belongs to another user, or its e-mail address does. @category errors @since 0.1.0 */
export class OAuthAccountNotLinked extends failure("OAuthAccountNotLinked") {}
/** The provider's answer did not lead to a sign-in. @category errors @since 0.1.0 */
export class OAuthCallbackError extends failure("OAuthCallbackError") {}
/** The provider's profile could not be turned into a user. @category errors @since 0.1.0 */
export class OAuthProfileParseError extends failure("OAuthProfileParseError") {}
/** The sign-in at a provider could not be started. @category errors @since 0.1.0 */
export class OAuthSignInError extends failure("OAuthSignInError") {}
/** The body is larger than the limit. @category errors @since 0.1.0 */
export class PayloadTooLarge extends failure("PayloadTooLarge") {}
/** The body did not arrive in time. @category errors @since 0.1.0 */
export class RequestTimeout extends failure("RequestTimeout") {}
/** A browser sends sessions of different people. @category errors @since 0.1.0 */
export class SessionConflict extends failure("SessionConflict") {}
/** The session could not be read or written. @category errors @since 0.1.0 */
export class SessionTokenError extends failure("SessionTokenError") {}
/** The store of what all processes share is full or down. @category errors @since 0.1.0 */
export class SharedStateError extends failure("SharedStateError") {
  /** `full`: there is no room for another key. `unavailable`: everything else. */
  readonly reason: "full" | "unavailable"
  constructor(fields: FailureFields & { readonly reason: "full" | "unavailable" }) {
    const { reason, ...rest } = fields
    super({ retryable: true, ...rest })
    this.reason = reason
  }
}
/** Part of a sign-out failed; the cookies were cleared all the same. @category errors @since 0.1.0 */
export class SignOutError extends failure("SignOutError") {}
/** There is no such action. @category errors @since 0.1.0 */
export class UnknownAction extends failure("UnknownAction") {}
/** The person proved an address that another user holds without proof. @category errors @since 0.1.0 */
export class UnprovenAddress extends failure("UnprovenAddress") {
  /** Id of the user who holds the address. */
  readonly holder: string
  constructor(fields: FailureFields & { readonly holder: string }) {
    const { holder, ...rest } = fields
    super(rest)
    this.holder = holder
  }
}
/** The body has a content type that this library does not read. @category errors @since 0.1.0 */
export class UnsupportedMediaType extends failure("UnsupportedMediaType") {}
/** The session strategy does not fit the rest of the configuration. @category errors @since 0.1.0 */
export class UnsupportedStrategy extends failure("UnsupportedStrategy") {}
/** The host of the request is not trusted. @category errors @since 0.1.0 */
export class UntrustedHost extends failure("UntrustedHost") {}
/** A link from an e-mail was wrong, used or expired. @category errors @since 0.1.0 */
export class Verification extends failure("Verification") {}
/** A secret is too short or too simple to protect anything. @category errors @since 0.1.0 */
export class WeakSecret extends failure("WeakSecret") {}
/** The configuration asks for a feature that must be enabled first. @category errors @since 0.1.0 */
export class ExperimentalFeatureNotEnabled extends failure("ExperimentalFeatureNotEnabled") {}
/** Something failed that should not be able to; the cause is in the log. @category errors @since 0.1.0 */
export class UnexpectedError extends failure("UnexpectedError") {}

/**
 * Every failure.
 *
 * @category errors
 * @since 0.1.0
 */
export type AuthError =
  | WebAuthnVerificationError
  | MissingWebAuthnAutocomplete
  | MissingAdapterMethods
  | EmailSignInError
  | InvalidEmail
  | DuplicateConditionalUi
  | AccountNotLinked
  | AccessDenied
  | AdapterError
  | CallbackRouteError
  | CredentialsSignin
  | ErrorPageLoop
  | EventError
  | InvalidCallbackUrl
  | InvalidCheck
  | InvalidConfiguration
  | InvalidEndpoints
  | InvalidProvider
  | JwtSessionError
  | LastWayToSignIn
  | MalformedRequest
  | MethodNotAllowed
  | MissingAdapter
  | MissingAuthorize
  | MissingCsrf
  | MissingSecret
  | OAuthAccountNotLinked
  | OAuthCallbackError
  | OAuthProfileParseError
  | OAuthSignInError
  | PayloadTooLarge
  | RequestTimeout
  | SessionConflict
  | SessionTokenError
  | SharedStateError
  | SignOutError
  | UnknownAction
  | UnprovenAddress
  | UnsupportedMediaType
  | UnsupportedStrategy
  | UntrustedHost
  | Verification
  | WeakSecret
  | ExperimentalFeatureNotEnabled
  | UnexpectedError

const classes = {
  WebAuthnVerificationError,
  MissingWebAuthnAutocomplete,
  MissingAdapterMethods,
  EmailSignInError,
  InvalidEmail,
  DuplicateConditionalUi,
  AccountNotLinked,
  AccessDenied,
  AdapterError,
  CallbackRouteError,
  CredentialsSignin,
  ErrorPageLoop,
  EventError,
  InvalidCallbackUrl,
  InvalidCheck,
  InvalidConfiguration,
  InvalidEndpoints,
  InvalidProvider,
  JwtSessionError,
  LastWayToSignIn,
  MalformedRequest,
  MethodNotAllowed,
  MissingAdapter,
  MissingAuthorize,
  MissingCsrf,
  MissingSecret,
  OAuthAccountNotLinked,
  OAuthCallbackError,
  OAuthProfileParseError,
  OAuthSignInError,
  PayloadTooLarge,
  RequestTimeout,
  SessionConflict,
  SessionTokenError,
  SharedStateError,
  SignOutError,
  UnknownAction,
  UnprovenAddress,
  UnsupportedMediaType,
  UnsupportedStrategy,
  UntrustedHost,
  Verification,
  WeakSecret,
  ExperimentalFeatureNotEnabled,
  UnexpectedError
}

/**
 * Type guard for the failures of this library.
 *
 * @category guards
 * @since 0.1.0
 */
export const isAuthError = (value: unknown): value is AuthError => {
  const tag = textOf(value, "_tag")
  return tag !== undefined && Object.hasOwn(classes, tag) && isError(value) && "isClientSafe" in value
}

/**
 * Reads what application code threw: one of these failures as it is, an error of another copy of the library or of Auth.js
 * by its shape (`type`, `kind`, `code`), `undefined` for everything else. Such an error that is nothing for a browser, one
 * of a type of the application's own among them, is a `CallbackRouteError`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const recognise = (thrown: unknown): AuthError | undefined => {
  if (isAuthError(thrown)) return thrown
  const type = textOf(thrown, "type")
  if (type === undefined || !isError(thrown)) return undefined
  const kind = textOf(thrown, "kind")
  const isTyped = kind === "signIn" || kind === "error"
  const Failure = Object.hasOwn(recognised, type) ? recognised[type] : isTyped ? CallbackRouteError : undefined
  const code = textOf(thrown, "code")
  return Failure === undefined ? undefined : new Failure({ ...(code === undefined ? {} : { code }), cause: thrown })
}

/** What application code may throw to decide the answer. */
const recognised: Readonly<Record<string, new (fields: FailureFields) => AuthError>> = {
  AccessDenied,
  AccountNotLinked,
  CallbackRouteError,
  CredentialsSignin,
  EmailSignInError,
  EmailSignin: EmailSignInError,
  InvalidCheck,
  MissingCSRF: MissingCsrf,
  OAuthAccountNotLinked,
  OAuthCallbackError,
  OAuthProfileParseError,
  OAuthSignInError,
  OAuthSignin: OAuthSignInError,
  Verification,
  WebAuthnVerificationError
}
