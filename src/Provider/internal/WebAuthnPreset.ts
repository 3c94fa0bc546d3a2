/**
 * What the presets with keys have in common.
 *
 * @since 0.1.0
 */
/** Milliseconds that a person has for a ceremony. */
export const fiveMinutes = 300_000

/** The members that both presets begin with. @internal */
export const webAuthnPreset = (options: { readonly formFields?: unknown } | undefined) => ({
  type: "webauthn" as const,
  enableConditionalUI: true,
  authenticationOptions: { timeout: fiveMinutes },
  registrationOptions: { timeout: fiveMinutes },
  // A form of the application's own replaces this one as a whole.
  ...(options?.formFields === undefined
    ? { formFields: { email: { label: "Email", required: true, autocomplete: "username webauthn" } } }
    : undefined),
  simpleWebAuthnBrowserVersion: "v9.0.1" as const
})
