/**
 * Sign in with a key of one's own: a security key, a phone, or what the device has built in.
 *
 * @since 0.1.0
 */
import { givenOptions } from "./internal/Computed.ts"
import type { Factory, WebAuthnConfig, WebAuthnUserConfig } from "./internal/ProviderOptions.ts"

/** Milliseconds that a person has for a ceremony. */
const fiveMinutes = 300_000

/**
 * Keys of every kind. It needs an adapter, `experimental: { enableWebAuthn: true }` and the package
 * `@simplewebauthn/server`; the script of the sign-in page is the library's own.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 * @category providers
 * @since 0.1.0
 */
export const WebAuthn: Factory<WebAuthnConfig, WebAuthnUserConfig<unknown>, WebAuthnUserConfig> = (options) => ({
  id: "webauthn",
  name: "WebAuthn",
  type: "webauthn",
  enableConditionalUI: true,
  authenticationOptions: { timeout: fiveMinutes },
  registrationOptions: { timeout: fiveMinutes },
  // A form of the application's own replaces this one as a whole.
  ...(options?.formFields === undefined
    ? { formFields: { email: { label: "Email", required: true, autocomplete: "username webauthn" } } }
    : undefined),
  simpleWebAuthnBrowserVersion: "v9.0.1",
  options: givenOptions(options)
})
