/**
 * What deserves the operator's attention although everything works: warnings as tagged values.
 *
 * The code, which is the tag too, is what a logger's `warn` receives; what a warning means and what to do about it stands in
 * the value itself and in the documentation.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type { Pipeable } from "effect/Pipeable"
import { type UnopenedCause, unopenedCode } from "../http/UnopenedCookie.ts"
import { unopenedTexts } from "../http/UnopenedTexts.ts"

/**
 * The codes of warnings that the specification names.
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

/**
 * The codes of all warnings. A logger whose `warn` takes {@link WarningCode} receives these too.
 *
 * @category models
 * @since 0.1.0
 */
export type AnyWarningCode = WarningCode | "session-cookie-unopened"

/**
 * What is said about one warning.
 *
 * @category models
 * @since 0.1.0
 */
export interface WarningFields {
  /** What is the case, one sentence for the log. */
  readonly message: string
  /** What to do about it, one sentence. */
  readonly remedy: string
}

/**
 * What every warning is.
 *
 * @category models
 * @since 0.1.0
 */
export interface WarningOf<Code extends AnyWarningCode> extends WarningFields, Pipeable {
  readonly _tag: Code
  /** What `warn` of a logger receives. */
  readonly code: Code
  /** Distinguishes warnings from failures, whose `kind` names the page that answers them. */
  readonly kind: "warning"
  /** Where the documentation explains it. */
  readonly docs: string
}

/** Gives one class for each code the members that follow from the code. */
const warning = <const Code extends AnyWarningCode>(code: Code): new (fields: WarningFields) => WarningOf<Code> =>
  class extends Data.TaggedClass(code)<WarningFields> {
    get code() {
      return code
    }
    get kind() {
      return "warning" as const
    }
    get docs() {
      return `docs/errors.md#${code}`
    }
  }

/** `debug` is on: debug messages may show personal data. @category models @since 0.1.0 */
export class DebugEnabled extends warning("debug-enabled") {
  static readonly value = new DebugEnabled({
    message: "Debug messages are on and may show personal data: switch debug off in production.",
    remedy: "Leave debug out, or set it to false, in production."
  })
}

/** A CSRF token was requested although CSRF protection is off. @category models @since 0.1.0 */
export class CsrfDisabled extends warning("csrf-disabled") {
  static readonly value = new CsrfDisabled({
    message: "The csrf action was called although skipCSRFCheck is set: it answers 404.",
    remedy: "Remove skipCSRFCheck, or stop asking for a token where the framework checks the origin of requests."
  })
}

/** `AUTH_URL` and `basePath` are both set. @category models @since 0.1.0 */
export class EnvUrlBasePathRedundant extends warning("env-url-basepath-redundant") {
  static readonly value = new EnvUrlBasePathRedundant({
    message: "AUTH_URL and basePath are both set: one of them is enough.",
    remedy: "Remove basePath and write its path into AUTH_URL."
  })
}

/** `AUTH_URL` and `basePath` name different paths. @category models @since 0.1.0 */
export class EnvUrlBasePathMismatch extends warning("env-url-basepath-mismatch") {
  static readonly value = new EnvUrlBasePathMismatch({
    message: "AUTH_URL and basePath name different paths: basePath is used.",
    remedy: "Write the same path into both, or remove basePath."
  })
}

/** WebAuthn is on, which may change. @category models @since 0.1.0 */
export class ExperimentalWebAuthn extends warning("experimental-webauthn") {
  static readonly value = new ExperimentalWebAuthn({
    message: "WebAuthn is experimental: its options may change.",
    remedy: "Leave experimental.enableWebAuthn out unless you use passkeys."
  })
}

/** A session cookie is present and does not open. Said once a process for each likely cause. @category models @since 0.1.0 */
export class UnopenedSessionCookie extends warning(unopenedCode) {
  static readonly of = (cause: UnopenedCause): UnopenedSessionCookie => new UnopenedSessionCookie(unopenedTexts[cause])
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
  | UnopenedSessionCookie

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
  value instanceof ExperimentalWebAuthn ||
  value instanceof UnopenedSessionCookie
