/**
 * Every failure of the library, as tagged errors.
 *
 * A failure carries facts, not prose: its public `type` (the value a browser may see in `?error=`), its `kind` (which page
 * answers it), an HTTP status for programs, and a remedy for the person who operates the server. The facts of all types
 * stand in one table below, so that adding a failure is one row and one class. No field ever holds a secret, a token, a
 * cookie or a request body: `detail` is text written by this library or by a function of the application, `code` comes from a closed list.
 *
 * `Action.ts` alone decides the answer to a failure.
 *
 * @since 0.1.0
 */
import type * as Cause from "effect/Cause"
import { NodeInspectSymbol } from "effect/Inspectable"
import { symbolRedactable } from "effect/Redactable"
import * as Schema from "effect/Schema"
import { facts, type FailureTag, type ResponsibleParty } from "./internal/FailureFacts.ts"
import type { ErrorSchema } from "./internal/ErrorSchema.ts"
import { isOf } from "./internal/IsOf.ts"
import { isError, textOf } from "./internal/ThrownValue.ts"

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
 * The details of one occurrence of a failure.
 *
 * @category models
 * @since 0.1.0
 */
export interface FailureFields {
  /** The cause in words of this library or of a function of the application; never a value of a request. */
  readonly detail?: string
  /** The cause, from the closed list. A custom `CredentialsSignin` may carry a code of the application's own. */
  readonly code?: FailureCode | (string & {})
  /** Id of the provider concerned. */
  readonly provider?: string
  /** The error of the failing part; for the log only. */
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

/** A failure: an error that programs can yield, with the facts of its tag. */
interface Failure<Tag extends string> extends Cause.YieldableError, FailureFields {
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
  /** The fix, in one sentence. */
  readonly remedy: string
  /** Where the documentation explains it. */
  readonly docs: string
}

/** The encoded members of every failure. */
const fields = {
  provider: Schema.optional(Schema.String),
  retryable: Schema.optional(Schema.Boolean)
}

/** A failure as it travels. @category models @since 0.1.0 */
export interface EncodedFailure<Tag extends string> {
  readonly _tag: Tag
  readonly provider?: string | undefined
  readonly retryable?: boolean | undefined
}

/**
 * The class of a failure, which is its schema as well: `HttpApiEndpoint` and `Rpc` take it as `error`, with the HTTP status of
 * the table. It encodes `_tag`, `provider` and `retryable`. All other members, `cause` and `detail` among them, stay
 * in this process; a decoded instance does not have them. `More` are members of one class alone.
 */
interface FailureClass<Self, Tag extends FailureTag, More extends object = Record<never, never>> extends ErrorSchema<
  Self,
  EncodedFailure<Tag>,
  FailureFields & More
> {
  new (fields: FailureFields & More, options?: Schema.MakeOptions): Failure<Tag> & Partial<Readonly<More>>
}

/** The class of a row of the table. */
const classOf = (tag: FailureTag) => {
  const { blame, exposed, kind, remedy, status, type } = facts[tag]
  const docs = `docs/errors.md#${type.toLowerCase()}`
  class TableError extends Schema.TaggedError<TableError>(`effect-doorman/${tag}`)(tag, fields, {
    httpApiStatus: status,
    description: remedy
  }) {
    declare readonly detail?: string
    declare readonly fix?: string
    // The second argument carries what a decoder has validated.
    // @effect-diagnostics-next-line overriddenSchemaConstructor:off
    constructor(input: FailureFields, options?: Schema.MakeOptions) {
      super(input, options)
      for (const [name, value] of Object.entries(input)) {
        if (value !== undefined && name !== "_tag" && !Object.hasOwn(fields, name)) keep(this, name, value)
      }
      if (input.field !== undefined && input.problems === undefined) explain(this, input)
    }
    get type() {
      return type
    }
    get kind() {
      return kind
    }
    get status() {
      return status
    }
    get isClientSafe() {
      return exposed
    }
    get blame(): ResponsibleParty {
      return blame
    }
    get remedy(): string {
      return this.fix ?? remedy
    }
    get docs() {
      return docs
    }
    override get message() {
      return this.detail ?? this.remedy
    }
    /** The loggers of Effect ask this for what they write. */
    [symbolRedactable]() {
      return membersOf(this)
    }
    /** The console asks this. */
    override [NodeInspectSymbol]() {
      return membersOf(this)
    }
  }
  keep(TableError.prototype, "name", tag)
  return TableError
}

/** Platforms print the stack of a failure that an application lets pass: for a problem of an option it says what to do. */
const explain = (failure: Error & { readonly remedy: string }, { field, variable }: FailureFields): void => {
  const facts = [
    `option: ${field}`,
    ...(variable === undefined ? [] : [`variable: ${variable}`]),
    `fix: ${failure.remedy}`
  ]
  const at = failure.stack?.indexOf("\n    at ") ?? -1
  if (failure.stack !== undefined && at >= 0)
    keep(failure, "stack", `${failure.stack.slice(0, at)}\n  ${facts.join("\n  ")}${failure.stack.slice(at)}`)
}

/** Sets a member that is not encoded. Only `code` is enumerable: browsers see it in URLs, and errors of Auth.js have it. */
const keep = (target: object, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, enumerable: name === "code", writable: true, configurable: true })
}

