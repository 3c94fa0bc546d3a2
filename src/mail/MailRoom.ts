/**
 * Sends the mail of an e-mail provider by whatever way it has: its own function, its preset's service, or the mailer of the
 * configuration.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import { EmailSignInError } from "../Errors.ts"
import type { Mailer } from "../Mailer.ts"
import type { EmailProvider } from "../Provider/Provider.ts"

/**
 * A link to be sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface LinkMail {
  readonly provider: EmailProvider
  readonly identifier: string
  readonly url: string
  readonly token: string
  readonly expires: Date
  readonly request: Request
}

/**
 * Sends links.
 *
 * @category services
 * @since 0.1.0
 */
export class MailRoom extends Context.Service<
  MailRoom,
  {
    readonly send: (mail: LinkMail) => Effect.Effect<void, EmailSignInError>
  }
>()("effect-doorman/mail/MailRoom") {
  /**
   * The ways of one configuration.
   *
   * @since 0.1.0
   */
  static readonly make = (
    _mailer: Mailer["Service"] | undefined,
    _client: HttpClient.HttpClient
  ): MailRoom["Service"] =>
    MailRoom.of({ send: () => Effect.fail(new EmailSignInError({ detail: "There is no way to send mail yet" })) })
}
