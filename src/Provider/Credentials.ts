/**
 * Sign in with what a person types, checked by a function of the application.
 *
 * @since 0.1.0
 */
import type { CredentialInput, CredentialsConfig } from "../preset/ProviderOptions.ts"

/**
 * What {@link Credentials} takes.
 *
 * @category models
 * @since 0.1.0
 */
export type CredentialsOptions<Fields extends Record<string, object>, R = never> = Partial<
  Omit<CredentialsConfig<Fields, R>, "type" | "options">
>

/**
 * A form on the sign-in page whose fields reach `authorize`, which answers the user or `null`. It needs no environment;
 * its form is posted to `https://example.com/auth/callback/credentials`.
 *
 * Compare passwords with a slow hash (Argon2id, scrypt), and limit attempts by address: this library does neither. It slows
 * down attempts at one account, in each process for itself (`SignInThrottle.ts`).
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html
 * @category providers
 * @since 0.1.0
 */
export const Credentials = <const Fields extends Record<string, object> = Record<string, CredentialInput>, R = never>(
  options: CredentialsOptions<Fields, R> = {}
): CredentialsConfig<Record<string, CredentialInput>, R> => ({
  id: "credentials",
  name: "Credentials",
  type: "credentials",
  credentials: {},
  // The names of the fields matter to `authorize` alone; the configuration of all providers is one type.
  options: options as NonNullable<CredentialsConfig<Record<string, CredentialInput>, R>["options"]>
})