/**
 * The members of a failure, with those that are not enumerable. An error that has a failure as its prototype has those of the
 * failure too.
 *
 * @internal
 */
export const membersOf = (failure: object): Readonly<Record<string, unknown>> => {
  const ownMembers = Object.fromEntries(
    Object.getOwnPropertyNames(failure).flatMap((name) =>
      name === "stack" ? [] : [[name, Reflect.get(failure, name)]]
    )
  )
  const prototype: unknown = Object.getPrototypeOf(failure)
  return Object.hasOwn(failure, "_tag") || !isError(prototype) ? ownMembers : { ...membersOf(prototype), ...ownMembers }
}

/** The class of a tag. The compiler cannot see that the class which extends it is `Self`. */
const failure =
  <Self, More extends object = Record<never, never>>() =>
  <const Tag extends FailureTag>(tag: Tag): FailureClass<Self, Tag, More> =>
    classOf(tag) as never

/** The key belongs to another user, or the email address does. @category errors @since 0.1.0 */
export class AccountNotLinked extends failure<AccountNotLinked>()("AccountNotLinked") {}
/** Two WebAuthn providers want to fill in the same form. @category errors @since 0.1.0 */
export class DuplicateConditionalUi extends failure<DuplicateConditionalUi>()("DuplicateConditionalUi") {}
/** The email with the link could not be sent. @category errors @since 0.1.0 */
export class EmailSignInError extends failure<EmailSignInError>()("EmailSignInError") {}
/** The email address is invalid. @category errors @since 0.1.0 */
export class InvalidEmail extends failure<InvalidEmail>()("InvalidEmail") {}
/** The adapter lacks methods that a configured feature needs. @category errors @since 0.1.0 */
export class MissingAdapterMethods extends failure<MissingAdapterMethods>()("MissingAdapterMethods") {}
/** Conditional UI has no form field to show itself in. @category errors @since 0.1.0 */
export class MissingWebAuthnAutocomplete extends failure<MissingWebAuthnAutocomplete>()(
  "MissingWebAuthnAutocomplete"
) {}
/** The answer of an authenticator is not valid. @category errors @since 0.1.0 */
export class WebAuthnVerificationError extends failure<WebAuthnVerificationError>()("WebAuthnVerificationError") {}
/** The sign-in was refused by the application's `signIn` callback. @category errors @since 0.1.0 */
export class AccessDenied extends failure<AccessDenied>()("AccessDenied") {}
/** A storage method failed. @category errors @since 0.1.0 */
export class AdapterError extends failure<
  AdapterError,
  {
    /** The method, such as `createUser`. */
    readonly method: string
    /**
     * `unique`: such a row is there already. `missing`: there is no such row. `stale`: another caller was faster.
     * `unsupported`: the store has no such method. `invalid`: the store answered what no row can be. `timeout`: it did not
     * answer in time, so the outcome of the call is unknown. `unavailable`: everything else.
     */
    readonly reason: AdapterFault
  }
