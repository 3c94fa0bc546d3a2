/**
 * Sign in with a link that Forward Email sends.
 *
 * @since 0.1.0
 */
import { givenOptions } from "./internal/Computed.ts"
import type { EmailFactory } from "./Preset.ts"

/**
 * Links by Forward Email. Environment: `AUTH_FORWARDEMAIL_KEY`; `from` is a sender that the service knows. Links lead to
 * `https://example.com/auth/callback/forwardemail`.
 *
 * @see https://forwardemail.net/en/email-api
 * @category providers
 * @since 0.1.0
 */
export const ForwardEmail: EmailFactory = (options) => ({
  id: "forwardemail",
  name: "Forward Email",
  type: "email",
  transport: "forwardemail",
  options: givenOptions(options)
})
