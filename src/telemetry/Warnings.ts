/**
 * Warnings as tagged values: they deserve the operator's attention although everything works.
 *
 * A logger's `warn` receives the code, which is the tag too, and the text: what a warning means, and what to do about it.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type { Pipeable } from "effect/Pipeable"
import { type UnopenedCause, unopenedCode } from "../http/UnopenedCookie.ts"
import { unopenedTexts } from "../http/UnopenedTexts.ts"
import { basePathMismatch, warningTexts } from "../internal/WarningTexts.ts"

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
 * The codes of all warnings. A logger whose `warn` takes {@link WarningCode} receives these too, and for an entry that is no
 * warning of this list the type of its failure, or `advice`.
 *
 * @category models
 * @since 0.1.0
 */
export type AnyWarningCode = WarningCode | "session-cookie-unopened"

/**
 * The texts of one warning.
 *
 * @category models
 * @since 0.1.0
 */
export interface WarningFields {
  /** The cause, one sentence for the log. */
  readonly message: string
  /** The fix, in one sentence. */
  readonly remedy: string
}

/**
 * The members of every warning.
 *
 * @category models
 * @since 0.1.0
 */
export interface WarningOf<Code extends AnyWarningCode> extends WarningFields, Pipeable {
  readonly _tag: Code
  /** The first argument of a logger's `warn`. */
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
  static readonly value = new DebugEnabled(warningTexts["debug-enabled"])
}

/** A CSRF token was requested although CSRF protection is off. @category models @since 0.1.0 */
export class CsrfDisabled extends warning("csrf-disabled") {
  static readonly value = new CsrfDisabled(warningTexts["csrf-disabled"])
}

/** `AUTH_URL` and `basePath` are both set. @category models @since 0.1.0 */
export class EnvUrlBasePathRedundant extends warning("env-url-basepath-redundant") {
  static readonly value = new EnvUrlBasePathRedundant(warningTexts["env-url-basepath-redundant"])
}

/** `AUTH_URL` and `basePath` name different paths. @category models @since 0.1.0 */
export class EnvUrlBasePathMismatch extends warning("env-url-basepath-mismatch") {
  static readonly value = new EnvUrlBasePathMismatch(warningTexts["env-url-basepath-mismatch"])
  static readonly of = (ofUrl: string, basePath: string): EnvUrlBasePathMismatch =>
    new EnvUrlBasePathMismatch(basePathMismatch(ofUrl, basePath))
}

/** WebAuthn is on, which may change. @category models @since 0.1.0 */
export class ExperimentalWebAuthn extends warning("experimental-webauthn") {
  static readonly value = new ExperimentalWebAuthn(warningTexts["experimental-webauthn"])
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
