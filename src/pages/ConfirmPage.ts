/**
 * The page behind a sign-in link: it has one button, and names the account in the browser that asked for the link. Opening it changes nothing; only its form, sent
 * by POST, uses the link up.
 *
 * In the browser that asked for the link a script presses the button. It is a constant, and the page's policy allows it by
 * its hash.
 */
import { empty, markup } from "./Html.ts"
import { actionPath, hiddenFields, homeHref, ownFormActions, type Page, type PageFrame, render } from "./Document.ts"
import { envelope } from "./Icons.ts"

/**
 * The content of the page behind a sign-in link.
 *
 * @category Pages
 * @since 0.1.0
 */
export interface ConfirmContent {
  readonly providerId: string
  /** The address that the link names. */
  readonly email: string
  /** Was the token found to be one that this site sent to the address? Anyone can write an address into a link. */
  readonly isKnown: boolean
  readonly token: string
  readonly csrfToken: string | undefined
  /** Where to go after sign-in, already validated. */
  readonly callbackUrl: string
  /** The signed-in user, who is not the person of the address. */
  readonly other: string | undefined
  /** Press the button without waiting for the person. */
  readonly pressesItself: boolean
}

const formId = "confirm-form"

/** Not `requestSubmit`: the form is complete, and nothing of the page should have a say. */
const press = `document.getElementById("${formId}").submit()`

/**
 * Renders the page behind a sign-in link, status 200.
 *
 * @category Pages
 * @since 0.1.0
 */
export const confirm = (frame: PageFrame, content: ConfirmContent): Page => {
  const { callbackUrl, csrfToken, email, isKnown, other, pressesItself, providerId, token } = content
  const address = markup`as <strong><bdi>${email}</bdi></strong>`
  const notice = markup`<p class="message">You are signed in here as <strong><bdi>${other}</bdi></strong>.
    If you go on, that ends and you are signed in ${isKnown ? address : markup`by the link`}.</p>`
  return render(frame, {
    status: 200,
    name: "signin",
    title: other === undefined ? "Sign in" : "Switch account",
    tile: envelope,
    card: markup`<h1>${other === undefined ? "Sign in?" : "Switch account?"}</h1>
      <p class="lede">${isKnown ? address : empty} to <bdi>${frame.homeLabel}</bdi></p>
      ${other === undefined ? empty : notice}
      <form action="${actionPath(frame.basePath, "callback", providerId)}" method="POST" id="${formId}">
        ${hiddenFields(csrfToken, callbackUrl)}
        <input type="hidden" name="token" value="${token}">
        <input type="hidden" name="email" value="${email}">
        <div class="actions">
          <button type="submit" class="button primary" id="submitButton">${other === undefined ? "Sign in" : "Switch account"}</button>
          <a class="button" href="${homeHref(frame)}">Cancel</a>
        </div>
      </form>`,
    footer: false,
    images: [],
    formActions: ownFormActions(frame, callbackUrl),
    scripts: pressesItself ? [press] : []
  })
}
