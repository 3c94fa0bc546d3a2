/**
 * The required assurance of a session: how long ago the user was authenticated, and how.
 *
 * Contracts that clients share load this module; it loads nothing of the server.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { StepUpRequired } from "./AccessProblem.ts"

/**
 * A requirement. What is left out does not matter.
 *
 * @category models
 * @since 0.1.0
 */
export interface Assurance {
  /** Longest time since the user was authenticated. */
  readonly maxAge?: Duration.Input | undefined
  /** Accepted authentication context classes; one of them is enough (OpenID Connect Core section 2). */
  readonly acr?: ReadonlyArray<string> | undefined
  /** Methods that were used, all of them (RFC 8176): `mfa`, `pop`, `otp`, `pwd`. */
  readonly amr?: ReadonlyArray<string> | undefined
}

/** Where a middleware has its requirement. */
export const requirementKey = "~effect-doorman/requirement"

const isRequirement = (value: unknown): value is Assurance => typeof value === "object" && value !== null

/** The requirements of those middlewares of an endpoint or a procedure that have this key. */
export const requirementsOf = (
  middlewares: Iterable<{ readonly key: string }>,
  key: string
): ReadonlyArray<Assurance> =>
  [...middlewares].flatMap((middleware) => {
    const requirement: unknown = Reflect.get(middleware, requirementKey)
    return middleware.key === key && isRequirement(requirement) ? [requirement] : []
  })

/** The facts about the authentication behind a session. */
interface Authenticated {
  readonly authenticatedAt: DateTime.Utc | undefined
  readonly amr: ReadonlyArray<string>
  readonly acr: string | undefined
}

/** Does an authentication meet a requirement at `now`, in milliseconds since 1970? */
const meets = (session: Authenticated, { acr, amr, maxAge }: Assurance, now: number): boolean =>
  (maxAge === undefined ||
    (session.authenticatedAt !== undefined &&
      now - session.authenticatedAt.epochMilliseconds <= Duration.toMillis(maxAge))) &&
  (acr === undefined || (session.acr !== undefined && acr.includes(session.acr))) &&
  (amr === undefined || amr.every((method) => session.amr.includes(method)))

/** Changes the response to a request that fails a requirement; does nothing without a response. */
export const Rejection = Context.Reference<(failure: StepUpRequired) => Effect.Effect<void>>(
  "effect-doorman/Assurance/Rejection",
  { defaultValue: () => () => Effect.void }
)

/**
 * Fails unless the authentication meets the requirement.
 *
 * @category combinators
 * @since 0.1.0
 */
export const checkAssurance = (session: Authenticated, requirement: Assurance): Effect.Effect<void, StepUpRequired> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (meets(session, requirement, now)) return Effect.void
    const { acr, amr, maxAge } = requirement
    const seconds = maxAge === undefined ? undefined : Math.floor(Duration.toSeconds(maxAge))
    const failure = new StepUpRequired({
      ...(seconds === undefined || !Number.isFinite(seconds) ? {} : { maxAge: seconds }),
      ...(acr === undefined ? {} : { acr }),
      ...(amr === undefined ? {} : { amr })
    })
    return Effect.andThen(
      Effect.flatMap(Rejection, (reject) => reject(failure)),
      Effect.fail(failure)
    )
  })
