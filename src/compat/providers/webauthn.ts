/**
 * `WebAuthn` of `Provider/WebAuthn.ts`, under the name `providers/webauthn`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import type { SemverString } from "../types.ts"

export { WebAuthn as default } from "../../Provider/WebAuthn.ts"
export type { GetUserInfo, RelayingParty, WebAuthnConfig, WebAuthnProviderType } from "../providers.ts"

/**
 * Milliseconds that a person has for a ceremony.
 *
 * @category constants
 * @since 0.1.0
 */
export const DEFAULT_WEBAUTHN_TIMEOUT: number = 300_000

/**
 * The version of the browser script that pages of applications load. The pages of this library have a script of their own.
 *
 * @category constants
 * @since 0.1.0
 */
export const DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION: SemverString = "v9.0.1"
