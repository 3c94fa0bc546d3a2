/**
 * The two pages on which the demo's OpenID provider asks the visitor something: who are you, and may this application know.
 */
import { document, type Html, html } from "./Html.ts"

/** Asks who the visitor is; `problem` is shown when the last answer could not be used. */
export const loginPage = (uid: string, place: string, problem: string | undefined): string =>
  document({
    title: "Sign in · The Guest Book",
    house: "provider",
    place,
    body: html`<div class="narrow">
      <h1>Who are you?</h1>
      <p class="lead">An application wants to know. No password: this provider is only here to be tried.</p>
      ${problem === undefined ? undefined : html`<p class="notice bad" role="alert">${problem}</p>`}
      <form class="people" method="post" action="/interaction/${uid}/login">
        ${person("alice", "Alice Keeper")} ${person("bob", "Bob Porter")}
      </form>
      <div class="or">or another person</div>
      <form method="post" action="/interaction/${uid}/login">
        <label for="login">User name</label>
        <div class="row">
          <div class="field">
            <input
              id="login"
              name="login"
              type="text"
              maxlength="40"
              autocomplete="off"
              autocapitalize="none"
              spellcheck="false"
              required
            />
          </div>
          <button class="button" type="submit">Continue</button>
        </div>
      </form>
      <form method="post" action="/interaction/${uid}/cancel">
        <p class="hint"><button class="button quiet full" type="submit">Cancel</button></p>
      </form>
    </div>`
  })

const person = (login: string, name: string) =>
  html`<button class="person" type="submit" name="login" value="${login}">
    <span class="face" aria-hidden="true">${name.slice(0, 1)}</span
    ><span><b>${name}</b><small>${login}@guests.example</small></span
    ><span class="arrow" aria-hidden="true">→</span>
  </button>`

/** Asks whether the application may learn the name. */
export const consentPage = (uid: string, place: string, login: string, client: string): string =>
  document({
    title: "Allow access · The Guest Book",
    house: "provider",
    place,
    body: html`<div class="narrow">
      <h1>Share your name with ${client}?</h1>
      <p class="lead">You are <b>${login}</b> here. The application would learn:</p>
      <ul class="scopes">
        <li>your name</li>
        <li>your email address</li>
      </ul>
      <div class="row">
        <form class="field" method="post" action="/interaction/${uid}/confirm">
          <button class="button full" type="submit">Allow</button>
        </form>
        <form class="field" method="post" action="/interaction/${uid}/cancel">
          <button class="button quiet full" type="submit">Cancel</button>
        </form>
      </div>
    </div>`
  })

/** Asks whether the visitor wants to sign out here; `form` is the provider's own, which the buttons send. */
export const logoutPage = (place: string, form: Html): string =>
  document({
    title: "Sign out · The Guest Book",
    house: "provider",
    place,
    body: html`<div class="narrow">
      <h1>Sign out of The Guest Book?</h1>
      <p class="lead">Your sessions end at every application where you signed in with it.</p>
      ${form}
      <div class="row">
        <button class="button" type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
        <button class="button quiet" type="submit" form="op.logoutForm">Stay signed in</button>
      </div>
    </div>`
  })

/** Says that something about the visit itself is wrong, for example a page that was left open for too long. */
export const failurePage = (place: string): string =>
  document({
    title: "Cannot continue · The Guest Book",
    house: "provider",
    place,
    body: html`<div class="narrow">
      <h1>This visit cannot go on.</h1>
      <p class="lead">The request is unknown, finished or too old. Go back to the application and sign in again.</p>
    </div>`
  })
