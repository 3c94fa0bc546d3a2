/**
 * Why a request is refused: not signed in, not allowed, or the session cannot be read. Each has its own error and status.
 *
 * Each is a problem of RFC 9457, so that a client reads `application/problem+json` with `type`, `title`, `status`, `code` and
 * `remedy`, a typed client of `HttpApi` or `effect/rpc` catches it by its tag, and OpenAPI documents it. None of them holds
 * anything of the request.
 *
 * @since 0.1.0
 */
import type * as Cause from "effect/Cause"
import type { Respondable } from "effect/http/HttpServerRespondable"
import * as HttpApiError from "effect/http-api/HttpApiError"
import * as Schema from "effect/Schema"
import type { ErrorSchema } from "../internal/ErrorSchema.ts"

/** A problem as it travels. @category models @since 0.1.0 */
export interface EncodedProblem<Tag extends string, Status extends number, Code extends string> {
  readonly type: `urn:effect-doorman:${Tag}`
  readonly status?: Status
  readonly title?: string
  readonly detail?: string
  readonly instance?: string
  readonly code: Code
  readonly remedy: string
}

/** A problem: an error that programs can yield, and a response. */
interface Problem<Tag extends string, Status extends number, Code extends string>
  extends EncodedProblem<Tag, Status, Code>, Cause.YieldableError, Respondable {
  readonly _tag: Tag
  readonly status: Status
  readonly title: string
}

/** Arguments of a problem's constructor: the members that have no value of their own. */
interface ProblemInput {
  readonly title?: string
  readonly detail?: string
  readonly instance?: string
}

/** The class of a problem, which is its schema as well. `More` are members of one class alone. */
interface ProblemClass<
  Self,
  Tag extends string,
  Status extends number,
  More = unknown,
  Code extends string = Tag,
  Input = (ProblemInput & More) | void
> extends ErrorSchema<Self, EncodedProblem<Tag, Status, Code> & More, Input> {
  new (
    ...params: void extends Input
      ? [input?: Exclude<Input, void>, options?: Schema.MakeOptions]
      : [input: Input, options?: Schema.MakeOptions]
  ): Problem<Tag, Status, Code> & More
}

/** The class, by a type that is written out. */
const typed = <Class>(problem: Class): Class => problem

/**
 * The request has no session (RFC 9110 section 15.5.2).
 *
 * @category errors
 * @since 0.1.0
 */
export class NotSignedIn extends typed<ProblemClass<NotSignedIn, "NotSignedIn", 401>>(
  HttpApiError.Problem<NotSignedIn>()(
    "NotSignedIn",
    { type: "urn:effect-doorman:NotSignedIn", status: 401, title: "Not signed in" },
    { code: Schema.tag("NotSignedIn"), remedy: Schema.tag("Sign in, then repeat the request.") }
  )
) {}

/**
 * The user may not do this (RFC 9110 section 15.5.4). `code` is `CrossSite` for a request that a page of
 * another site sent with the cookie.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotAllowed extends typed<
  ProblemClass<
    NotAllowed,
    "NotAllowed",
    403,
    unknown,
    "NotAllowed" | "CrossSite",
    ProblemInput & { readonly code: "NotAllowed" | "CrossSite" }
  >
>(
  HttpApiError.Problem<NotAllowed>()(
    "NotAllowed",
    { type: "urn:effect-doorman:NotAllowed", status: 403, title: "Not allowed" },
    {
      code: Schema.Literals(["NotAllowed", "CrossSite"]),
      remedy: Schema.tag("Ask a user who may do this, or sign in as one.")
    }
  )
) {}

/**
 * The user has to prove who they are again, or by a stronger method (RFC 9470): the requirement that the session does not meet.
 * Over HTTP the response carries the challenge of RFC 9470 section 3 in `WWW-Authenticate`.
 *
 * @category errors
 * @since 0.1.0
 */
export class StepUpRequired extends typed<
  ProblemClass<
    StepUpRequired,
    "StepUpRequired",
    401,
    {
      /** Seconds since the authentication that are allowed. */
      readonly maxAge?: number
      /** Accepted authentication context classes, the preferred one first. */
      readonly acr?: ReadonlyArray<string>
      /** Methods that the authentication must have used, all of them (RFC 8176). */
      readonly amr?: ReadonlyArray<string>
    }
  >
>(
  HttpApiError.Problem<StepUpRequired>()(
    "StepUpRequired",
    { type: "urn:effect-doorman:StepUpRequired", status: 401, title: "A new sign-in is required" },
    {
      code: Schema.tag("StepUpRequired"),
      remedy: Schema.tag("Sign in again as the requirement says, then repeat the request."),
      maxAge: Schema.optionalKey(Schema.Finite),
      acr: Schema.optionalKey(Schema.Array(Schema.String)),
      amr: Schema.optionalKey(Schema.Array(Schema.String))
    }
  )
) {
  /** The value of `WWW-Authenticate`. */
  get challenge(): string {
    const parts = ['error="insufficient_user_authentication"', `error_description="${this.title}"`]
    if (this.maxAge !== undefined) parts.push(`max_age="${this.maxAge}"`)
    if (this.acr !== undefined) parts.push(`acr_values="${this.acr.map(quotable).join(" ")}"`)
    return `Bearer ${parts.join(", ")}`
  }

  /** The parameters of a sign-in that meets the requirement: for the sign-in page, and for the authorization request. */
  get authorizationParams(): Readonly<Record<string, string>> {
    return {
      ...(this.maxAge === undefined ? {} : { max_age: String(this.maxAge) }),
      ...(this.acr === undefined ? {} : { acr_values: this.acr.join(" ") }),
      // A provider need not ask a person again whose session there is young enough; the clocks may differ.
      ...(this.maxAge === undefined && this.amr === undefined ? {} : { prompt: "login" })
    }
  }
}

/** A text inside a quoted string (RFC 9110 section 5.6.4). */
const quotable = (text: string): string => text.replace(/[^\x21\x23-\x5b\x5d-\x7e]/g, "")

/**
 * The store, or a function of the application, failed: the library does not know whether the request has a session, and the
 * cookie stays as it is (RFC 9110 section 15.6.4).
 *
 * @category errors
 * @since 0.1.0
 */
export class SessionUnavailable extends typed<ProblemClass<SessionUnavailable, "SessionUnavailable", 503>>(
  HttpApiError.Problem<SessionUnavailable>()(
    "SessionUnavailable",
    { type: "urn:effect-doorman:SessionUnavailable", status: 503, title: "Sessions cannot be read at the moment" },
    { code: Schema.tag("SessionUnavailable"), remedy: Schema.tag("Repeat the request in a moment.") }
  )
) {}

/**
 * The session is not what the application's schema says: a mistake of the application, so it is a defect and not a failure.
 *
 * @category errors
 * @since 0.1.0
 */
export class SessionMismatch extends typed<ProblemClass<SessionMismatch, "SessionMismatch", 500>>(
  HttpApiError.Problem<SessionMismatch>()(
    "SessionMismatch",
    { type: "urn:effect-doorman:SessionMismatch", status: 500, title: "The session has another shape than expected" },
    {
      code: Schema.tag("SessionMismatch"),
      remedy: Schema.tag("Make callbacks.session answer what the schema of the user says.")
    }
  )
) {}