>()("AdapterError") {
  // @effect-diagnostics-next-line overriddenSchemaConstructor:off
  constructor(
    fields: FailureFields & { readonly method: string; readonly reason: AdapterFault },
    options?: Schema.MakeOptions
  ) {
    super({ retryable: fields.reason === "unavailable" || fields.reason === "timeout", ...fields }, options)
  }
  /** Is such a row there already? */
  get isUniqueViolation(): boolean {
    return this.reason === "unique"
  }
}
/** A sign-in could not be completed. @category errors @since 0.1.0 */
export class Callback extends failure<Callback>()("Callback") {}
/** Application code that runs inside a callback action failed. @category errors @since 0.1.0 */
export class CallbackRouteError extends failure<CallbackRouteError>()("CallbackRouteError") {}
/** Something that the operator has to correct; the cause names it. @category errors @since 0.1.0 */
export class Configuration extends failure<Configuration>()("Configuration") {}
/** `authorize` did not recognise the credentials. @category errors @since 0.1.0 */
export class CredentialsSignin extends failure<CredentialsSignin>()("CredentialsSignin") {}
/** The store could not create the user of an email address. @category errors @since 0.1.0 */
export class EmailCreateAccount extends failure<EmailCreateAccount>()("EmailCreateAccount") {}
/** The custom error page leads back to itself. @category errors @since 0.1.0 */
export class ErrorPageLoop extends failure<ErrorPageLoop>()("ErrorPageLoop") {}
/** An event handler failed; the request went on. @category errors @since 0.1.0 */
export class EventError extends failure<EventError>()("EventError") {}
/** A callback URL was not one of this site. @category errors @since 0.1.0 */
export class InvalidCallbackUrl extends failure<InvalidCallbackUrl>()("InvalidCallbackUrl") {}
/** The answer of a provider does not belong to a sign-in that this browser started. @category errors @since 0.1.0 */
export class InvalidCheck extends failure<InvalidCheck>()("InvalidCheck") {}
/** An option has a value that cannot work. @category errors @since 0.1.0 */
export class InvalidConfiguration extends failure<InvalidConfiguration>()("InvalidConfiguration") {}
/** A provider lacks the endpoints it needs. @category errors @since 0.1.0 */
export class InvalidEndpoints extends failure<InvalidEndpoints>()("InvalidEndpoints") {}
/** There is no provider of that id for this action. @category errors @since 0.1.0 */
export class InvalidProvider extends failure<InvalidProvider>()("InvalidProvider") {}
/** The session token could not be used. @category errors @since 0.1.0 */
export class JwtSessionError extends failure<JwtSessionError>()("JwtSessionError") {}
/** The user would have no way left to sign in by. @category errors @since 0.1.0 */
export class LastWayToSignIn extends failure<LastWayToSignIn>()("LastWayToSignIn") {}
/** The request is not well formed. @category errors @since 0.1.0 */
export class MalformedRequest extends failure<MalformedRequest>()("MalformedRequest") {}
/** The action exists but not for that method. @category errors @since 0.1.0 */
export class MethodNotAllowed extends failure<
  MethodNotAllowed,
  {
    /** The methods that the path answers, for the `Allow` header (RFC 9110 section 10.2.1). */
    readonly allow: string
  }
>()("MethodNotAllowed") {}
/** A configured feature needs storage and there is none. @category errors @since 0.1.0 */
export class MissingAdapter extends failure<MissingAdapter>()("MissingAdapter") {}
/** A credentials provider has no `authorize`. @category errors @since 0.1.0 */
export class MissingAuthorize extends failure<MissingAuthorize>()("MissingAuthorize") {}
/** The CSRF token was absent or did not match. @category errors @since 0.1.0 */
export class MissingCsrf extends failure<MissingCsrf>()("MissingCsrf") {}
/** No secret is configured. @category errors @since 0.1.0 */
export class MissingSecret extends failure<MissingSecret>()("MissingSecret") {}
/** The account belongs to another user, or its email address does. @category errors @since 0.1.0 */
export class OAuthAccountNotLinked extends failure<OAuthAccountNotLinked>()("OAuthAccountNotLinked") {}
/** The provider's answer did not lead to a sign-in. @category errors @since 0.1.0 */
export class OAuthCallbackError extends failure<OAuthCallbackError>()("OAuthCallbackError") {}
/** The store could not create the user of a provider's account. @category errors @since 0.1.0 */
export class OAuthCreateAccount extends failure<OAuthCreateAccount>()("OAuthCreateAccount") {}
/** The provider's profile could not be turned into a user. @category errors @since 0.1.0 */
export class OAuthProfileParseError extends failure<OAuthProfileParseError>()("OAuthProfileParseError") {}
/** The sign-in at a provider could not be started. @category errors @since 0.1.0 */
export class OAuthSignInError extends failure<OAuthSignInError>()("OAuthSignInError") {}
/** The body is larger than the limit. @category errors @since 0.1.0 */
export class PayloadTooLarge extends failure<PayloadTooLarge>()("PayloadTooLarge") {}
/** A provider gave no new access token, and may give one later. @category errors @since 0.1.0 */
export class ProviderTokenError extends failure<ProviderTokenError>()("ProviderTokenError") {}
/** The provider accepts no token of the user any more: they have to sign in there again. @category errors @since 0.1.0 */
export class ReauthenticationRequired extends failure<ReauthenticationRequired>()("ReauthenticationRequired") {}
/** The body did not arrive in time. @category errors @since 0.1.0 */
export class RequestTimeout extends failure<RequestTimeout>()("RequestTimeout") {}
/** A browser sends sessions of different users. @category errors @since 0.1.0 */
export class SessionConflict extends failure<SessionConflict>()("SessionConflict") {}
/** The visitor has to sign in first. @category errors @since 0.1.0 */
export class SessionRequired extends failure<SessionRequired>()("SessionRequired") {}
/** The session could not be read or written. @category errors @since 0.1.0 */
export class SessionTokenError extends failure<SessionTokenError>()("SessionTokenError") {}
/** The store of what all processes share is full or down. @category errors @since 0.1.0 */
export class SharedStateError extends failure<
  SharedStateError,
  {
    /** `full`: there is no room for another key. `unavailable`: everything else. */
    readonly reason: "full" | "unavailable"
  }
