export { type Color, contrast, formatColor, parseColor, textOn } from "./pages/Color.ts";
export type { Page, PageFrame } from "./pages/Document.ts";
export { clientError, type ClientErrorContent, error, type ErrorContent, verifyRequest } from "./pages/NoticePage.ts";
export type { CredentialsField } from "./pages/SignInField.ts";
export type { CredentialsEntry, EmailEntry, RedirectProviderEntry, SignInEntry } from "./pages/SignInMethod.ts";
export { signIn, type SignInContent } from "./pages/SignInPage.ts";
export { signOut, type SignOutContent } from "./pages/SignOutPage.ts";
export { type PageTheme, parseImage, themeProblems } from "./pages/Theme.ts";
