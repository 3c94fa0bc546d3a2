/**
 * What deserves the operator's attention although everything works: warnings as tagged values.
 *
 * The tag is the code that a logger's `warn` receives.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"

/**
 * The codes of all warnings.
 *
 * @category models
 * @since 0.1.0
 */
export type WarningCode =
  | "debug-enabled"
  | "csrf-disabled"
  | "env-url-basepath-redundant"
  | "env-url-basepath-mismatch"
  | "experimental-webauthn"

/** What a warning says: one sentence for the log, and where the documentation explains it. */
interface WarningFields {
  readonly message: string
}

/** `debug` is on: debug messages may show personal data. @category models @since 0.1.0 */
export class DebugEnabled extends Data.TaggedClass("debug-enabled")<WarningFields> {
  static readonly value = new DebugEnabled({
    message: "Debug messages are on and may show personal data: switch debug off in production."
  })
}

/** A token was asked for although protection against forged requests is off. @category models @since 0.1.0 */
export class CsrfDisabled extends Data.TaggedClass("csrf-disabled")<WarningFields> {
  static readonly value = new CsrfDisabled({
    message: "The csrf action was called although skipCSRFCheck is set: it answers 404."
  })
}

/** `AUTH_URL` has a path and `basePath` is set too. @category models @since 0.1.0 */
export class EnvUrlBasePathRedundant extends Data.TaggedClass("env-url-basepath-redundant")<WarningFields> {
  static readonly value = new EnvUrlBasePathRedundant({
    message: "AUTH_URL has a path and basePath is set as well: one of them is enough."
  })
}

/** `AUTH_URL` and `basePath` name different paths. @category models @since 0.1.0 */
export class EnvUrlBasePathMismatch extends Data.TaggedClass("env-url-basepath-mismatch")<WarningFields> {
  static readonly value = new EnvUrlBasePathMismatch({
    message: "AUTH_URL and basePath name different paths: basePath is used."
  })
}

/** WebAuthn is on, which may change. @category models @since 0.1.0 */
export class ExperimentalWebAuthn extends Data.TaggedClass("experimental-webauthn")<WarningFields> {
  static readonly value = new ExperimentalWebAuthn({ message: "WebAuthn is experimental: its options may change." })
}

/**
 * Every warning.
 *
 * @category models
 * @since 0.1.0
 */
export type Warning =
  | DebugEnabled
  | CsrfDisabled
  | EnvUrlBasePathRedundant
  | EnvUrlBasePathMismatch
  | ExperimentalWebAuthn

/**
 * Type guard for warnings.
 *
 * @category guards
 * @since 0.1.0
 */
export const isWarning = (value: unknown): value is Warning =>
  value instanceof DebugEnabled ||
  value instanceof CsrfDisabled ||
  value instanceof EnvUrlBasePathRedundant ||
  value instanceof EnvUrlBasePathMismatch ||
  value instanceof ExperimentalWebAuthn
