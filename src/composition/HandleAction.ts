/**
 * The dispatch of the actions: from a request to a program, and from its result to a response.
 *
 * Failures travel in the error channel. This file alone turns them into a redirect, a page or JSON, and logs, audits and counts
 * each of them once. What a client or an attacker sends never ends in a 5xx. A path that is no action and a provider that is not
 * configured are answered as Auth.js answers them.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describeAll } from "../config/Problem.ts"
import { showsProblems } from "../config/Production.ts"
import { Settings } from "../config/Settings.ts"
import { asksForProblem, AuthRequest, isOfLogout, type RequestFailure, trailingAction } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import type { FailureWithCookies } from "../http/AuthResponse.ts"
import { methodOf } from "../actions/MethodTable.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import type { RequestHeaders } from "../http/RequestHeaders.ts"
import { foreignPage } from "../browser/Csrf.ts"
import { type AuthError, MethodNotAllowed, UnexpectedError, UnknownAction } from "../Errors.ts"
import { outcomeOf, refusedSignIn } from "../signin/RefusedSignIn.ts"
import { ClientAddress, note, reasonOf } from "../telemetry/AuditEmitter.ts"
import { alignedEnd } from "../http/AlignedEnd.ts"
import { viewOfCookie, viewOfLocation, viewOfNames } from "../telemetry/DebugView.ts"
import { debug, isDebugged, isTraced, labelOf, measureCookies, span } from "../telemetry/Signals.ts"
import { adviceOn, clientAddressOf } from "../actions/RequestAdvice.ts"
import { reportUnderId } from "../telemetry/Report.ts"
import { requestId } from "../telemetry/RequestId.ts"
import { keepFailure, publicName } from "../actions/LastFailure.ts"
import { pageUrl } from "../actions/PageAddress.ts"
import { pages } from "../actions/Pages.ts"
import { frame } from "../pages/Frame.ts"
import { findProvider } from "../signin/SignInMethod.ts"
import * as PageActions from "../actions/Pages.ts"
import { atConfiguredAddress } from "../actions/OtherAddress.ts"
import { signInPage } from "../actions/SignInPage.ts"
import { signOutPage } from "../actions/SignOutPage.ts"
import type { Provider } from "../Provider/internal/Provider.ts"
import { lazily } from "../internal/Lazily.ts"
import * as PublicEndpoints from "../actions/PublicEndpoints.ts"
import type { Services } from "./Services.ts"
import * as Session from "../Session.ts"
import { isUnsettled, settle } from "../session/OneSession.ts"
import * as SignIn from "../actions/SignIn.ts"
import { signOut } from "../actions/SignOut.ts"

/**
 * A response, and the failure that it reports, if any.
 *
 * @category models
 * @since 0.1.0
 */
export interface Handled {
  readonly response: AuthResponse.AuthResponse
  readonly failure: AuthError | undefined
}

/** What the actions ask for. */
type Needs = AuthRequest | Services

const wrongMethod = (allow: string): Effect.Effect<never, MethodNotAllowed> =>
  Effect.fail(new MethodNotAllowed({ allow, detail: `This action is answered for ${allow} only` }))

/** A link to the address that a form of the sign-in page posts to. */
const linkedSignIn = Effect.fail(
  new MethodNotAllowed({
    allow: "POST",
    detail: "A sign-in begins with POST and a CSRF token, and a link sends GET",
    fix: "Link to the sign-in page (…/signin), or post a form as that page does."
  })
)

/** Loaded with the first request of one. */
const developerPages = lazily(() => import("../actions/DeveloperPages.ts"))

/** Loaded with the first ceremony. */
const keyOptions = lazily(() => import("../webauthn/WebAuthnOptions.ts"))

/** The program of the request in the context. */
const program = Effect.contextWith((context: Context.Context<Needs>) =>
  choose(Context.get(context, AuthRequest), Context.get(context, Settings))
)

/** Picks the program of a request, which a sign-in at another address than the configured one does not reach. */
const choose = (
  request: AuthRequest["Service"],
  settings: Settings["Service"]
): Effect.Effect<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Needs> =>
  atConfiguredAddress(request, settings, () => pick(request, settings))

