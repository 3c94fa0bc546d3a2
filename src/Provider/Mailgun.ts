/**
 * Sign in with a link that Mailgun sends.
 *
 * @since 0.1.0
 */
import type { AnswerKind } from "../internal/Answer.ts"
import { givenOptions } from "./internal/Computed.ts"
import type { EmailFactory, EmailUserConfig } from "./Preset.ts"

/**
 * Options of {@link Mailgun}.
 *
 * @category models
 * @since 0.1.0
 */
export interface MailgunOptions<Kind extends AnswerKind = "effect" | "value"> extends EmailUserConfig<Kind> {
  /** Where the domain is: `"US"` (the default) or `"EU"`. The domain is that of `from`. */
  region?: "US" | "EU" | "us" | "eu" | undefined
}

/**
 * Links by Mailgun. Environment: `AUTH_MAILGUN_KEY`; `from` is a sender that the service knows. Links lead to
 * `https://example.com/auth/callback/mailgun`.
 *
 * @see https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
 * @category providers
 * @since 0.1.0
 */
export const Mailgun: EmailFactory<Pick<MailgunOptions, "region">> = (options) => ({
  id: "mailgun",
  name: "Mailgun",
  type: "email",
  transport: "mailgun",
  options: givenOptions(options)
})
