/**
 * One configuration at work behind the Promise facade: services built once, one program run per request.
 *
 * An instance belongs to a configuration object and is rebuilt when a member of it changes; framework packages change and
 * pass on the same object. The network and the source of random bytes are the process's and are built once.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as HandleAction from "../composition/HandleAction.ts"
import { type Compiled, compile, logProblems, type Options, Settings, type Situation } from "../config/Settings.ts"
import { logMissingPackages } from "../config/OptionalPackages.ts"
import { describeAll, type Problem } from "../config/Problem.ts"
import { publicUrl } from "../config/HostPolicy.ts"
import { showsProblems } from "../config/Production.ts"
import {
  asksForProblem,
  AuthRequest,
  completeRequest,
  isWebAddress,
  type RequestFailure,
  route,
  startRequest,
  trailingAction,
  webParts
} from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import type { Doorman } from "../Doorman.ts"
import {
  type AuthError,
  ErrorPageLoop,
  InvalidConfiguration,
  isAuthError,
  MalformedRequest,
  UnexpectedError,
  UnknownAction
} from "../Errors.ts"
import type { Endpoint } from "../http/AuthAction.ts"
import { thrownAs, thrownByApplication } from "../authjs/AuthJsError.ts"
import { logForeign } from "../authjs/LoggerBridge.ts"
import { causeText } from "../internal/FailureText.ts"
import { isRaw } from "../internal/Markers.ts"
import { Application, refuseEffects } from "../internal/Answer.ts"
import { Network, platformNetwork } from "../internal/Network.ts"
import { isFirstTime } from "../internal/OncePerProcess.ts"
import { ownMember } from "../internal/OwnProperty.ts"
import type { RequestParts, WireResponse } from "../http/PlainExchange.ts"
import type { RequestHeaders } from "../http/RequestHeaders.ts"
import { isConfig, kindOf } from "./Arguments.ts"
import { fromFunctions } from "./FunctionFace.ts"
import { unavailable } from "./WithoutEngine.ts"
import { scopeOf } from "../crypto/Scope.ts"
import type { ResponseInternal } from "../compat/ResponseInternal.ts"
import { requestId } from "../telemetry/RequestId.ts"
import { pageUrl } from "../actions/PageAddress.ts"
import { pages } from "../actions/Pages.ts"
import { frame } from "../pages/Frame.ts"
import { compose, logging, type Platform, processMemories } from "../composition/Services.ts"

export type { ResponseInternal } from "../compat/ResponseInternal.ts"

/**
 * The result of a request: a response, and the failure that it reports.
 *
 * @category models
 * @since 0.1.0
 */
export type Answered = HandleAction.Handled & {
  /** Answered before any action was picked: a `Response` even in raw mode. */
  readonly final?: boolean
}

/**
 * A configuration at work.
 *
 * @category models
 * @since 0.1.0
 */
export interface Instance {
  /**
   * Answers a request, by the URL that its server knows it by. The fiber has ended already when nothing had to be waited for.
   */
  readonly answer: (request: RequestParts, url: URL, fromServer?: boolean) => Fiber.Fiber<Answered>
  /** Logs and answers what the application threw for a request, or a defect of the library. */
  readonly fail: (thrown: unknown, request: RequestParts, url: URL) => Fiber.Fiber<Answered>
  /** The services that programs need for a request, or for no request; a failure where the options cannot be used there. */
  readonly doorman: (request?: Request) => Result.Result<Doorman["Service"], AuthError>
}

/** The platform's own services; they hold nothing of any configuration. */
const platform: Context.Context<Platform> = Context.make(Network, platformNetwork).pipe(
  Context.add(SecureRandom.SecureRandom, SecureRandom.make(SecureRandom.randomBytesUnsafe)),
  Context.add(Application, refuseEffects)
)

const run = <A, R>(context: Context.Context<R>, program: Effect.Effect<A, never, R>): Fiber.Fiber<A> =>
  Effect.runForkWith(context)(program)

