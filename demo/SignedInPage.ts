/**
 * The demo's home page for a signed-in user: who they are, by what they can sign in, what they can change. It shows
 * data and decides nothing.
 */
import type { Ways } from "../src/Accounts.ts"
import type { AdapterAuthenticator, AdapterUser } from "../src/Models.ts"
import type { HomePageParts } from "./HomePage.ts"
import { notice, stored, tryThis } from "./HomePage.ts"
import type { ServerAuth } from "../src/index.ts"
import type { makeGuestBook } from "./GuestBook.ts"
import type { Html } from "./Html.ts"
import { document, html } from "./Html.ts"
import type { Visit } from "./Store.ts"
import { ago, expiry } from "./Time.ts"

/** Everything on the page that changes. */
export interface SignedInPageParts extends HomePageParts {
  readonly user: AdapterUser
  /** The answer of `/auth/session`. */
  readonly session: { readonly expires?: string; readonly sessionId?: string }
  /** The answer of the Guest Book's API, for its guests. */
  readonly guest: Awaited<ReturnType<ReturnType<typeof makeGuestBook>>> | undefined
  readonly ways: Ways
  readonly hasPassword: boolean
  /** Newest first. */
  readonly visits: ReadonlyArray<Visit>
  /** The user's sessions, this one included. */
  readonly sessions: Awaited<ReturnType<ServerAuth["sessions"]["list"]>>
  readonly csrfToken: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Renders the whole page. */
export const signedInPage = (parts: SignedInPageParts): string => {
  const name = nameOf(parts.user)
  return document({
    title: "Signed in · effect-doorman demo",
    house: "app",
    place: parts.place,
    scripts: ["/passkey.js", "/session.js"],
    body: html` ${notice(parts.notice)}
      <p class="notice bad" id="session-ended" role="alert" hidden>
        Your session has ended, and this page noticed. <a href="/">Go on</a>
      </p>
      <h1>Welcome, ${name}.</h1>
      <p class="lead">
        Your session is a row in the database. The cookie holds only its random name, and scripts cannot read it.
      </p>
      <div class="columns">
        <div class="stack">${person(parts, name)} ${waysCard(parts)} ${rename(parts, name)}</div>
        <div class="stack">${leave(parts)} ${devices(parts)} ${guestBook(parts)} ${stored(parts)} ${next}</div>
      </div>`
  })
}

const nameOf = ({ email, name }: AdapterUser): string =>
  typeof name === "string" && name !== "" ? name : (email.split("@")[0] ?? email)

const person = ({ csrfToken, now, session, sessions, user, visits }: SignedInPageParts, name: string): Html => {
  const [latest, ...earlier] = visits
  return html`<section class="card">
    <div class="who">
      <span class="face large" aria-hidden="true">${initial(name)}</span>
      <p><b>${name}</b><br /><small>${user.email}</small></p>
    </div>
    <dl>
      <dt>Address</dt>
      <dd>
        ${
          user.emailVerified === null
            ? html`<span class="mark-no">not proven</span>`
            : html`<span class="mark-yes">proven</span> ${ago(user.emailVerified.getTime(), now)}`
        }
      </dd>
      ${
        latest === undefined
          ? undefined
          : html`<dt>Signed in</dt>
              <dd>by ${providerName(latest.provider)}, ${ago(latest.at, now)}</dd>`
      }
      ${
        earlier.length === 0
          ? undefined
          : html`<dt>Before</dt>
              <dd>${earlier.map((one) => html`${providerName(one.provider)}, ${ago(one.at, now)}<br />`)}</dd>`
      }
      <dt>Sessions</dt>
      <dd>${sessions.length === 1 ? "this one" : `${sessions.length}, this one among them`}</dd>
      <dt>Expires</dt>
      <dd>${expiry(session.expires, now)}</dd>
    </dl>
    ${
      user.emailVerified === null
        ? html`<form method="post" action="/auth/signin/email">
            ${hidden(csrfToken)}<input type="hidden" name="email" value="${user.email}" />
            <button class="button quiet" type="submit">Send a link to prove the address</button>
          </form>`
        : undefined
    }
  </section>`
}

const waysCard = ({ csrfToken, hasPassword, ways }: SignedInPageParts): Html => {
  const linked = ways.accounts.filter(({ type }) => type !== "webauthn")
  return html`<section class="card">
    <h2>Ways to sign in</h2>
    <ul class="ways">
      ${
        hasPassword
          ? html`<li>
              <span><b>Password</b><small>kept by the application, not by the library</small></span>
            </li>`
          : undefined
      }
      ${
        ways.mailbox === undefined
          ? undefined
          : html`<li>
              <span><b>Email link</b><small>${ways.mailbox}</small></span>
            </li>`
      }
      ${linked.map(
        ({ provider, providerAccountId }) =>
          html`<li>
            <span><b>${providerName(provider)}</b><small>as ${providerAccountId}</small></span>
            ${remove(csrfToken, provider, providerAccountId, providerName(provider))}
          </li>`
      )}
      ${ways.authenticators.map(
        (key) =>
          html`<li>
            <span><b>Passkey</b><small>${describeKey(key)}</small></span>
            ${remove(csrfToken, "passkey", key.providerAccountId, "passkey")}
          </li>`
      )}
    </ul>
    <div class="row">
      <form method="post" action="/auth/signin/guest-book">
        ${hidden(csrfToken)}<button class="button quiet" type="submit">
          ${linked.length === 0 ? "Link The Guest Book" : "Link another guest"}
        </button>
      </form>
      <form id="add-passkey" method="post" action="/auth/callback/passkey" hidden>
        ${hidden(csrfToken)}<input type="hidden" name="action" value="register" />
        <input type="hidden" name="data" value="" />
        <button class="button" type="submit">Add a passkey</button>
      </form>
    </div>
    <p class="hint" id="passkey-status" role="status">Adding a passkey is the one thing here that needs JavaScript.</p>
  </section>`
}

const remove = (csrfToken: string, provider: string, providerAccountId: string, name: string): Html =>
  html`<form method="post" action="/remove">
    ${hidden(csrfToken)}<input type="hidden" name="provider" value="${provider}" />
    <input type="hidden" name="providerAccountId" value="${providerAccountId}" />
    <button class="button quiet small" type="submit" aria-label="Remove ${name}">Remove</button>
  </form>`

const describeKey = ({ credentialDeviceType, credentialID }: AdapterAuthenticator): string =>
  `${credentialDeviceType === "multiDevice" ? "synced between devices" : "on one device"}, ${credentialID.slice(0, 8)}…`

const rename = ({ csrfToken, session }: SignedInPageParts, name: string): Html =>
  html`<section class="card">
    <h2>Change it</h2>
    <form method="post" action="/name">
      ${hidden(csrfToken)}
      <label for="name">Display name</label>
      <div class="row">
        <div class="field">
          <input id="name" name="name" type="text" value="${name}" maxlength="60" autocomplete="off" required />
        </div>
        <button class="button" type="submit">Change name</button>
      </div>
      <p class="hint">
        Goes through the <code>session</code> callback, which checks it and writes it to the database. An empty name or
        one of more than 40 characters is refused.
      </p>
    </form>
    <h2 class="later">Session</h2>
    <pre tabindex="0" aria-label="Session as JSON">${JSON.stringify(session, null, 2)}</pre>
  </section>`

const leave = ({ csrfToken, sessions, visits: [latest] }: SignedInPageParts): Html =>
  html`<section class="card">
    <h2>Leave</h2>
    <div class="row">
      <form method="post" action="/auth/signout">
        ${hidden(csrfToken)}<input type="hidden" name="callbackUrl" value="/?notice=out" />
        <button class="button" type="submit">Sign out</button>
      </form>
      ${
        latest?.provider === "guest-book"
          ? html`<form method="post" action="/auth/signout">
              ${hidden(csrfToken)}<input type="hidden" name="callbackUrl" value="/?notice=out-there" />
              <input type="hidden" name="logout" value="provider" />
              <button class="button quiet" type="submit">Sign out at The Guest Book too</button>
            </form>`
          : undefined
      }
      ${
        sessions.length < 2
          ? undefined
          : html`<form method="post" action="/elsewhere">
              ${hidden(csrfToken)}<button class="button quiet" type="submit">Sign out everywhere else</button>
            </form>`
      }
    </div>
    <p class="hint">
      Deletes the row of the session. Watch the count below. Open this page twice, or sign out at The Guest Book: a page
      whose session ended notices it within a second, without being loaded again.
    </p>
  </section>`

/** Where the user is signed in. What the browsers say of themselves is shown as text. */
const devices = ({ csrfToken, now, session, sessions }: SignedInPageParts): Html =>
  html`<section class="card">
    <h2>Where you are signed in</h2>
    <ul class="ways">
      ${sessions.map(
        ({ createdAt, id, lastSeenAt, userAgent }) =>
          html`<li>
            <span
              ><b>${userAgent ?? "Unknown device"}</b
              ><small
                >${id === session.sessionId ? "this session" : `last seen ${ago(lastSeenAt?.getTime() ?? now, now)}`},
                signed in ${ago(createdAt?.getTime() ?? now, now)}</small
              ></span
            >
            ${
              id === session.sessionId
                ? undefined
                : html`<form method="post" action="/end">
                    ${hidden(csrfToken)}<input type="hidden" name="sessionId" value="${id}" />
                    <button class="button quiet small" type="submit">Sign out there</button>
                  </form>`
            }
          </li>`
      )}
    </ul>
  </section>`

const guestBook = ({ guest, now }: SignedInPageParts): Html | undefined =>
  guest === undefined
    ? undefined
    : html`<section class="card">
        <h2>At The Guest Book</h2>
        ${
          "failure" in guest
            ? html`<p>Its API was not called: ${guest.failure}. Sign in there again.</p>`
            : html`<p id="guest-token" data-tokens="${String(guest.tokens)}">
                Its API knows you as <b>${guest.name}</b>. The access token, number ${String(guest.tokens)} since the
                demo started, ends ${inSeconds(guest.tokenEndsAt, now)}.
              </p>`
        }
        <p class="hint">
          Each token lasts a minute. Load this page after that: the library fetches the next one, once, however many
          pages ask at the same time.
        </p>
      </section>`

const inSeconds = (at: number | undefined, now: number): string =>
  at === undefined ? "at a time that was not said" : `in ${Math.max(0, Math.round((at - now) / 1000))} seconds`

const next = html`<section class="card">
  <h2>Worth trying next</h2>
  <ol class="tries">
    ${tryThis("Add a passkey and sign out", html`Then sign in with it: no name, no password, no mail.`)}
    ${tryThis("Link a second way", html`The Guest Book may know you by another address: you asked for it here, so it is yours.`)}
    ${tryThis("Sign in from another browser", html`Two sessions, two rows. End the other one from here.`)}
    ${tryThis("Stop the demo and start it again", html`This page still knows you.`)}
    <li>
      <b>Read the endpoints</b
      ><span
        ><a href="/auth/session">/auth/session</a>, <a href="/auth/providers">/auth/providers</a>,
        <a href="/auth/signout">/auth/signout</a></span
      >
    </li>
  </ol>
</section>`

const hidden = (csrfToken: string): Html => html`<input type="hidden" name="csrfToken" value="${csrfToken}" />`

const providerNames: Readonly<Record<string, string>> = {
  "guest-book": "The Guest Book",
  passkey: "passkey",
  email: "email link",
  credentials: "password"
}

const providerName = (id: string): string => providerNames[id] ?? id

const initial = (name: string): string => Array.from(name)[0]?.toLocaleUpperCase("en") ?? "?"
