/**
 * A link to send: the parts of its mail.
 *
 * @since 0.1.0
 */
import type { PageTheme } from "../pages/Theme.ts"
import type { EmailProvider } from "../Provider/internal/Provider.ts"

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
  readonly theme: PageTheme
  readonly request: Request
}