/** The result of a fiber: at once when it has ended. A defect has an answer of its own. */
const resultOf = (
  fiber: Fiber.Fiber<Answered>,
  recover?: (defect: unknown) => Fiber.Fiber<Answered>
): Answered | Promise<Answered> => {
  const settle = (exit: Exit.Exit<Answered>): Answered | Promise<Answered> => {
    if (Exit.isSuccess(exit)) return exit.value
    const defect = Cause.squash(exit.cause)
    if (recover === undefined) throw defect
    return resultOf(recover(defect))
  }
  const exit = fiber.pollUnsafe()
  return exit === undefined
    ? new Promise<Exit.Exit<Answered>>((resolve) => fiber.addObserver(resolve)).then(settle)
    : settle(exit)
}

/**
 * Builds an instance. Never fails: wrong options make an instance that answers with the problem. Where a problem depends on
 * the request (is this the public site, which cookies does it use), there is one for each situation. `problems` are those
 * that the caller found in what it made the options of; `isDropIn`: the function `Auth` asks.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  options: Options,
  given: ReadonlyMap<string, unknown> = new Map(),
  problems: ReadonlyArray<Problem> = [],
  isDropIn = false
): Instance => {
  const accepted = fromFunctions(options)
  const configuration = compile(
    accepted.options,
    [...problems, ...accepted.problems],
    isDropIn ? "drop-in" : "functions"
  )
  const built = new Map<string, Built>()
  let always: Built | undefined
  const at = (url: URL | undefined): Built => {
    if (!configuration.dependsOnRequest)
      return (always ??= build(options, configuration, configuration.situation(), given))
    const situation = configuration.situation(url)
    const key = `${situation.production} ${situation.cookies}`
    const instance = built.get(key) ?? build(options, configuration, situation, given)
    built.set(key, instance)
    return instance
  }
  return {
    answer: (request, known, fromServer = false) => {
      const url = publicUrl(configuration.hosts, known)
      return url === undefined
        ? run(logging(options), answerUnnamed(configuration, request, known))
        : at(url).answering(request, url, { fromServer, isDropIn })
    },
    fail: (thrown, request, known) =>
      run(logging(options), answerThrown({ compiled: configuration, logger: options.logger }, thrown, request, known)),
    doorman: (request) => {
      const url = request === undefined ? undefined : publicUrl(configuration.hosts, new URL(request.url))
      return request !== undefined && url === undefined ? Result.fail(foreignHost()) : at(url).doorman
    }
  }
}

/** A disconnecting client undoes nothing: the library completes the action. */
const handle = Effect.uninterruptible(HandleAction.handle)

/** A configuration in one situation. */
interface Built {
  readonly answering: Answering
  readonly doorman: Result.Result<Doorman["Service"], AuthError>
}

/** Answers a request at its public URL. */
type Answering = (
  request: RequestParts,
  url: URL,
  caller: Pick<AuthRequest["Service"], "fromServer" | "isDropIn">
) => Fiber.Fiber<Answered>

const foreignHost = (): MalformedRequest =>
  new MalformedRequest({ detail: "The URL of the request names no host that it may name" })

/** The answer to a request that names a host which it may not name. */
const answerUnnamed = (compiled: Compiled, { headers }: RequestParts, { pathname }: URL): Effect.Effect<Answered> => {
  const failure = foreignHost()
  const path = pathname.startsWith("/") ? pathname : "/"
  return Effect.map(HandleAction.reject(failure, headers, compiled, new URL(`http://localhost${path}`)), (handled) => ({
    ...handled,
    final: true
  }))
}

/** Answers what was thrown: a page with the reference for people, and on the developer's machine what is wrong. */
const answerThrown = Effect.fnUntraced(function* (
  { compiled, logger }: { readonly compiled: Compiled; readonly logger: Options["logger"] },
  thrown: unknown,
  { headers }: RequestParts,
  known: URL
): Effect.fn.Return<Answered> {
  const id = yield* requestId(headers)
  const failure = isAuthError(thrown)
    ? thrown
    : new UnexpectedError({ detail: causeText(thrown), fix: "Look at the stack in the log.", cause: thrown })
  if (failure === thrown) yield* Effect.annotateLogs(Effect.logError(failure), "requestId", id)
  else logForeign(logger, thrown, id)
  const url = publicUrl(compiled.hosts, known) ?? new URL("http://localhost/")
  const isPage = headers.get("accept")?.includes("text/html") === true
  const written = isPage ? builtInError(compiled, url, { failure, headers, id }) : HandleAction.problem(failure, id, [])
  // Files that draw answers may be what could not be loaded.
  const response = yield* Effect.catchDefect(written, () =>
    Effect.succeed(AuthResponse.json({ message: unavailable(id) }, [], 500))
  )
  return {
    response: { ...response, headers: { ...response.headers, "x-request-id": id }, status: failure.status },
    failure,
    final: true
  }
})

