/**
 * The demo's mailbox: the mails that a real application would send, on a page. Everyone who can open the page can read
 * them, so it is for one machine only.
 */
import type { CapturedMail } from "../src/Mailer.ts"
import type { Html } from "./Html.ts"
import { document, html } from "./Html.ts"
import { ago } from "./Time.ts"

/** Everything on the page that changes. */
export interface MailboxPageParts {
  readonly place: string
  /** Oldest first. */
  readonly mails: ReadonlyArray<CapturedMail>
  /** The visitor has just asked for a link. */
  readonly asked: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Renders the whole page. */
export const mailboxPage = ({ asked, mails, now, place }: MailboxPageParts): string =>
  document({
    title: "Mailbox · effect-doorman demo",
    house: "app",
    place,
    body: html` ${asked ? html`<p class="notice" role="status">A link was asked for. Its mail is the first one below.</p>` : undefined}
      <h1>Mailbox</h1>
      <p class="lead">
        Every mail of this demo ends here, for any recipient, and leaves this machine for nowhere. The last ones are
        kept until the demo stops.
      </p>
      <div class="columns">
        <div class="stack">
          ${mails.length === 0 ? nothing : [...mails].reverse().map((mail) => message(mail, now))}
        </div>
        <section class="card">
          <h2>What a link does</h2>
          <ol class="tries">
            <li><b>Click it here</b><span>In the browser that asked for it, you are signed in at once.</span></li>
            <li>
              <b>Open it elsewhere</b
              ><span
                >Copy it into a private window or another browser: there a page with a button asks first. Programs that
                look at the links of a mail press no buttons, so they use nothing up.</span
              >
            </li>
            <li><b>Use it twice</b><span>It works once, for ten minutes. The second time says so.</span></li>
          </ol>
        </section>
      </div>`
  })

const nothing = html`<section class="card">
  <h2>No mail yet</h2>
  <p class="hint">Choose “Email me a sign-in link” on the sign-in page, with any address you like.</p>
  <p class="hint"><a class="button" href="/auth/signin">Sign in</a></p>
</section>`

const message = ({ sentAt, subject, text, to, url }: CapturedMail, now: number): Html => {
  const [before = "", after = ""] = text.split(url)
  return html`<article class="card mail">
    <h2>${subject}</h2>
    <p class="hint">to <b>${to}</b>, <time datetime="${new Date(sentAt).toISOString()}">${ago(sentAt, now)}</time></p>
    <div class="letter">${before}<a href="${url}">${url}</a>${after}</div>
  </article>`
}