const pick = (
  request: AuthRequest["Service"],
  settings: Settings["Service"]
): Effect.Effect<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Needs> => {
  const get = request.method === "GET"
  if (isOfLogout(request)) return logoutOf(settings, request)
  const refusal = !get && changes.has(request.action) && !provesByHeader(request) ? foreignPage(request) : undefined
  if (refusal !== undefined) return Effect.fail(refusal)
  switch (request.action) {
    case "session":
      return get ? Session.read : Session.update
    case "csrf":
      return get ? PublicEndpoints.csrf : wrongMethod("GET")
    case "providers":
      return get ? PublicEndpoints.providers : wrongMethod("GET")
    case "signin":
      if (!get) return SignIn.signIn
      return request.providerId === undefined ? signInPage : linkedSignIn
    case "signout":
      return get ? signOutPage : signOut
    case "backchannel-logout":
      return noAction
    case "error":
      return get ? PageActions.error : wrongMethod("GET")
    case "verify-request":
      return get ? PageActions.verifyRequest : wrongMethod("GET")
    case "mailbox":
      return Effect.flatMap(developerPages, ({ developerMailbox }) => developerMailbox)
    case "callback": {
      const provider = findProvider(settings, request)
      return Result.isSuccess(provider) ? callbackOf(provider.success, request) : Effect.fail(provider.failure)
    }
    case "webauthn-options":
      return get ? Effect.flatMap(keyOptions, ({ webAuthnOptions }) => webAuthnOptions) : wrongMethod("GET")
  }
}

/** The paths of logouts are no actions where no provider takes part in one. */
const noAction = Effect.fail(new UnknownAction({ detail: "No provider of this path takes part in logouts" }))

/** Loaded with the first request of a provider that ends sessions, or of a browser that comes back from one. */
const logouts = lazily(() => import("../actions/LogoutRequests.ts"))
const returns = lazily(() => import("../oauth/ProviderLogout.ts"))

/** Picks the program of a logout that a provider takes part in. */
const logoutOf = (
  settings: Settings["Service"],
  request: AuthRequest["Service"]
): Effect.Effect<AuthResponse.AuthResponse, AuthError, Needs> => {
  const provider = Result.getOrUndefined(findProvider(settings, request))
  if (provider?._tag !== "Oidc") return noAction
  const get = request.method === "GET"
  switch (request.action) {
    case "backchannel-logout":
      if (provider.backchannelLogout === false) return noAction
      return get ? wrongMethod("POST") : Effect.flatMap(logouts, ({ backchannel }) => backchannel(provider))
    default:
      if (provider.logout === undefined) return noAction
      return get ? Effect.flatMap(returns, ({ returned }) => returned(provider)) : wrongMethod("GET")
  }
}

/** Picks the program of a callback. */
const callbackOf = (
  provider: Provider,
  request: AuthRequest["Service"]
): Effect.Effect<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Needs> => {
  const { answersHead, finish, isPostedByOthers } = methodOf(provider.type)
  const refusal = request.method === "GET" || isPostedByOthers === true ? undefined : foreignPage(request)
  if (refusal !== undefined) return Effect.fail(refusal)
  return request.isHead === true && answersHead !== true ? wrongMethod("GET, POST") : finish(provider)
}

/** What changes something when it is posted, besides callbacks, whose provider decides. */
const changes: ReadonlySet<string> = new Set(["session", "signin", "signout"])

/** A page of another site cannot know a bearer token, and without cookies there is nothing else to end. */
const provesByHeader = ({ action, cookies, headers }: AuthRequest["Service"]): boolean =>
  action === "signout" && headers.has("authorization") && cookies.values.size === 0

/** A defect leads to the error page, unless that page has it: browsers would go round in circles. */
const answerDefect = (defect: unknown): Effect.Effect<Handled, never, Settings | AuthRequest> =>
  Effect.flatMap(AuthRequest, ({ action }) =>
    action === "error" ? Effect.die(defect) : answer(new UnexpectedError({ detail: "A defect", cause: defect }), [])
  )

/** The program of the request, with its failures answered. */
const answeredAtOnce = Effect.matchCauseEffect(program, {
  onSuccess: (response) => Effect.succeed<Handled>({ response, failure: undefined }),
  onFailure: (cause) =>
    Effect.matchEffect(Effect.failCause(cause), {
      onSuccess: Effect.succeed<Handled>,
      onFailure: (failure) =>
        failure._tag === "FailureWithCookies" ? answer(failure.failure, failure.cookies) : answer(failure, [])
    }).pipe(Effect.catchDefect(answerDefect))
})