const build = (
  options: Options,
  compiled: Compiled,
  situation: Situation,
  given: ReadonlyMap<string, unknown>
): Built => {
  const logger = logging(options)
  const compiledSettings = compiled.settingsIn(situation)
  const isNew = newLines(compiled.basePath, compiledSettings)
  // A configuration that is made for every request has its providers examined once.
  const isFirst = isNew(`providers ${compiled.providerIds.join()}`)
  const problemLog = logProblems(compiled, situation, isNew, isFirst)
  if (problemLog !== Effect.void) Effect.runSyncWith(logger)(problemLog)
  if (Result.isFailure(compiledSettings)) {
    const reject = broken(compiled, compiledSettings.failure)
    return {
      answering: (request, url) => run(logger, reject(request, url)),
      doorman: Result.fail(compiledSettings.failure)
    }
  }
  const settings = compiledSettings.success
  // In the background: no answer waits for it.
  if (isFirst) Effect.runForkWith(logger)(logMissingPackages(settings.providers))
  const memories = processMemories(settings)
  const context = compose(
    settings,
    Context.merge(platform, logger),
    given.size === 0 ? memories : new Map([...memories, ...given])
  )
  const refuse = (failure: RequestFailure, { headers }: RequestParts, url: URL): Effect.Effect<Answered> => {
    const isMisplaced = failure._tag === "UnknownAction" && !isBelow(settings.basePath, url.pathname)
    const pathWarning = isMisplaced && isNew("basePath") ? otherPath(settings.basePath, url.pathname) : Effect.void
    return Effect.map(Effect.andThen(pathWarning, HandleAction.reject(failure, headers, settings, url)), (handled) => ({
      ...handled,
      final: true
    }))
  }
  // Most look-ups are of the settings. Found above the other services, they do not make Effect copy all of these for one request.
  const withRequest = <R>(here: Context.Context<R>, read: AuthRequest["Service"]) =>
    Context.add(Context.add(here, Settings, settings), AuthRequest, read)
  return {
    answering: (request, url, caller) => {
      const started = startRequest(request, settings.basePath, url)
      if (started instanceof Error) return run(context, refuse(started, request, url))
      const read = { ...started, ...caller }
      // Without a body there is nothing to wait for before the action.
      if (read.method === "GET") return run(withRequest(context, read), handle)
      const program = Effect.matchEffect(completeRequest(read, request), {
        onSuccess: (complete) => Effect.updateContext(handle, (here: typeof context) => withRequest(here, complete)),
        onFailure: (failure) => refuse(failure, request, url)
      })
      return run(context, program)
    },
    doorman: Result.succeed({
      "~effect-doorman/Doorman": "effect-doorman/Doorman",
      settings,
      services: context,
      servicesHere: Effect.succeed(context)
    })
  }
}

/**
 * Which lines of a configuration are new in this process? Secret and base path identify it: one that is made for every
 * request is still the same one.
 */
const newLines = (basePath: string, settings: ReturnType<Compiled["settingsIn"]>): ((line: string) => boolean) => {
  const scope = scopeOf("log", basePath, Result.isSuccess(settings) ? settings.success.secrets[0] : undefined)
  return (line) => isFirstTime(`${scope} ${line}`)
}

const isBelow = (basePath: string, pathname: string): boolean =>
  pathname === basePath || pathname.startsWith(`${basePath}/`)

/** Says that the requests of a site do not begin with its base path. */
const otherPath = (basePath: string, pathname: string): Effect.Effect<void> =>
  Effect.logError(
    new UnknownAction({
      field: "basePath",
      detail: `The path of a request must begin with basePath: it is ${pathname.slice(0, 200)}, and basePath is ${basePath}`
    })
  )

