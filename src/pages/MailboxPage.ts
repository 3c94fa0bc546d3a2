/**
 * The mails of a site that is being developed, which has no mailer.
 *
 * A mail is shown as its text and its link. The HTML part is not: it is written for mail programs.
 */
import { dateAt } from "../internal/DateAt.ts"
import type { CapturedMail } from "../Mailer.ts"
import { type Page, type PageFrame, render } from "./Document.ts"
import { empty, type Html, join, markup } from "./Html.ts"
import { envelope } from "./Icons.ts"

const entry = ({ sentAt, subject, text, to, url }: CapturedMail): Html =>
  markup`<h2><bdi>${subject}</bdi></h2>
    <p class="message">To <strong><bdi dir="ltr">${to}</bdi></strong>, ${dateAt(sentAt).toISOString()}</p>
    <div class="actions"><a class="button primary" href="${url}">Open the link</a></div>
    ${join(
      text
        .split(/\n+/)
        .filter((line) => line !== "")
        .map((line) => markup`<p class="reference">${line}</p>`)
    )}`

/**
 * Renders the mailbox, newest mail first, status 200.
 *
 * @category Pages
 * @since 0.1.0
 */
export const mailbox = (frame: PageFrame, mails: ReadonlyArray<CapturedMail>): Page =>
  render(frame, {
    status: 200,
    name: "mailbox",
    title: "Mailbox",
    tile: envelope,
    card: markup`<h1>Mailbox</h1>
      <p class="message">Only on this computer, never in production.</p>
      ${mails.length === 0 ? markup`<p class="message">No mail yet.</p>` : empty}
      ${join(mails.map(entry).reverse())}`,
    footer: true,
    images: [],
    formActions: []
  })
