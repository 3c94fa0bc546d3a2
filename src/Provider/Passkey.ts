/**
 * Sign in with a passkey.
 *
 * @since 0.1.0
 */
import type { AnswerKind } from "../internal/Answer.ts"
import { givenOptions } from "./internal/Computed.ts"
import type { Factory, WebAuthnConfig, WebAuthnUserConfig } from "./Preset.ts"
import { fiveMinutes, webAuthnPreset } from "./internal/WebAuthnPreset.ts"

/**
 * Passkeys: keys that the browser finds by itself and that open with a fingerprint, a face or a PIN. What it needs is said at
 * `Provider/WebAuthn.ts`.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 * @category providers
 * @since 0.1.0
 */
export const Passkey: Factory<WebAuthnConfig<"value">, WebAuthnUserConfig<AnswerKind>, WebAuthnUserConfig<"value">> = (
  options
) => ({
  ...webAuthnPreset(options),
  id: "passkey",
  name: "Passkey",
  authenticationOptions: { timeout: fiveMinutes, userVerification: "required" },
  registrationOptions: {
    timeout: fiveMinutes,
    authenticatorSelection: { residentKey: "required", userVerification: "required" }
  },
  verifyAuthenticationOptions: { requireUserVerification: true },
  verifyRegistrationOptions: { requireUserVerification: true },
  // In the file of each preset: an application without keys loads none of them, so its bundler does not look for the package.
  simpleWebAuthn: () => Promise.all([import("@simplewebauthn/server"), import("@simplewebauthn/server/helpers")]),
  options: givenOptions(options)
})

/**
 * The document for `/.well-known/webauthn` of the relying party's domain, which tells browsers on which other sites its keys
 * may be used (WebAuthn section 5.11). Its address lies outside the library's paths, so the application serves it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const relatedOrigins = (origins: ReadonlyArray<string>): Response =>
  new Response(JSON.stringify({ origins }), {
    headers: { "content-type": "application/json", "x-content-type-options": "nosniff" }
  })