/**
 * The mistake of the facade's arguments, which plain JavaScript may pass: answered, and explained in one line of
 * the log.
 *
 * @category constructors
 * @since 0.1.0
 */
export const answerMisuse = (request: unknown, config: unknown): Promise<Response> | undefined => {
  const isUsable = isRequest(request)
  if (isUsable && isConfig(config)) return undefined
  const [field, detail] = isConfig(config)
    ? ["request", `a web Request with an absolute URL as its first argument; it got ${kindOf(request)}`]
    : ["config", `an object with the configuration as its second argument; it got ${kindOf(config)}`]
  const failure = new InvalidConfiguration({ field, detail: `Auth(request, config) expects ${detail}` })
  const logger = logging(isConfig(config) ? config : nothing)
  const answer: Effect.Effect<Answered> = isUsable
    ? broken(compile(nothing), failure)(request, new URL(request.url))
    : Effect.as(Effect.logError(failure), { response: AuthResponse.json(null, [], 400), failure })
  return Promise.resolve(resultOf(run(logger, answer))).then(({ response }) => AuthResponse.toWeb(response))
}

/** The options of an application that passed none. */
const nothing: Options = { providers: [] }

/** Is this a request, of this realm or of another implementation of the Fetch standard? */
const isRequest = (value: unknown): value is Request =>
  value instanceof Request ||
  (typeof value === "object" &&
    value !== null &&
    "headers" in value &&
    typeof value.headers === "object" &&
    value.headers !== null &&
    "get" in value.headers &&
    "method" in value &&
    "url" in value &&
    typeof value.url === "string" &&
    URL.canParse(value.url))

/** The URLs that browsers open as pages. */
const pageActions: ReadonlySet<string> = new Set(["signin", "signout", "error", "verify-request"])

/** Answers everything with the problem of the options, in the form that each client takes for "signed out". */
const broken = (compiled: Compiled, failure: AuthError) =>
  Effect.fnUntraced(function* ({ headers, method }: Asking, url: URL): Effect.fn.Return<Answered> {
    const id = yield* requestId(headers)
    yield* Effect.annotateLogs(Effect.logError(failure), "requestId", id)
    const route = isWebAddress(url) ? readAddress(compiled, url) : undefined
    const response =
      method === "GET" && route !== undefined && pageActions.has(route.action)
        ? yield* problemPage(compiled, url, { failure, headers, id })
        : asksForProblem(headers) && !bodies.has(route?.action ?? "")
          ? yield* HandleAction.problem(failure, id, [])
          : refusal(route?.action, headers, () => errorAddress(compiled, route?.basePath ?? compiled.basePath, url, id))
    const headersOf = response.redirect === undefined ? { ...response.headers, "x-request-id": id } : response.headers
    return { response: { ...response, headers: headersOf }, failure, final: true }
  })

/** The action of a request; the base path itself may be the mistake. */
const readAddress = ({ basePath }: Compiled, { pathname }: URL) => {
  const match = route(basePath, pathname)
  // Two slashes at the beginning of an address would name a host (RFC 3986 section 4.2).
  return match === undefined
    ? trailingAction(pathname)
    : { basePath: basePath.replace(/^\/{2,}/, "/"), action: match.action }
}

/** The actions whose body clients read without looking at the status: no header of a visitor chooses another one. */
const bodies: ReadonlySet<string> = new Set(["session", "providers", "csrf"])

/** The answer to a program: a body without session, provider and token, whatever the status. */
const refusal = (
  action: Endpoint | undefined,
  headers: RequestHeaders,
  errorPage: () => string
): AuthResponse.AuthResponse => {
  switch (action) {
    case "session":
      return AuthResponse.json(null, [], 500)
    case "providers":
      return AuthResponse.json({}, [], 500)
    case "csrf":
      return AuthResponse.empty(500)
    case "signin":
    case "signout":
    case "callback":
      return headers.has("x-auth-return-redirect")
        ? AuthResponse.json({ url: errorPage() }, [], 500)
        : AuthResponse.redirect(errorPage())
    default:
      return AuthResponse.json(
        { message: "There is a problem with the server configuration. Check the server logs for more information." },
        [],
        500
      )
  }
}