/** The same. Where a method hides its time, the answer ends on a mark of the clock, its line in the log included. */
const answeredInTime = (
  { action, method, providerId = "" }: AuthRequest["Service"],
  { providers }: Settings["Service"]
): typeof answeredAtOnce => {
  if (action !== "callback" || method !== "POST") return answeredAtOnce
  const provider = Result.getOrUndefined(providers.get(providerId))
  const hidesTime = provider !== undefined && methodOf(provider.type).hidesTime?.(provider) === true
  return hidesTime ? alignedEnd(answeredAtOnce) : answeredAtOnce
}

/** The same for a request that may bring several sessions. Most bring one cookie, which needs no look at it. */
const runAction = (context: Context.Context<Needs>): Effect.Effect<Handled, never, Needs> => {
  const request = Context.get(context, AuthRequest)
  const settings = Context.get(context, Settings)
  // A provider ends sessions of others: whose cookies come along does not matter.
  const respond =
    !isOfLogout(request) && isUnsettled(settings, request)
      ? settledFirst(request, settings)
      : answeredInTime(request, settings)
  const arrival = request.arrival?.()
  const client = clientAddressOf(settings, request.headers, arrival)
  const program =
    client === "unknown"
      ? respond
      : Effect.provideService(respond, ClientAddress, typeof client === "object" ? client.address : undefined)
  const advice = adviceOn(settings, request.url, arrival, client)
  return advice === Effect.void ? program : Effect.andThen(advice, program)
}

/** The same for a request with sessions of different users: it has no session, and the response removes all of them. */
const settledFirst = Effect.fnUntraced(function* (
  request: AuthRequest["Service"],
  settings: Settings["Service"]
): Effect.fn.Return<Handled, never, Needs> {
  const { conflict, cookies, request: single } = yield* settle(request)
  const respond = answeredInTime(single, settings)
  if (conflict === undefined) {
    return yield* single === request ? respond : Effect.provideService(respond, AuthRequest, single)
  }
  const id = yield* reportUnderId(conflict, request.headers)
  if (!showsForm(request)) {
    const { failure, response } = yield* Effect.provideService(respond, AuthRequest, single)
    return { failure, response: { ...response, cookies: [...unset(cookies, response.cookies), ...response.cookies] } }
  }
  const response = asksForProblem(request.headers)
    ? yield* problem(conflict, id, cookies)
    : AuthResponse.redirect(pageOf(conflict, id, settings, request), cookies)
  return { failure: conflict, response: withHeaders(response, { "x-request-id": id }) }
})

/** Pages with a form that would be of no use to a person whose browser keeps such cookies. */
const showsForm = ({ action, method, providerId }: AuthRequest["Service"]): boolean =>
  method === "GET" && providerId === undefined && (action === "signin" || action === "signout")

/** Deletions of cookies that the answer does not set itself. */
const unset = (
  deletions: ReadonlyArray<ResponseCookie>,
  cookies: ReadonlyArray<ResponseCookie>
): ReadonlyArray<ResponseCookie> =>
  deletions.filter(
    ({ name, options }) =>
      !cookies.some(
        (set) => set.name === name && set.options.domain === options.domain && set.options.path === options.path
      )
  )

/**
 * Answers the request of the context. Never fails: a failure is logged once and becomes an answer.
 *
 * @category actions
 * @since 0.1.0
 */
export const handle: Effect.Effect<Handled, never, Needs> = Effect.gen(function* () {
  const context = yield* Effect.context<Needs>()
  const request = yield* AuthRequest
  const { action, headers, isHead, url } = request
  const method = isHead === true ? "HEAD" : request.method
  const provider = configuredId(yield* Settings, request)
  const nameSpan = Effect.flatMap(requestId(headers), (id) =>
    Effect.annotateCurrentSpan("effect-doorman.request_id", id)
  )
  const story = Effect.andThen(
    isTraced(context) ? nameSpan : Effect.void,
    debug("request", () => ({
      method,
      action,
      ...(provider === undefined ? {} : { provider }),
      origin: request.origin,
      parameters: viewOfNames([...url.searchParams.keys(), ...Object.keys(request.body ?? {})])
    }))
  ).pipe(
    Effect.andThen(Effect.contextWith(runAction)),
    Effect.tap(({ response }) => measureCookies(response.cookies)),
    Effect.tap((handled) => debug("response", () => viewOfResponse(handled, request.origin))),
    span<Handled>(`effect-doorman.${action}`, {
      attributes: () => ({
        "http.request.method": method,
        ...(provider === undefined ? {} : { "effect-doorman.provider": provider })
      }),
      ended: ({ failure, response }) => ({
        "http.response.status_code": statusOf(response),
        "effect-doorman.outcome": failure === undefined ? "answered" : outcomeOf(failure),
        ...(failure === undefined ? {} : { "error.type": labelOf(failure) })
      }),
      // A mistake of a client is no error of the span.
      failureOf: ({ failure }) => (failure === undefined || outcomeOf(failure) === "refused" ? undefined : failure)
    })
  )
  return yield* isDebugged(context)
    ? Effect.flatMap(requestId(headers), (id) => Effect.annotateLogs(story, "requestId", id))
    : story
})

