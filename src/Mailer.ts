/**
 * Sends mail: one method, so that any way of sending is a layer of a few lines.
 *
 * The layers for SMTP and for the services of the web are in `effect-doorman/mail/*`; `capture` keeps mails for tests and
 * demonstrations. What a mail says is made by `mail/SignInMail.ts`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { EmailSignInError } from "./Errors.ts"

/**
 * A mail to one person, as plain text and as HTML.
 *
 * @category models
 * @since 0.1.0
 */
export interface Mail {
  /** One address in the form of `EmailAddress`: nothing else ever reaches a mailer. */
  readonly to: string
  /** The sender as the configuration says it, such as `Example <no-reply@example.com>`. */
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * Sends mail.
 *
 * @category services
 * @since 0.1.0
 */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Hands a mail over. Fails when nobody took it. */
    readonly send: (mail: Mail) => Effect.Effect<void, EmailSignInError>
  }
>()("effect-doorman/Mailer") {}
