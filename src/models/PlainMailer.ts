/**
 * Mailers of ordinary servers: plain strings go in, a promise comes back. Nothing here is there at run time.
 *
 * @since 0.1.0
 */

/**
 * A mail to one person, as strings. `text`, `html` and `url` hold the link: who has it can sign in.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlainMail {
  /** One address in the form of `EmailAddress`: nothing else ever reaches a mailer. */
  readonly to: string
  /** The sender as the configuration says it, such as `Example <no-reply@example.com>`. */
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The link that text and HTML hold, for services that fill in a template of their own. */
  readonly url: string
}

/** The description of both kinds of mailer. */
interface Sender {
  /** The sender of providers that name none. */
  readonly from?: string | undefined
  /** The optional package that the mailer loads: without it the mailer is a problem of the configuration. */
  readonly package?: "nodemailer" | undefined
}

/**
 * Sends mail. A mail counts as sent when `send` returns, or when its promise resolves.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlainMailer extends Sender {
  readonly send: (mail: PlainMail) => PromiseLike<void> | void
}

/**
 * A mailer of `effect-doorman/Mailer`, `/mail/Smtp` or `/mail/MailService`, which sends for both faces.
 *
 * @category models
 * @since 0.1.0
 */
export interface MailerOfBoth extends Sender {
  readonly sendPlain: (mail: PlainMail) => Promise<void>
}