>()("SharedStateError") {
  // @effect-diagnostics-next-line overriddenSchemaConstructor:off
  constructor(fields: FailureFields & { readonly reason: "full" | "unavailable" }, options?: Schema.MakeOptions) {
    super({ retryable: true, ...fields }, options)
  }
}
/** A sign-in was refused; the cause says why. @category errors @since 0.1.0 */
export class Signin extends failure<Signin>()("Signin") {}
/** Part of a sign-out failed; the cookies were cleared all the same. @category errors @since 0.1.0 */
export class SignOutError extends failure<SignOutError>()("SignOutError") {}
/** There is no such action. @category errors @since 0.1.0 */
export class UnknownAction extends failure<UnknownAction>()("UnknownAction") {}
/** The person proved an address that another user holds without proof. @category errors @since 0.1.0 */
export class UnprovenAddress extends failure<
  UnprovenAddress,
  {
    /** Id of the user who holds the address. */
    readonly holder: string
  }
>()("UnprovenAddress") {}
/** The body has a content type that this library does not read. @category errors @since 0.1.0 */
export class UnsupportedMediaType extends failure<
  UnsupportedMediaType,
  {
    /** The content codings that are read, for `Accept-Encoding`; only where the coding is at fault (RFC 9110 section 12.5.3). */
    readonly acceptEncoding?: string
  }
>()("UnsupportedMediaType") {}
/** The session strategy does not fit the rest of the configuration. @category errors @since 0.1.0 */
export class UnsupportedStrategy extends failure<UnsupportedStrategy>()("UnsupportedStrategy") {}
/** The host of the request is not trusted. @category errors @since 0.1.0 */
export class UntrustedHost extends failure<UntrustedHost>()("UntrustedHost") {}
/** A link from an email was wrong, used or expired. @category errors @since 0.1.0 */
export class Verification extends failure<Verification>()("Verification") {}
/** A secret is too short or too simple to protect anything. @category errors @since 0.1.0 */
export class WeakSecret extends failure<WeakSecret>()("WeakSecret") {}
/** The configuration asks for a feature that must be enabled first. @category errors @since 0.1.0 */
export class ExperimentalFeatureNotEnabled extends failure<ExperimentalFeatureNotEnabled>()(
  "ExperimentalFeatureNotEnabled"
) {}
/** There were too many attempts: the library did not process this one. @category errors @since 0.1.0 */
export class TooManyAttempts extends failure<
  TooManyAttempts,
  {
    /** The budget that is spent. */
    readonly budget: {
      readonly name: string
      /** Attempts that it holds when it is whole. */
      readonly limit: number
      /** Seconds in which it refills. */
      readonly seconds: number
      /** Seconds until the next attempt is allowed. */
      readonly retryAfter: number
    }
  }
>()("TooManyAttempts") {}
/** Something failed that should not be able to; the cause is in the log. @category errors @since 0.1.0 */
export class UnexpectedError extends failure<UnexpectedError>()("UnexpectedError") {}

