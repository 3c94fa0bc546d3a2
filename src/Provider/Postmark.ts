/**
 * Sign in with a link that Postmark sends.
 *
 * @since 0.1.0
 */
import { givenOptions } from "./internal/Computed.ts"
import type { EmailFactory } from "./Preset.ts"

/**
 * Links by Postmark. Environment: `AUTH_POSTMARK_KEY`; `from` is a sender that the service knows. Links lead to
 * `https://example.com/auth/callback/postmark`.
 *
 * @see https://postmarkapp.com/developer/api/email-api
 * @category providers
 * @since 0.1.0
 */
export const Postmark: EmailFactory = (options) => ({
  id: "postmark",
  name: "Postmark",
  type: "email",
  transport: "postmark",
  options: givenOptions(options)
})