/** The page where a browser that sent a form shows the failure. */
const errorAddress = (
  { basePath, errorPage }: Compiled,
  addressedPath: string,
  { origin }: URL,
  id: string
): string => {
  const isOwnPage = errorPage === undefined || isOwnAction(errorPage, basePath, origin)
  // Behind the origin, because a path that begins with two slashes would read as a host.
  return pageUrl(isOwnPage ? `${origin}${addressedPath}/error` : errorPage, origin, {
    error: "Configuration",
    request_id: id
  })
}

/** A failure that a page tells the sender of a request. */
interface Told {
  readonly failure: AuthError
  readonly headers: RequestHeaders
  readonly id: string
}

/** The error page of the application, or the built-in one when there is none or when it led here itself. */
const problemPage = Effect.fnUntraced(function* (
  compiled: Compiled,
  url: URL,
  { failure, headers, id }: Told
): Effect.fn.Return<AuthResponse.AuthResponse> {
  const { errorPage } = compiled
  if (errorPage !== undefined && !isOwnAction(errorPage, compiled.basePath, url.origin)) {
    if (!isTarget(errorPage, url)) return AuthResponse.redirect(errorAddress(compiled, "", url, id))
    yield* Effect.logError(new ErrorPageLoop({ detail: "pages.error leads back to itself", cause: failure }))
  }
  return yield* builtInError(compiled, url, { failure, headers, id })
})

/** The built-in error page. Problems of the configuration are shown to the developer alone. */
const builtInError = (
  compiled: Compiled,
  url: URL,
  { failure, headers, id }: Told
): Effect.Effect<AuthResponse.AuthResponse> =>
  Effect.map(pages, ({ error }) => {
    const problems = showsProblems({ headers, url }) ? describeAll(failure) : undefined
    return AuthResponse.page(error(frame(compiled, url), { error: "Configuration", requestId: id, problems }))
  })

/** With wrong options the actions show nothing of their own: sent to one of them, a browser would go round in circles. */
const isOwnAction = (page: string, basePath: string, origin: string): boolean => {
  const { origin: site, pathname } = new URL(page, origin)
  return site === origin && route(basePath, pathname) !== undefined
}

/** Did the error page itself ask for a sign-in? */
const isTarget = (page: string, { origin, searchParams }: URL): boolean => {
  const target = searchParams.get("callbackUrl") ?? ""
  return target.startsWith(page) || target.startsWith(new URL(page, origin).href)
}

/** The input of an instance: the members of the options, compared by identity. */
interface Entry {
  readonly members: ReadonlyArray<unknown>
  readonly instance: Instance
}

/** Instances live as long as the configuration objects that they belong to. */
const instances = new WeakMap<Options, Entry>()

/**
 * The instance of a configuration object; built when there is none or a member has changed since.
 *
 * @category constructors
 * @since 0.1.0
 */
export const of = (options: Options): Instance => {
  const cached = instances.get(options)
  if (cached !== undefined && isSame(cached.members, options)) return cached.instance
  const members: Array<unknown> = []
  everyMember(options, (member) => members.push(member) > 0)
  const instance = make(options, new Map(), [], true)
  instances.set(options, { members, instance })
  return instance
}

/** Have the options these members still? */
const isSame = (members: ReadonlyArray<unknown>, options: Options): boolean => {
  let at = 0
  return everyMember(options, (member) => Object.is(member, members[at++])) && at === members.length
}

/** Do all members pass: the names, the values, and what is in arrays? */
const everyMember = (options: Options, passes: (member: unknown) => boolean): boolean => {
  for (const name in options) {
    if (name === "raw") continue
    const value: unknown = Reflect.get(options, name)
    if (!passes(name) || !passes(value)) return false
    const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
    for (const item of items) if (!passes(item)) return false
  }
  return true
}

/**
 * Is the caller the server itself, as in server actions of framework packages?
 *
 * @category guards
 * @since 0.1.0
 */
export const isServerCall = (options: Options): boolean => isRaw(ownMember(options, "raw"))

