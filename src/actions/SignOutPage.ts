/**
 * The page that asks before a sign-out.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { PageRenderer } from "../Pages.ts"
import type { PageFrame } from "../pages/BuiltInPages.ts"
import { frame } from "../pages/Frame.ts"
import { formToken, type FormServices } from "../session/CsrfGuard.ts"
import { pageUrl } from "./PageAddress.ts"

/** The dependencies of the page. */
type Services = FormServices | Effect.Services<ReturnType<typeof CallbackUrl.targetOrOrigin>>

/**
 * `GET signout`: asks before anything ends.
 *
 * @category actions
 * @since 0.1.0
 */
export const signOutPage = Effect.gen(function* () {
  const context = yield* Effect.context<Services>()
  const request = Context.get(context, AuthRequest)
  const settings = Context.get(context, Settings)
  if (settings.pages.signOut !== undefined)
    return AuthResponse.redirect(pageUrl(settings.pages.signOut, request.origin, {}))
  const callbackUrl = yield* CallbackUrl.targetOrOrigin(request)
  const token = yield* formToken
  const { signOut } = yield* Context.get(context, PageRenderer)
  return AuthResponse.page(
    signOut(signOutFrame(settings, request.url), { csrfToken: token?.token, callbackUrl }),
    token?.cookies
  )
})

/**
 * Browsers hold the redirect to a provider to what the form may lead to. The `end_session_endpoint` may have another origin than
 * the issuer, and may send the browser on to others that are not known here, so every `https:` origin is allowed, as on the
 * sign-in page.
 */
const signOutFrame = (settings: Settings["Service"], url: URL): PageFrame => {
  const { providers } = settings
  const made = frame(settings, url)
  const origins = providers.identities.flatMap(({ id, type }) => {
    const provider = type === "oidc" ? Result.getOrUndefined(providers.get(id)) : undefined
    const issuer = provider?._tag === "Oidc" && provider.logout !== undefined ? provider.issuer : undefined
    return issuer !== undefined && URL.canParse(issuer) ? ["https:", new URL(issuer).origin] : []
  })
  return origins.length === 0 ? made : { ...made, formActionOrigins: [...(made.formActionOrigins ?? []), ...origins] }
}
