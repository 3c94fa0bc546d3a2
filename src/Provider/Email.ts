/**
 * Sign in with a link that is sent over SMTP, or by the mailer of the configuration.
 *
 * @since 0.1.0
 */
import type { AnswerKind } from "../internal/Answer.ts"
import { givenOptions } from "./internal/Computed.ts"
import type { EmailFactory, EmailUserConfig, MailServer } from "./Preset.ts"

/**
 * Options of {@link Email} and of the preset for Nodemailer.
 *
 * @category models
 * @since 0.1.0
 */
export interface EmailOptions<Kind extends AnswerKind = "effect" | "value"> extends EmailUserConfig<Kind> {
  /** A connection URL such as `smtps://user:password@mail.example.com`, or the options of a Nodemailer SMTP transport. */
  server?: MailServer | undefined
}

/**
 * Links under the id `email`: the preset to take when the configuration's `mailer` sends. Over SMTP, to `server`, take
 * `Nodemailer`: it brings the package, where this one finds it by its name. Links lead to
 * `https://example.com/auth/callback/email`.
 *
 * @category providers
 * @since 0.1.0
 */
export const Email: EmailFactory<Pick<EmailOptions, "server">> = (options) => ({
  id: "email",
  name: "Email",
  type: "email",
  transport: "smtp",
  options: givenOptions(options)
})
