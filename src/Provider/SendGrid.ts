/**
 * Sign in with a link that SendGrid sends.
 *
 * @since 0.1.0
 */
import { givenOptions } from "./internal/Computed.ts"
import type { EmailFactory } from "./Preset.ts"

/**
 * Links by SendGrid. Environment: `AUTH_SENDGRID_KEY`; `from` is a sender that the service knows. Links lead to
 * `https://example.com/auth/callback/sendgrid`.
 *
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 * @category providers
 * @since 0.1.0
 */
export const SendGrid: EmailFactory = (options) => ({
  id: "sendgrid",
  name: "SendGrid",
  type: "email",
  transport: "sendgrid",
  options: givenOptions(options)
})
