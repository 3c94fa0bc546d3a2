/**
 * Sign in with what a person types, checked by a function of the application.
 *
 * @since 0.1.0
 */
import type { AnswerKind, Answers, Authorization, CredentialInput, CredentialsConfig } from "./Preset.ts"

/**
 * Options of {@link Credentials}.
 *
 * @category models
 * @since 0.1.0
 */
export type CredentialsOptions<
  Fields extends Record<string, object>,
  Authorized = Answers<Authorization>["effect" | "value"]
> = Partial<Omit<CredentialsConfig<Fields, Authorized>, "options" | "type">>

/**
 * A form on the sign-in page whose fields reach `authorize`, which answers the user or `null`. It needs no environment;
 * its form is posted to `https://example.com/auth/callback/credentials`.
 *
 * Compare passwords with a slow hash (Argon2id, scrypt), and limit attempts by address: this library does neither. It slows
 * down attempts at one account, by the budgets of `Limits.ts`.
 *
 * `password: { type: "password", redacted: true }` gives a password to `authorize` as `Redacted`, so that no log line shows it.
 * A layer takes no other password field.
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html
 * @category providers
 * @since 0.1.0
 */
export const Credentials = <
  const Fields extends Record<string, object> = Record<string, CredentialInput>,
  Authorized extends Answers<Authorization>[AnswerKind] = Answers<Authorization>["value"]
>(
  options: CredentialsOptions<Fields, Authorized> = {}
): Omit<CredentialsConfig<Record<string, CredentialInput>, Answers<Authorization>["value"]>, "options"> & {
  readonly options: CredentialsOptions<Fields, Authorized>
} => ({
  id: "credentials",
  name: "Credentials",
  type: "credentials",
  credentials: {},
  options
})
