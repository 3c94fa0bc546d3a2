/**
 * The sign-in page: the built-in one, or the way to the application's own.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { isPageCode, isPageError } from "../internal/PageError.ts"
import { isLine } from "../internal/Text.ts"
import { PageRenderer } from "../Pages.ts"
import { frame } from "../pages/Frame.ts"
import { formToken, type FormServices } from "../session/CsrfGuard.ts"
import { heldProof } from "../signin/AddressChoice.ts"
import { isFirstTime } from "../internal/OncePerProcess.ts"
import { lastFailure } from "./LastFailure.ts"
import { addressHint } from "./OtherAddress.ts"
import { pageUrl, parameter } from "./PageAddress.ts"
import { addsKeys, entriesOf } from "./SignInEntries.ts"

/** The dependencies of the page. */
type Services = FormServices | Effect.Services<ReturnType<typeof CallbackUrl.targetOrOrigin | typeof heldProof>>

/**
 * `GET signin`: the sign-in page.
 *
 * @category actions
 * @since 0.1.0
 */
export const signInPage = Effect.gen(function* () {
  const context = yield* Effect.context<Services>()
  const request = Context.get(context, AuthRequest)
  const settings = Context.get(context, Settings)
  const callbackUrl = yield* CallbackUrl.targetOrOrigin(request)
  const cleared = CallbackUrl.clearInvalid(settings, request)
  const error = parameter(request, "error", isPageError)
  const code = parameter(request, "code", isPageCode)
  const authorization = authorizationOf(request)
  if (settings.pages.signIn !== undefined) {
    const query: Record<string, string> = { callbackUrl }
    if (error !== undefined) query["error"] = error
    if (code !== undefined) query["code"] = code
    Object.assign(query, authorization)
    return AuthResponse.redirect(pageUrl(settings.pages.signIn, request.origin, query), cleared)
  }
  if (isFramed(request) && isFirstTime("framed sign-in")) yield* Effect.logWarning(framed)
  const token = yield* formToken
  const held = error === "UnprovenAddress" ? yield* heldProof(settings, request) : undefined
  const { signIn } = yield* Context.get(context, PageRenderer)
  const page = signIn(frame(settings, request.url), {
    providers: entriesOf(settings.providers, yield* addsKeys(context)),
    csrfToken: token?.token,
    callbackUrl: held?.target ?? callbackUrl,
    asksToRemember: settings.session.rememberMe === "ask",
    error,
    code,
    authorization,
    problems: [...addressHint(request, settings), ...lastFailure(settings, request)],
    ...(held === undefined ? {} : { unproven: { providerId: held.provider, email: held.email } })
  })
  return AuthResponse.page(page, [...cleared, ...(token?.cookies ?? [])])
})

/** The requirement in the URL, as an endpoint states it. The endpoint checks the resulting session by itself. */
const authorizationOf = (request: AuthRequest["Service"]): Readonly<Record<string, string>> => {
  const maxAge = parameter(request, "max_age", (value) => /^\d{1,9}$/.test(value))
  const acr = parameter(request, "acr_values", (value) => value !== "" && isLine(value, longestAcr))
  const prompt = parameter(request, "prompt", (value) => value === "login")
  return {
    ...(maxAge === undefined ? {} : { max_age: maxAge }),
    ...(acr === undefined ? {} : { acr_values: acr }),
    ...(prompt === undefined ? {} : { prompt })
  }
}

/** Longest list of authentication context classes, in UTF-16 code units: an authorization request takes no longer parameter. */
const longestAcr = 512

/** Browsers name what a page is opened for (Fetch Metadata). */
const isFramed = ({ headers }: AuthRequest["Service"]): boolean =>
  /^(?:iframe|frame|object|embed|fencedframe)$/.test(headers.get("sec-fetch-dest") ?? "")

const framed =
  'The sign-in page was opened in a frame of another page, where browsers show nothing of it. Fix: Open it in the whole window, for example by a link with target="_top".'
