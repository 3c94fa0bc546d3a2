/**
 * Sign in with a link that is sent over SMTP.
 *
 * @since 0.1.0
 */
import { givenOptions } from "./internal/Computed.ts"
import type { EmailFactory, EmailUserConfig, MailServer } from "./internal/ProviderOptions.ts"

/**
 * What {@link Nodemailer} takes.
 *
 * @category models
 * @since 0.1.0
 */
export interface NodemailerOptions<R = never, RNormalize = R, RToken = R> extends EmailUserConfig<
  R,
  RNormalize,
  RToken
> {
  /** A connection URL such as `smtps://user:password@mail.example.com`, or the options of a Nodemailer SMTP transport. */
  server?: MailServer | undefined
}

/**
 * Links by SMTP. It needs `server` and `from`, and the package `nodemailer`, which is loaded with the first mail; without
 * `server` the configuration's `mailer` sends. Links lead to `https://example.com/auth/callback/nodemailer`.
 *
 * @see https://nodemailer.com/smtp/
 * @category providers
 * @since 0.1.0
 */
export const Nodemailer: EmailFactory<Pick<NodemailerOptions, "server">> = (options) => ({
  id: "nodemailer",
  name: "Nodemailer",
  type: "email",
  transport: "smtp",
  options: givenOptions(options)
})
