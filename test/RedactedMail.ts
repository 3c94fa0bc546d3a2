/** A mail as mailers get it, of one whose texts are plain. */
import * as Redacted from "effect/Redacted"
import type { CapturedMail, Mail } from "../src/Mailer.ts"

export const redactedMail = (mail: Omit<CapturedMail, "sentAt">): Mail => ({
  ...mail,
  text: Redacted.make(mail.text),
  html: Redacted.make(mail.html),
  url: Redacted.make(mail.url)
})
