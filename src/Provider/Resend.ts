/**
 * Sign in with a link that Resend sends.
 *
 * @since 0.1.0
 */
import { givenOptions } from "./internal/Computed.ts"
import type { EmailFactory } from "./Preset.ts"

/**
 * Links by Resend. Environment: `AUTH_RESEND_KEY`; `from` is a sender that the service knows. Links lead to
 * `https://example.com/auth/callback/resend`.
 *
 * @see https://resend.com/docs/api-reference/emails/send-email
 * @category providers
 * @since 0.1.0
 */
export const Resend: EmailFactory = (options) => ({
  id: "resend",
  name: "Resend",
  type: "email",
  transport: "resend",
  options: givenOptions(options)
})
