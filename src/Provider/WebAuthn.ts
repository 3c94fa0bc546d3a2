/**
 * Sign in with a key of one's own: a security key, a phone, or what the device has built in.
 *
 * @since 0.1.0
 */
import type { AnswerKind } from "../internal/Answer.ts"
import { givenOptions } from "./internal/Computed.ts"
import type { Factory, WebAuthnConfig, WebAuthnUserConfig } from "./Preset.ts"
import { webAuthnPreset } from "./internal/WebAuthnPreset.ts"

/**
 * Keys of every kind. It needs an adapter, `experimental: { enableWebAuthn: true }` and the package
 * `@simplewebauthn/server`; the script of the sign-in page is the library's own.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 * @category providers
 * @since 0.1.0
 */
export const WebAuthn: Factory<WebAuthnConfig<"value">, WebAuthnUserConfig<AnswerKind>, WebAuthnUserConfig<"value">> = (
  options
) => ({
  ...webAuthnPreset(options),
  id: "webauthn",
  name: "WebAuthn",
  // In the file of each preset: an application without keys loads none of them, so its bundler does not look for the package.
  simpleWebAuthn: () => Promise.all([import("@simplewebauthn/server"), import("@simplewebauthn/server/helpers")]),
  options: givenOptions(options)
})
