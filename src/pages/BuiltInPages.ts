/**
 * The built-in pages: sign-in, sign-out, error, verify-request and the plain page for a refused request.
 *
 * Plain functions from plain data to a status, headers and HTML. The pages run no script but two constants of this package
 * (one for keys, one that presses a button), ask no other origin for anything (unless the configuration names an image
 * there), and carry a Content Security Policy that holds them to it.
 * They are not where a request is judged: destination, token and error value arrive here already decided.
 *
 * @since 0.1.0
 */

export { type Color, contrast, formatColor, parseColor, textOn } from "./Color.ts"
export type { Page, PageFrame } from "./Document.ts"
export { confirm, type ConfirmContent } from "./ConfirmPage.ts"
export { clientError, type ClientErrorContent, error, type ErrorContent, verifyRequest } from "./NoticePage.ts"
export type { WebAuthnEntry } from "./PasskeyForm.ts"
export type { CredentialsField } from "./SignInField.ts"
export type { CredentialsEntry, EmailEntry, RedirectProviderEntry, SignInEntry } from "./SignInMethod.ts"
export { signIn, type SignInContent } from "./SignInPage.ts"
export { signOut, type SignOutContent } from "./SignOutPage.ts"
export { type PageTheme, parseImage, themeProblems } from "./Theme.ts"
