/**
 * The demo's home page: who is signed in, what can be done about it, and what is worth trying next. It shows data and
 * decides nothing.
 */
import type { Html } from "./Html.ts"
import { document, html } from "./Html.ts"

/** What the home page reads of a session; everything is optional because the session callback decides what is in it. */
export interface ShownSession {
  readonly user?: { readonly name?: string | null; readonly email?: string | null }
  readonly expires?: string
}

/** Everything on the page that changes. */
export interface HomePageParts {
  readonly session: ShownSession | null
  readonly csrfToken: string
  readonly place: string
  readonly providerPlace: string
  readonly notice: "renamed" | "refused" | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Renders the whole page. */
export const homePage = (parts: HomePageParts): string =>
  document({
    title: parts.session === null ? "Signed out · effect-doorman demo" : "Signed in · effect-doorman demo",
    house: "app",
    place: parts.place,
    body: parts.session === null ? signedOut(parts) : signedIn(parts, parts.session)
  })

const signedOut = (parts: HomePageParts): Html =>
  html` <h1>Nobody is signed in here.</h1>
    <p class="lead">
      This page belongs to a small application with no framework and no database. effect-doorman answers under
      <code>/auth</code>; a real OpenID provider runs beside it on another host.
    </p>
    <div class="row">
      <a class="button" href="/auth/signin">Sign in</a
      ><a class="button quiet" href="/auth/session">Look at the empty session</a>
    </div>
    <div class="columns">
      <section class="card">
        <h2>Worth trying</h2>
        <ol class="tries">
          ${tryThis("Sign in with the provider", `The browser visits ${parts.providerPlace}, a different site, so SameSite rules really apply.`)}
          ${tryThis("Say no", "Choose the provider again and cancel its question. You come back with a clear message and no session.")}
          ${tryThis("Type a wrong password", "The answer is the same for a wrong name and for a wrong password.")}
          ${tryThis("Begin in two tabs", "Start signing in twice, finish in any order: each tab keeps its own attempt.")}
        </ol>
      </section>
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
    </div>`

const signedIn = (parts: HomePageParts, session: ShownSession): Html => {
  const name = session.user?.name ?? "Somebody"
  return html` ${parts.notice === undefined ? undefined : notice(parts.notice)}
    <h1>Welcome, ${name}.</h1>
    <p class="lead">
      The session lives in one encrypted cookie that scripts cannot read. This is all that the application lets you see
      of it.
    </p>
    <div class="columns">
      <div class="stack">
        <section class="card">
          <div class="who">
            <span class="face large" aria-hidden="true">${initial(name)}</span>
            <p><b>${name}</b><br /><small>${session.user?.email ?? "no e-mail address"}</small></p>
          </div>
          <dl>
            <dt>Expires</dt>
            <dd>${expiry(session.expires, parts.now)}</dd>
          </dl>
          <h2>Session</h2>
          <pre tabindex="0" aria-label="Session as JSON">${JSON.stringify(session, null, 2)}</pre>
        </section>
        <section class="card">
          <h2>Change it</h2>
          <form method="post" action="/name">
            <input type="hidden" name="csrfToken" value="${parts.csrfToken}" />
            <label for="name">Display name</label>
            <div class="row">
              <div class="field">
                <input id="name" name="name" type="text" value="${name}" maxlength="60" autocomplete="off" required />
              </div>
              <button class="button" type="submit">Update session</button>
            </div>
            <p class="hint">
              Goes through the <code>jwt</code> callback, which checks it. An empty name or one of more than 40
              characters is refused.
            </p>
          </form>
        </section>
      </div>
      <div class="stack">
        <section class="card">
          <h2>Leave</h2>
          <div class="row">
            <form method="post" action="/auth/signout">
              <input type="hidden" name="csrfToken" value="${parts.csrfToken}" /><button class="button" type="submit">
                Sign out
              </button>
            </form>
            <a class="button quiet" href="/" target="_blank" rel="noopener">Open a second tab</a>
          </div>
        </section>
        <section class="card">
          <h2>Worth trying next</h2>
          <ol class="tries">
            ${tryThis("Press Back", "An answer of the provider counts once. Going back does not sign you in again, and does no harm.")}
            ${tryThis("Sign out in one tab", "Then reload the other one: it is signed out too.")}
            ${tryThis("Look into the cookies", "Open the developer tools: the session is encrypted, and marked so that scripts cannot read it.")}
            <li>
              <b>Read the endpoints</b
              ><span
                ><a href="/auth/session">/auth/session</a>, <a href="/auth/providers">/auth/providers</a>,
                <a href="/auth/signout">/auth/signout</a></span
              >
            </li>
          </ol>
        </section>
      </div>
    </div>`
}

const tryThis = (title: string, text: string): Html => html`<li><b>${title}</b><span>${text}</span></li>`

const notice = (kind: "renamed" | "refused"): Html =>
  kind === "renamed"
    ? html`<p class="notice" role="status">The session was updated.</p>`
    : html`<p class="notice bad" role="alert">That name was refused; the session is as it was.</p>`

const initial = (name: string): string => Array.from(name)[0]?.toLocaleUpperCase("en") ?? "?"

const expiry = (expires: string | undefined, now: number): Html => {
  const at = Date.parse(expires ?? "")
  if (Number.isNaN(at)) return html`unknown`
  const hours = Math.round((at - now) / 3_600_000)
  const distance = hours >= 48 ? `in ${Math.round(hours / 24)} days` : `in ${hours} hours`
  const shown = new Date(at).toISOString()
  return html`<time datetime="${shown}">${shown.slice(0, 16).replace("T", ", ")} UTC</time> (${distance})`
}
