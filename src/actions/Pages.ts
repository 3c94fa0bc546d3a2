/**
 * The actions that show a page: the built-in one, or the way to the application's own.
 *
 * The pages themselves are in `Pages.ts`, which is loaded when the first one is shown.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Adapter, storageOf } from "../storage/Storage.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import type { Callbacks } from "../Callbacks.ts"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import { describe } from "../config/Problem.ts"
import { showsProblems } from "../config/Production.ts"
import { Csrf, type CsrfToken } from "../browser/Csrf.ts"
import type { SessionServices } from "../session/SessionStore.ts"
import { type PageFunctions, PageRenderer } from "../Pages.ts"
import type { PageFrame, SignInEntry } from "../pages/BuiltInPages.ts"
import { methodOf } from "./MethodTable.ts"
import type { Seal } from "../browser/Seal.ts"
import { heldProof } from "../signin/AddressChoice.ts"
import { currentUser } from "../session/CurrentUser.ts"
import { subjectOf } from "../session/SessionOwner.ts"
import { frame } from "../pages/Frame.ts"
import { isPageError, isPageCode } from "../internal/PageError.ts"
import { isRequestId } from "../telemetry/RequestId.ts"
import { isLine } from "../internal/Text.ts"

/**
 * The functions that draw the pages.
 *
 * @category combinators
 * @since 0.1.0
 */
export const pages: Effect.Effect<PageFunctions> = Effect.flatMap(PageRenderer, (functions) => functions)

/** What the sign-in page needs. */
type Services = Adapter | Settings | AuthRequest | Callbacks | Csrf | SessionServices | Seal

/**
 * `GET signin`: the sign-in page.
 *
 * @category actions
 * @since 0.1.0
 */
export const signIn: Effect.Effect<AuthResponse.AuthResponse, never, Services> = Effect.gen(function* () {
  const context = yield* Effect.context<Services>()
  const request = Context.get(context, AuthRequest)
  const settings = Context.get(context, Settings)
  const callbackUrl = yield* CallbackUrl.targetOrOrigin(request)
  const spoilt = CallbackUrl.forgetSpoilt(settings, request)
  const error = known(request, "error", isPageError)
  const code = known(request, "code", isPageCode)
  const authorization = authorizationOf(request)
  if (settings.pages.signIn !== undefined) {
    const query: Record<string, string> = { callbackUrl }
    if (error !== undefined) query["error"] = error
    if (code !== undefined) query["code"] = code
    Object.assign(query, authorization)
    return AuthResponse.redirect(pageUrl(settings.pages.signIn, request.origin, query), spoilt)
  }
  const token = yield* csrfToken(context)
  const held = error === "UnprovenAddress" ? yield* heldProof(settings, request) : undefined
  const { signIn } = yield* Context.get(context, PageRenderer)
  const page = signIn(frame(settings, request.url), {
    providers: entries(settings.providers, yield* addsKeys(context)),
    csrfToken: token?.token,
    callbackUrl: held?.target ?? callbackUrl,
    error,
    code,
    authorization,
    ...(held === undefined ? {} : { unproven: { providerId: held.provider, email: held.email } })
  })
  return AuthResponse.page(page, [...spoilt, ...(token?.cookies ?? [])])
})

/**
 * `GET signout`: asks before anything ends.
 *
 * @category actions
 * @since 0.1.0
 */
export const signOut: Effect.Effect<
  AuthResponse.AuthResponse,
  never,
  Settings | AuthRequest | Callbacks | Csrf | SessionServices