const statusOf = ({ redirect, status }: AuthResponse.AuthResponse): number =>
  status ?? (redirect === undefined ? 200 : 302)

/** What a debug message says of a response. */
const viewOfResponse = ({ failure, response }: Handled, origin: string) => ({
  status: statusOf(response),
  ...(response.redirect === undefined ? {} : { location: viewOfLocation(response.redirect, origin) }),
  cookies: response.cookies.map(({ name, value }) => `${viewOfCookie(name)}${value === "" ? " removed" : ""}`),
  ...(failure === undefined ? {} : { failure: labelOf(failure) })
})

/** The provider of a request, if it is one of the configuration; `unknown` for what a client made up. */
const configuredId = ({ providers }: Settings["Service"], { providerId }: AuthRequest["Service"]): string | undefined =>
  providerId === undefined || providers.identities.some(({ id }) => id === providerId) ? providerId : "unknown"

/** Logs a failure and answers it. */
const answer = Effect.fnUntraced(function* (
  failure: AuthError,
  cookies: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<Handled, never, Settings | AuthRequest> {
  const request = yield* AuthRequest
  const settings = yield* Settings
  const { action, headers, method } = request
  const id = yield* reportUnderId(failure, headers)
  yield* logFailure(failure, settings, request)
  yield* keepFailure(settings, failure, request, id)
  const idHeader = { "x-request-id": id }
  if (action === "session" && method === "POST" && failure._tag !== "MethodNotAllowed") {
    return { failure, response: withHeaders(AuthResponse.json(null, cookies, 400), idHeader) }
  }
  if (action === "backchannel-logout" && failure._tag !== "UnknownAction" && failure._tag !== "MethodNotAllowed")
    return {
      failure,
      response: withHeaders((yield* logouts).refuse(failure), { ...(yield* problems).headersOf(failure), ...idHeader })
    }
  if (asksForProblem(headers)) return { failure, response: yield* problem(failure, id, cookies) }
  if (isRefusal(failure)) {
    return { failure, response: yield* refused(failure, id, headers, settings, request.url) }
  }
  const response = AuthResponse.redirect(pageOf(failure, id, settings, request), cookies)
  // A client that obeys Retry-After on a redirect is at the sign-in page when the next attempt is allowed.
  return failure._tag === "TooManyAttempts"
    ? { failure, response: withHeaders(response, (yield* problems).headersOf(failure)) }
    : { failure, response }
})

/** Emits a failure to the audit events and the metrics. */
const logFailure = (
  failure: AuthError,
  settings: Settings["Service"],
  request: AuthRequest["Service"]
): Effect.Effect<void> => {
  const reason = reasonOf(failure)
  if (failure._tag === "SignOutError") return note({ _tag: "SignOutFailed", reason })
  const isSignIn = request.action === "signin" || request.action === "callback"
  if (!isSignIn || isRefusal(failure) || failure._tag === "InvalidProvider") {
    return note({ _tag: "RequestRefused", reason })
  }
  return refusedSignIn(failure, configuredId(settings, request))
}

/** Failures of a client that has no page to go to: the status says it all. */
const isRefusal = (failure: AuthError): boolean =>
  failure._tag === "MethodNotAllowed" ||
  failure._tag === "MalformedRequest" ||
  failure._tag === "InvalidCallbackUrl" ||
  failure._tag === "UnknownAction"

/**
 * The page that explains a failure, with `error` and, where there is one, `code`. The error page gets the request id as
 * well: a user who sees it can report it to the operator.
 */
const pageOf = (
  failure: AuthError,
  id: string,
  settings: Settings["Service"],
  request: AuthRequest["Service"]
): string => {
  const query: Record<string, string> = { error: publicName(failure) }
  if (
    failure.isClientSafe &&
    failure.code !== undefined &&
    (failure.kind === "signIn" || failure._tag === "CredentialsSignin")
  ) {
    query["code"] = failure.code
  }
  const page = failure.kind === "signIn" ? settings.pages.signIn : settings.pages.error
  // The built-in sign-in page of a developer shows the failure of that request.
  if (failure.kind === "error" || (page === undefined && showsProblems(request))) query["request_id"] = id
  // Where a person chooses a new account, the form leads to the provider that proved the address.
  if (failure._tag === "UnprovenAddress" && failure.provider !== undefined) query["provider"] = failure.provider
  return pageUrl(
    page ?? `${settings.basePath}/${failure.kind === "signIn" ? "signin" : "error"}`,
    request.origin,
    query
  )
}

/**
 * Reports and answers a request that could not be read, or was refused before there was an action for it.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const reject = Effect.fnUntraced(function* (
  failure: AuthError | RequestFailure,
  headers: RequestHeaders,
  settings: Pick<Settings["Service"], "basePath" | "theme">,
  url: URL
): Effect.fn.Return<Handled & { readonly failure: AuthError }> {
  yield* reportUnderId(failure, headers)
  yield* note({ _tag: "RequestRefused", reason: reasonOf(failure) })
  return { failure, response: yield* refuse(failure, headers, settings, url) }
})

/**
 * Answers a failure that has no page: JSON for API clients, a short page for browsers, the status for both. A path that is no
 * action is not found by browsers, and a bad request of all other clients, as with Auth.js.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const refuse = (
  failure: AuthError | RequestFailure,
  headers: RequestHeaders,
  settings: Pick<Settings["Service"], "basePath" | "theme">,
  url: URL
): Effect.Effect<AuthResponse.AuthResponse> =>
  Effect.flatMap(requestId(headers), (id) => {
    // A client whose base path is wrong may read the body alone: it must find no session there, whatever it accepts.
    if (failure._tag === "UnknownAction" && trailingAction(url.pathname)?.action === "session")
      return Effect.succeed(withHeaders(AuthResponse.json(null, [], failure.status), { "x-request-id": id }))
    return asksForProblem(headers) ? problem(failure, id, []) : refused(failure, id, headers, settings, url)
  })

const refused = Effect.fnUntraced(function* (
  failure: AuthError | RequestFailure,
  id: string,
  headers: RequestHeaders,
  settings: Pick<Settings["Service"], "basePath" | "theme">,
  url: URL
): Effect.fn.Return<AuthResponse.AuthResponse> {
  const isPerson = headers.get("accept")?.includes("text/html") === true
  if (failure._tag === "UnknownAction" && !isPerson) {
    return withHeaders(AuthResponse.json("Bad request.", [], failure.status), { "x-request-id": id })
  }
  const status = failure._tag === "UnknownAction" ? 404 : failure.status
  const response = isPerson
    ? AuthResponse.page(
        (yield* pages).clientError(frame(settings, url), {
          status,
          requestId: id,
          problems: showsProblems({ headers, url }) ? describeAll(failure) : undefined
        })
      )
    : AuthResponse.json({ message: failure.remedy }, [], failure.status)
  const { headersOf } = yield* problems
  return withHeaders(response, { ...headersOf(failure), "x-request-id": id })
})

/** Loaded when the first program asks. */
const problems = lazily(() => import("../http/ProblemDetails.ts"))

/**
 * Answers a failure as problem details, for a program that asks for JSON.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const problem = (
  failure: AuthError,
  id: string,
  cookies: ReadonlyArray<ResponseCookie>
): Effect.Effect<AuthResponse.AuthResponse> =>
  Effect.map(problems, ({ headersOf, problemOf }) =>
    AuthResponse.problem(problemOf(failure, id), cookies, { ...headersOf(failure), "x-request-id": id })
  )

const withHeaders = (
  response: AuthResponse.AuthResponse,
  headers: Readonly<Record<string, string>>
): AuthResponse.AuthResponse => ({ ...response, headers: { ...response.headers, ...headers } })
