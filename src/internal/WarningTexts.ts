/**
 * The texts of the warnings that the specification names, by their codes. Plain data: `setEnvDefaults` warns without Effect.
 *
 * @since 0.1.0
 */

/** The texts of one warning: the cause, and the fix. */
export interface WarningText {
  readonly message: string
  readonly remedy: string
}

export const warningTexts = {
  "debug-enabled": {
    message: "Debug messages are on and may show personal data: switch debug off in production.",
    remedy: "Leave debug out, or set it to false, in production."
  },
  "csrf-disabled": {
    message: "The csrf action was called although skipCSRFCheck is set: it answers 404.",
    remedy: "Remove skipCSRFCheck, or stop asking for a token where the framework checks the origin of requests."
  },
  "env-url-basepath-redundant": {
    message: "AUTH_URL and basePath are both set: one of them is enough.",
    remedy: "Remove basePath and write its path into AUTH_URL."
  },
  "env-url-basepath-mismatch": {
    message: "AUTH_URL and basePath name different paths: basePath is used.",
    remedy: "Write the same path into both, or remove basePath."
  },
  "experimental-webauthn": {
    message: "WebAuthn is experimental: its options may change.",
    remedy: "Leave experimental.enableWebAuthn out unless you use passkeys."
  }
} as const satisfies Readonly<Record<string, WarningText>>

/** The warning about two paths, with both. */
export const basePathMismatch = (ofUrl: string, basePath: string): WarningText => ({
  message: `AUTH_URL has the path ${ofUrl}, and basePath is ${basePath}: basePath is used.`,
  remedy: warningTexts["env-url-basepath-mismatch"].remedy
})

/** A warning as one text. */
export const warningText = ({ message, remedy }: WarningText): string => `${message} ${remedy}`