> = Effect.gen(function* () {
  const context = yield* Effect.context<Settings | AuthRequest | Csrf | SessionServices>()
  const request = Context.get(context, AuthRequest)
  const settings = Context.get(context, Settings)
  if (settings.pages.signOut !== undefined)
    return AuthResponse.redirect(pageUrl(settings.pages.signOut, request.origin, {}))
  const callbackUrl = yield* CallbackUrl.targetOrOrigin(request)
  const token = yield* csrfToken(context)
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

/**
 * `GET error`: what went wrong, in words.
 *
 * @category actions
 * @since 0.1.0
 */
export const error: Effect.Effect<AuthResponse.AuthResponse, never, Settings | AuthRequest> = Effect.gen(function* () {
  const request = yield* AuthRequest
  const settings = yield* Settings
  const error = known(request, "error", isPageError)
  const code = known(request, "code", isPageCode)
  // The name of the request that failed: what the person sees here, the operator finds in the log.
  const requestId = known(request, "request_id", isRequestId)
  if (settings.pages.error !== undefined) {
    const query: Record<string, string> = {}
    if (error !== undefined) query["error"] = error
    if (requestId !== undefined) query["request_id"] = requestId
    return AuthResponse.redirect(pageUrl(settings.pages.error, request.origin, query))
  }
  const { error: errorPage } = yield* pages
  const problems =
    error === "Configuration" && showsProblems(request.url)
      ? settings.problems().map((problem) => describe(problem.error))
      : undefined
  return AuthResponse.page(errorPage(frame(settings, request.url), { error, code, requestId, problems }))
})

/**
 * `GET verify-request`: a mail is on its way.
 *
 * @category actions
 * @since 0.1.0
 */
export const verifyRequest: Effect.Effect<AuthResponse.AuthResponse, never, Settings | AuthRequest> = Effect.gen(
  function* () {
    const request = yield* AuthRequest
    const settings = yield* Settings
    if (settings.pages.verifyRequest !== undefined) {
      return AuthResponse.redirect(
        pageUrl(settings.pages.verifyRequest, request.origin, Object.fromEntries(request.url.searchParams))
      )
    }
    const { verifyRequest } = yield* pages
    return AuthResponse.page(verifyRequest(frame(settings, request.url)))
  }
)

/**
 * The absolute address of an application's page with further parameters; one of the same name is replaced.
 *
 * @category constructors
 * @since 0.1.0
 */
export const pageUrl = (page: string, origin: string, query: Readonly<Record<string, string>>): string => {
  const url = new URL(page, origin)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** The token for the forms of a page; `undefined` where the framework has a protection of its own. */
const csrfToken = (
  context: Context.Context<Settings | AuthRequest | Csrf | SessionServices>
): Effect.Effect<CsrfToken | undefined, never, Settings | SessionServices> => {
  if (Context.get(context, Settings).skipCsrfCheck) return Effect.undefined
  const request = Context.get(context, AuthRequest)
  return Effect.flatMap(subjectOf(request), (subject) => Context.get(context, Csrf).token(request, subject))
}

const known = (
  request: AuthRequest["Service"],
  name: string,
  isKnown: (value: string) => boolean
): string | undefined => {
  const value = request.url.search === "" ? null : request.url.searchParams.get(name)
  return value !== null && isKnown(value) ? value : undefined
}

/** The requirement in the URL, as an endpoint states it. The endpoint checks the resulting session by itself. */
const authorizationOf = (request: AuthRequest["Service"]): Readonly<Record<string, string>> => {
  const maxAge = known(request, "max_age", (value) => /^\d{1,9}$/.test(value))
  const acr = known(request, "acr_values", (value) => value !== "" && isLine(value, longestAcr))
  const prompt = known(request, "prompt", (value) => value === "login")
  return {
    ...(maxAge === undefined ? {} : { max_age: maxAge }),
    ...(acr === undefined ? {} : { acr_values: acr }),
    ...(prompt === undefined ? {} : { prompt })
  }
}

/** Longest list of authentication context classes, in UTF-16 code units: an authorization request takes no longer parameter. */
const longestAcr = 512

/** Is a user signed in who can add a passkey? Asks the store only where passkeys are configured and a session exists. */
const addsKeys = (
  context: Context.Context<Adapter | Settings | AuthRequest>
): Effect.Effect<boolean, never, Settings | AuthRequest | SessionServices> => {
  const adapter = storageOf(Context.get(context, Adapter))
  const { identities } = Context.get(context, Settings).providers
  return adapter === undefined || !identities.some(({ type }) => methodOf(type).canBeAdded === true)
    ? Effect.succeed(false)
    : Effect.flatMap(subjectOf(Context.get(context, AuthRequest)), (subject) =>
        subject === undefined
          ? Effect.succeed(false)
          : Effect.match(currentUser(adapter), {
              onFailure: () => false,
              onSuccess: (current) => current !== undefined
            })
      )
}

type Registry = Settings["Service"]["providers"]

/** The buttons and forms of a configuration: the same list at every request, so that the page keeps what it made of it. */
const entries = (registry: Registry, addsKeys: boolean): ReadonlyArray<SignInEntry> => {
  const kept = addsKeys ? made.adding : made.plain
  const known = kept.get(registry)
  if (known !== undefined) return known
  const list = registry.identities.flatMap((identity) =>
    methodOf(identity.type).entries(identity, Result.getOrUndefined(registry.get(identity.id)), addsKeys)
  )
  kept.set(registry, list)
  return list
}

const made = {
  plain: new WeakMap<Registry, ReadonlyArray<SignInEntry>>(),
  adding: new WeakMap<Registry, ReadonlyArray<SignInEntry>>()
}
