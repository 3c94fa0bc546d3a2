/**
 * Sign in with a link that is sent over SMTP.
 *
 * @since 0.1.0
 */
import { Email, type EmailOptions as NodemailerOptions } from "./Email.ts"
import type { EmailFactory } from "./Preset.ts"

export type { EmailOptions as NodemailerOptions } from "./Email.ts"

/**
 * Links by SMTP. It needs `server` and `from`, and the package `nodemailer`, which is loaded with the first mail; without
 * `server` the configuration's `mailer` sends. Links lead to `https://example.com/auth/callback/nodemailer`.
 *
 * @see https://nodemailer.com/smtp/
 * @category providers
 * @since 0.1.0
 */
export const Nodemailer: EmailFactory<Pick<NodemailerOptions, "server">> = (options) => ({
  ...Email(options),
  id: "nodemailer",
  name: "Nodemailer",
  nodemailer: () => import("nodemailer")
})
