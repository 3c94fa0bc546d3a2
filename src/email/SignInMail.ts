/**
 * The content of a mail with a sign-in link: a subject, a plain text and an HTML part.
 *
 * The one thing of a request in it is the host, and it is in no header but the subject. The address stands in `to` alone, and
 * everything in the HTML part is escaped. The link stands on a line of its own and is percent-encoded throughout, so that no
 * mail program cuts it.
 *
 * @since 0.1.0
 */
import { constant, type Html, join, markup } from "../pages/Html.ts"
import { type Mail, redactedMail } from "../Mailer.ts"
import { formatColor, parseColor, textOn } from "../pages/Color.ts"
import type { PageTheme } from "../pages/Theme.ts"

/**
 * The parts of such a mail.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignInLink {
  readonly identifier: string
  readonly from: string
  readonly url: string
  /** Seconds for which the link is good. */
  readonly maxAge: number
  readonly theme: PageTheme
}

/**
 * Writes the mail.
 *
 * @category constructors
 * @since 0.1.0
 */
export const signInMail = ({ from, identifier, maxAge, theme, url }: SignInLink): Mail => {
  const { host } = new URL(url)
  const lasting = duration(maxAge)
  return redactedMail({
    to: identifier,
    from,
    subject: `Sign in to ${host}`,
    text: `Sign in to ${host}\n\n${url}\n\nThe link works once, for ${lasting}. If you did not ask for it, ignore this mail: nothing happens.\n`,
    html: htmlOf(host, url, lasting, theme),
    url
  })
}

const duration = (seconds: number): string => {
  const minutes = Math.max(1, Math.floor(seconds / 60))
  if (minutes < 120) return minutes === 1 ? "one minute" : `${minutes} minutes`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
}

const defaultBrand = "#2457c5"

/** Mail programs turn what looks like a host into a link; a space of no width before each dot keeps the name a name. */
const withoutLink = (host: string): Html =>
  join(
    host.split(".").map((label) => markup`${label}`),
    constant`&#8203;.`
  )

const htmlOf = (host: string, url: string, lasting: string, theme: PageTheme): string => {
  const brand = parseColor(theme.brandColor ?? "") ?? parseColor(defaultBrand)
  const words = parseColor(theme.buttonText ?? "") ?? (brand === undefined ? undefined : textOn(brand))
  const background = brand === undefined ? defaultBrand : formatColor(brand)
  const color = words === undefined ? "#fff" : formatColor(words)
  const page = markup`<!doctype html>
    <html lang="en">
    <head><meta charset="utf-8"><title>Sign in</title></head>
    <body style="margin:0;padding:24px;background:#f4f5f7;font-family:Helvetica,Arial,sans-serif;color:#1f2430">
      <table role="presentation" width="100%" cellspacing="0" cellpadding="0" border="0" style="max-width:560px;margin:0 auto;background:#ffffff;border-radius:10px">
        <tr><td align="center" style="padding:32px 24px 8px;font-size:20px">Sign in to <strong>${withoutLink(host)}</strong></td></tr>
        <tr><td align="center" style="padding:16px 24px">
          <a href="${url}" target="_blank" rel="noopener" style="display:inline-block;padding:12px 24px;border-radius:6px;background:${background};color:${color};font-size:17px;font-weight:bold;text-decoration:none">Sign in</a>
        </td></tr>
        <tr><td align="center" style="padding:8px 24px 32px;font-size:14px;line-height:21px">The link works once, for ${lasting}. If you did not ask for it, ignore this mail: nothing happens.</td></tr>
      </table>
    </body>
    </html>`
  return page.markup
}
