/**
 * Sign in with a link that Loops sends.
 *
 * @since 0.1.0
 */
import type { AnswerKind } from "../internal/Answer.ts"
import { givenOptions } from "./internal/Computed.ts"
import type { EmailFactory, EmailUserConfig } from "./Preset.ts"

/**
 * Options of {@link Loops}.
 *
 * @category models
 * @since 0.1.0
 */
export interface LoopsOptions<Kind extends AnswerKind = "effect" | "value"> extends EmailUserConfig<Kind> {
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
export const Loops: EmailFactory<Pick<LoopsOptions, "transactionalId">> = (options) => ({
  id: "loops",
  name: "Loops",
  type: "email",
  transport: "loops",
  options: givenOptions(options)
})
