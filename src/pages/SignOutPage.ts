/**
 * The sign-out page: a question and a button. Opening it changes nothing; only its form, sent by POST, signs out.
 */
import { markup } from "./Html.ts"
import { actionPath, hiddenFields, homeHref, ownFormActions, type Page, type PageFrame, render } from "./Document.ts"
import { leave } from "./Icons.ts"

/**
 * The content of the sign-out page.
 *
 * @category Pages
 * @since 0.1.0
 */
export interface SignOutContent {
  readonly csrfToken: string | undefined
  /** Where to go after sign-out, already validated. */
  readonly callbackUrl: string
}

/**
 * Renders the sign-out page, status 200.
 *
 * @category Pages
 * @since 0.1.0
 */
export const signOut = (frame: PageFrame, content: SignOutContent): Page =>
  render(frame, {
    status: 200,
    name: "signout",
    title: "Sign out",
    tile: leave,
    card: markup`<h1>Sign out?</h1>
      <p class="lede">You will be signed out of <bdi>${frame.homeLabel}</bdi> in this browser.</p>
      <form action="${actionPath(frame.basePath, "signout")}" method="POST">
        ${hiddenFields(content.csrfToken, content.callbackUrl)}
        <div class="actions">
          <button type="submit" class="button primary" id="submitButton">Sign out</button>
          <a class="button" href="${homeHref(frame)}">Stay signed in</a>
        </div>
      </form>`,
    footer: false,
    images: [],
    formActions: ownFormActions(frame, content.callbackUrl)
  })
