/**
 * Sign in with a link that Loops sends.
 *
 * @since 0.1.0
 */
import type { EmailConfig, EmailUserConfig } from "./ProviderOptions.ts"

/**
 * What {@link Loops} takes.
 *
 * @category models
 * @since 0.1.0
 */
export interface LoopsOptions extends EmailUserConfig {
  /** The template of the mail; the link is its data variable `url`. */
  transactionalId?: string | undefined
}

/**
 * Links by Loops. Environment: `AUTH_LOOPS_KEY`; `from` is a sender that the service knows. Links lead to
 * `https://example.com/auth/callback/loops`.
 *
 * @see https://loops.so/docs/api-reference/send-transactional-email
 * @category providers
 * @since 0.1.0
 */
export const Loops = (options: LoopsOptions = {}): EmailConfig => ({
  id: "loops",
  name: "Loops",
  type: "email",
  transport: "loops",
  options
})
