/**
 * What is wrong with a configuration, and what follows from it: a problem stops the whole configuration, disables one
 * provider, or is only logged.
 *
 * Whether this process serves the public, and which cookies a request uses, is often known with a request and no earlier. So
 * a problem says where it holds, and the caller asks for its own situation.
 *
 * @since 0.1.0
 */
import {
  type AuthError,
  DuplicateConditionalUi,
  ExperimentalFeatureNotEnabled,
  type FailureFields,
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingSecret,
  MissingWebAuthnAutocomplete,
  UntrustedHost,
  WeakSecret
} from "../Errors.ts"

const failures = {
  DuplicateConditionalUi,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingSecret,
  MissingWebAuthnAutocomplete,
  UntrustedHost,
  WeakSecret
}

/**
 * A problem of the options, for the operator to solve. When there are several, `problems` holds them all.
 *
 * @category errors
 * @since 0.1.0
 */
export type ConfigurationError = InstanceType<(typeof failures)[keyof typeof failures]>

/**
 * One problem of a configuration.
 *
 * @category models
 * @since 0.1.0
 */
export interface Problem {
  readonly error: ConfigurationError
  /** Where it stops the whole configuration. Elsewhere it is logged. */
  readonly stops: "everywhere" | "production" | "development" | "nowhere"
  /** How it is logged where it stops nothing. */
  readonly level: "error" | "warning"
  /** The cookies that it concerns; absent for a problem of every request. */
  readonly cookies?: "plain" | "secure"
}

/**
 * Where a configuration is used.
 *
 * @category models
 * @since 0.1.0
 */
export interface Situation {
  /** See `config/Production.ts`. */
  readonly production: boolean
  /** The cookies that requests use; `undefined` where the request decides and there is none yet. */
  readonly cookies: "plain" | "secure" | undefined
}

/** A problem that stops the whole configuration. @category constructors @since 0.1.0 */
export const fatal = (error: ConfigurationError): Problem => ({ error, stops: "everywhere", level: "error" })

/** A problem that disables one provider, or one feature. @category constructors @since 0.1.0 */
export const partial = (error: ConfigurationError): Problem => ({ error, stops: "nowhere", level: "error" })

/** A risk that stops the whole configuration where it serves the public. @category constructors @since 0.1.0 */
export const risk = (error: ConfigurationError): Problem => ({ error, stops: "production", level: "warning" })

/** A problem that changes nothing but a detail. @category constructors @since 0.1.0 */
export const advice = (error: ConfigurationError): Problem => ({ error, stops: "nowhere", level: "warning" })

/** Does the problem concern requests in this situation? @category guards @since 0.1.0 */
export const concerns = (problem: Problem, { cookies }: Situation): boolean =>
  problem.cookies === undefined || cookies === undefined || problem.cookies === cookies

/** Does the problem stop the whole configuration in this situation? @category guards @since 0.1.0 */
export const isFatal = (problem: Problem, situation: Situation): boolean =>
  (problem.cookies === undefined || problem.cookies === situation.cookies) &&
  (problem.stops === "everywhere" || problem.stops === (situation.production ? "production" : "development"))

/** Does the answer depend on the cookies that a request uses? @category guards @since 0.1.0 */
export const dependsOnCookies = ({ cookies }: Problem): boolean => cookies !== undefined

/** Does the answer depend on whether this is production? @category guards @since 0.1.0 */
export const dependsOnStage = ({ stops }: Problem): boolean => stops === "production" || stops === "development"

type Described = Pick<FailureFields, "field" | "variable"> & { readonly message: string; readonly remedy?: string }

/**
 * What the operator reads of a problem: option, cause, fix, and the environment variable that fills the option.
 *
 * @category combinators
 * @since 0.1.0
 */
export const describe = ({ field, message, remedy, variable }: Described): string =>
  [
    field === undefined || message.startsWith(field) ? message : `${field}: ${message}`,
    ...(remedy === undefined ? [] : [`Fix: ${remedy}`]),
    ...(variable === undefined ? [] : [`Environment variable: ${variable}`])
  ]
    .map(sentence)
    .join(" ")

const sentence = (text: string): string => (/[.:!?]$/.test(text) ? text : `${text}.`)

/**
 * Every problem of an invalid configuration, as {@link describe} words it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const describeAll = (failure: AuthError): ReadonlyArray<string> =>
  (failure.problems ?? [failure]).map((problem) => describe(problem))

/**
 * All problems as one failure: the first of them that is fatal, with the text of all. A single problem is its own failure.
 *
 * @category combinators
 * @since 0.1.0
 */
export const summarize = (problems: ReadonlyArray<Problem>, situation: Situation): ConfigurationError | undefined => {
  const relevant = problems.filter((problem) => concerns(problem, situation))
  const first = relevant.find((problem) => isFatal(problem, situation))?.error
  if (first === undefined || relevant.length === 1) return first
  const errors = [first, ...relevant.map(({ error }) => error).filter((error) => error !== first)]
  const lines = errors.map((error, index) => `${index + 1}. ${describe(error)}`)
  return new failures[first._tag]({
    detail: `${errors.length} problems of the configuration\n${lines.join("\n")}`,
    ...(first.field === undefined ? {} : { field: first.field }),
    ...(first.provider === undefined ? {} : { provider: first.provider }),
    ...(first.variable === undefined ? {} : { variable: first.variable }),
    fix: "Correct every option that the message names.",
    cause: first.cause,
    problems: errors
  })
}
