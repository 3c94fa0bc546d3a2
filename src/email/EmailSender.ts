/**
 * Sends the mail of an email provider by whatever way it has: its own function, its preset's service, or the mailer of the
 * configuration.
 *
 * Whatever way it is has thirty seconds. What goes wrong is one failure, `EmailSignInError`; its detail names the kind of
 * problem and neither the address nor the link, and neither does what is kept of its cause (`internal/SanitizedError.ts`).
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type { EmailSignInError } from "../Errors.ts"
import { span } from "../telemetry/Signals.ts"
import type { Mailer } from "../Mailer.ts"
import type { LinkMail } from "./LinkMail.ts"
import { lazily } from "../internal/Lazily.ts"

export type { LinkMail } from "./LinkMail.ts"

/**
 * Sends links.
 *
 * @category services
 * @since 0.1.0
 */
export class EmailSender extends Context.Service<
  EmailSender,
  {
    readonly send: (mail: LinkMail) => Effect.Effect<void, EmailSignInError>
  }
>()("effect-doorman/email/EmailSender") {
  /**
   * The ways of one configuration. Without a client, mail services are asked by the `fetch` of the platform.
   *
   * @since 0.1.0
   */
  static readonly make = (
    mailer: Mailer["Service"] | undefined,
    client: HttpClient.HttpClient | undefined
  ): EmailSender["Service"] =>
    EmailSender.of({
      send: (mail) =>
        Effect.flatMap(dispatch, ({ send }) => send(mailer, client, mail)).pipe(
          span("effect-doorman.mail", { attributes: () => ({ "effect-doorman.provider": mail.provider.id }) })
        )
    })
}

/** The ways to send are loaded with the first mail: most configurations never send one. */
const dispatch = lazily(() => import("./SendEmail.ts"))