/**
 * Gives an answer the form that the caller asked for. In raw mode the failures that Auth.js throws are thrown, unless the
 * client asked for redirects as JSON; an error of Auth.js that the application threw is thrown as it is. Other failures
 * redirect there as well.
 *
 * @category combinators
 * @since 0.1.0
 */
export const deliver = (answered: Answered, request: Request, options: Options): Response | ResponseInternal => {
  if (!isServerCall(options)) return toResponse(answered, request)
  if (answered.final !== true) {
    if (answered.failure === undefined) return rawOf(answered.response)
    const wantsRedirectBody = request.headers.has("x-auth-return-redirect")
    const thrown = wantsRedirectBody ? undefined : rawError(answered.failure, request)
    if (thrown !== undefined) throw thrown
  }
  return withRawMembers(AuthResponse.toWeb(inForm(answered, request)), answered.response)
}

/**
 * The answer to a web request: at once when nothing had to be waited for.
 *
 * @category combinators
 * @since 0.1.0
 */
export const answerTo = (instance: Instance, request: Request, fromServer?: boolean): Answered | Promise<Answered> => {
  const url = new URL(request.url)
  const parts = webParts(request, url)
  return resultOf(instance.answer(parts, url, fromServer), (defect) => instance.fail(defect, parts, url))
}

/** The facts that decide the form of an answer. */
type Asking = Pick<RequestParts, "headers" | "method">

/** An answer in the form that the client asked for. */
const inForm = ({ response }: Answered, asking: Asking): AuthResponse.AuthResponse =>
  response.redirect !== undefined && asking.headers.has("x-auth-return-redirect")
    ? AuthResponse.returningRedirect(response)
    : response

/**
 * An answer as a `Response`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const toResponse = (answered: Answered, request: Request): Response => {
  const response = AuthResponse.toWeb(inForm(answered, request))
  // RFC 9110 section 9.3.2: the same headers and no content.
  return request.method === "HEAD" ? new Response(null, response) : response
}

/**
 * An answer for servers of another kind.
 *
 * @category combinators
 * @since 0.1.0
 */
export const toWire = (answered: Answered, request: Asking): WireResponse => {
  const response = AuthResponse.toWire(inForm(answered, request))
  return request.method === "HEAD" ? { ...response, body: null } : response
}

/**
 * Failures in whose place Auth.js has an error that is not an `AuthError`: in raw mode these redirect, unless a function of
 * the application threw an error of Auth.js.
 */
const redirecting: ReadonlySet<string> = new Set([
  "EmailSignInError",
  "InvalidEmail",
  "OAuthSignInError",
  "UnexpectedError"
])

/** The errors of raw mode: those that Auth.js throws. */
const rawError = (failure: AuthError, request: Request): Error | undefined => {
  if (redirecting.has(failure._tag)) return thrownByApplication(failure)
  return isUnknownProvider(failure, request) ? undefined : thrownAs(failure)
}

/** Auth.js has an `InvalidProvider` for a `GET` without an id, and a plain error for an unknown id and for forms. */
const isUnknownProvider = (failure: AuthError, { method, url }: Request): boolean =>
  failure._tag === "InvalidProvider" &&
  failure.provider === undefined &&
  !(method === "GET" && /\/(?:callback|webauthn-options)\/?$/.test(new URL(url).pathname))

/**
 * A `Response` that has the members of plain data as well: server actions of framework packages read `redirect` and
 * `cookies` of either, and take `body` for the session.
 */
const withRawMembers = (response: Response, { body, cookies, redirect }: AuthResponse.AuthResponse): Response =>
  Object.defineProperties(response, {
    cookies: { value: cookies },
    ...(redirect === undefined ? {} : { redirect: { value: redirect } }),
    ...(body === null ? { body: { value: null } } : {})
  })

const rawOf = (response: AuthResponse.AuthResponse): ResponseInternal => ({
  ...(response.status === undefined ? {} : { status: response.status }),
  headers: { ...response.headers },
  cookies: response.cookies,
  ...(response.body === undefined
    ? {}
    : { body: response.isShared === true ? structuredClone(response.body) : response.body }),
  ...(response.redirect === undefined ? {} : { redirect: response.redirect })
})