/**
 * Every failure.
 *
 * @category errors
 * @since 0.1.0
 */
export type AuthError =
  | AccessDenied
  | AccountNotLinked
  | AdapterError
  | Callback
  | CallbackRouteError
  | Configuration
  | CredentialsSignin
  | DuplicateConditionalUi
  | EmailCreateAccount
  | EmailSignInError
  | ErrorPageLoop
  | EventError
  | ExperimentalFeatureNotEnabled
  | InvalidCallbackUrl
  | InvalidCheck
  | InvalidConfiguration
  | InvalidEmail
  | InvalidEndpoints
  | InvalidProvider
  | JwtSessionError
  | LastWayToSignIn
  | MalformedRequest
  | MethodNotAllowed
  | MissingAdapter
  | MissingAdapterMethods
  | MissingAuthorize
  | MissingCsrf
  | MissingSecret
  | MissingWebAuthnAutocomplete
  | OAuthAccountNotLinked
  | OAuthCallbackError
  | OAuthCreateAccount
  | OAuthProfileParseError
  | OAuthSignInError
  | PayloadTooLarge
  | ProviderTokenError
  | ReauthenticationRequired
  | RequestTimeout
  | SessionConflict
  | SessionRequired
  | SessionTokenError
  | SharedStateError
  | SignOutError
  | Signin
  | TooManyAttempts
  | UnexpectedError
  | UnknownAction
  | UnprovenAddress
  | UnsupportedMediaType
  | UnsupportedStrategy
  | UntrustedHost
  | Verification
  | WeakSecret
  | WebAuthnVerificationError

/**
 * The failures of a sign-in from code: a union and its schema, for `HttpApiEndpoint` and `Rpc`. A failure of another
 * kind is the cause of `Signin`, where the person or the request is responsible, and of `Configuration` otherwise.
 *
 * @category errors
 * @since 0.1.0
 */
export const SignInError = Schema.Union([
  AccessDenied,
  AdapterError,
  CallbackRouteError,
  Configuration,
  CredentialsSignin,
  MalformedRequest,
  Signin
])
/** Failures of a sign-in from code. @category errors @since 0.1.0 */
export type SignInError = typeof SignInError.Type

const isSignInError = isOf(SignInError)

/**
 * The failure as one of {@link SignInError}. The cause keeps a failure of another kind, for the log.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const toSignInError = (failure: AuthError): SignInError => {
  if (isSignInError(failure)) return failure
  const { blame, provider, retryable } = failure
  const Wrapper = blame === "person" || blame === "request" ? Signin : Configuration
  return new Wrapper({
    cause: failure,
    ...(provider === undefined ? {} : { provider }),
    ...(retryable === undefined ? {} : { retryable })
  })
}

/** Failures of listing and ending the sessions of a user. @category errors @since 0.1.0 */
export const SessionError = Schema.Union([AdapterError, MissingAdapterMethods, SharedStateError, UnsupportedStrategy])
/** Failures of listing and ending the sessions of a user. @category errors @since 0.1.0 */
export type SessionError = typeof SessionError.Type

/** Failures of listing and removing accounts of a user. @category errors @since 0.1.0 */
export const LinkError = Schema.Union([AdapterError, LastWayToSignIn])
/** Failures of listing and removing accounts of a user. @category errors @since 0.1.0 */
export type LinkError = typeof LinkError.Type

/** Failures of reading and writing a token. @category errors @since 0.1.0 */
export const TokenError = Schema.Union([JwtSessionError])
/** Failures of reading and writing a token. @category errors @since 0.1.0 */
export type TokenError = typeof TokenError.Type

/**
 * Type guard for the failures of this library.
 *
 * @category guards
 * @since 0.1.0
 */
export const isAuthError = (value: unknown): value is AuthError => {
  const tag = textOf(value, "_tag")
  return tag !== undefined && Object.hasOwn(facts, tag) && isError(value) && "isClientSafe" in value
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
  const Failure = Object.hasOwn(errorClasses, type) ? errorClasses[type] : isTyped ? CallbackRouteError : undefined
  const code = textOf(thrown, "code")
  return Failure === undefined ? undefined : new Failure({ ...(code === undefined ? {} : { code }), cause: thrown })
}

/** Errors that application code may throw to decide the answer. */
const errorClasses: Readonly<Record<string, new (fields: FailureFields) => AuthError>> = {
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
