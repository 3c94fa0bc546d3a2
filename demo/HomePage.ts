/**
 * The demo's home page for a signed-out visitor, and what both home pages share. It shows data and decides
 * nothing.
 */
import type { Html } from "./Html.ts"
import { document, html } from "./Html.ts"
import type { Counts } from "./Store.ts"

/** The content of both home pages. */
export interface HomePageParts {
  readonly place: string
  readonly providerPlace: string
  /** The database, in words. */
  readonly storePlace: string
  readonly counts: Counts
  readonly notice: string | null
}

/** Renders the whole page. */
export const signedOutPage = (parts: HomePageParts): string =>
  document({
    title: "Signed out · effect-doorman demo",
    house: "app",
    place: parts.place,
    body: html` ${notice(parts.notice)}
      <h1>You are signed out.</h1>
      <p class="lead">
        This page belongs to a small application without a framework. effect-doorman answers under
        <code>/auth</code> and keeps its users in a database. There are four ways in, and all of them run on this
        machine.
      </p>
      <div class="row">
        <a class="button" href="/auth/signin">Sign in</a><a class="button quiet" href="/mail">Open the mailbox</a>
      </div>
      <div class="columns">
        <section class="card">
          <h2>Worth trying</h2>
          <ol class="tries">
            ${tryThis("Sign in by email", html`With any address you like. The mail arrives in <a href="/mail">this demo’s mailbox</a>; then open a link in another browser too.`)}
            ${tryThis("Sign in with the provider", html`The Guest Book is a real OpenID provider at ${parts.providerPlace}, a different site for the browser. Say no to it once: you come back with a clear message.`)}
            ${tryThis("Add a passkey, sign out, come back with it", html`The page after signing in offers it. With a passkey you type nothing at all.`)}
            ${tryThis("Stop the demo and start it again", html`Press Ctrl+C, then <code>npm start</code>. Signed-in users stay signed in.`)}
            ${tryThis("Move to PostgreSQL", html`<code>DATABASE_URL=postgres://… npm start</code>, and nothing else changes.`)}
          </ol>
        </section>
        <div class="stack">
          <section class="card">
            <h2>Names and passwords</h2>
            <table class="logins">
              <thead>
                <tr>
                  <th>User name</th>
                  <th>Password</th>
                </tr>
              </thead>
              <tbody>
                <tr>
                  <td><code>ada</code></td>
                  <td><code>analytical-engine</code></td>
                </tr>
                <tr>
                  <td><code>grace</code></td>
                  <td><code>first-compiler</code></td>
                </tr>
              </tbody>
            </table>
            <p class="hint">The provider knows Alice and Bob with one click, and believes any other name too.</p>
          </section>
          ${stored(parts)}
        </div>
      </div>`
  })

/** One thing to try. */
export const tryThis = (title: string, text: Html): Html => html`<li><b>${title}</b><span>${text}</span></li>`

/** The rows of the database, which appear and vanish. */
export const stored = ({ counts, storePlace }: HomePageParts): Html =>
  html`<section class="card">
    <h2>Stored right now</h2>
    <dl class="counts">
      <dt>Users</dt>
      <dd>${counts.users}</dd>
      <dt>Linked accounts</dt>
      <dd>${counts.accounts}</dd>
      <dt>Passkeys</dt>
      <dd>${counts.authenticators}</dd>
      <dt>Sessions</dt>
      <dd>${counts.sessions}</dd>
    </dl>
    <p class="hint">Rows in <code>${storePlace}</code></p>
  </section>`

const notices: Readonly<Record<string, { readonly text: string; readonly bad?: true }>> = {
  renamed: { text: "The name was changed." },
  refused: { text: "That name was refused; everything is as it was.", bad: true },
  elsewhere: { text: "You are signed out everywhere but here." },
  ended: { text: "That session has ended." },
  removed: { text: "That way to sign in was removed, and sessions in other browsers have ended." },
  kept: {
    text: "That one stays: nothing else would be left to sign in by. Prove your email address or link something first.",
    bad: true
  },
  out: { text: "You are signed out, and the row of that session is deleted: a copy of its cookie opens nothing." },
  "out-there": { text: "You are signed out here and at The Guest Book." },
  failed: { text: "That did not work. Nothing was changed; try again.", bad: true }
}

/** The last result. The words come from here, never from the URL. */
export const notice = (name: string | null): Html | undefined => {
  const known = name !== null && Object.hasOwn(notices, name) ? notices[name] : undefined
  if (known === undefined) return undefined
  return known.bad === true
    ? html`<p class="notice bad" role="alert">${known.text}</p>`
    : html`<p class="notice" role="status">${known.text}</p>`
}
