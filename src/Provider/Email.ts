/**
 * Sign in with a link that is sent over SMTP, or by the mailer of the configuration.
 *
 * @since 0.1.0
 */
import { Nodemailer, type NodemailerOptions as EmailOptions } from "./Nodemailer.ts"
import type { EmailFactory } from "./internal/ProviderOptions.ts"

export type { NodemailerOptions as EmailOptions } from "./Nodemailer.ts"

/**
 * As {@link Nodemailer}, under the id `email`: the one to take when the configuration's `mailer` sends. Links lead to
 * `https://example.com/auth/callback/email`.
 *
 * @category providers
 * @since 0.1.0
 */
export const Email: EmailFactory<Pick<EmailOptions, "server">> = (options) => ({
  ...Nodemailer(options),
  id: "email",
  name: "Email"
})
