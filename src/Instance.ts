/**
 * One configuration at work behind the Promise facade: services built once, one program run per request.
 *
 * An instance belongs to a configuration object and is rebuilt when a member of it changes; framework packages change and
 * pass on the same object. The HTTP client and the source of random bytes are the process's and are built once.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Action from "./Action.ts"
import { type Compiled, compile, type Options } from "./AuthConfig.ts"
import { AuthRequest, fromWeb, route } from "./AuthRequest.ts"
import * as AuthResponse from "./AuthResponse.ts"
import { ErrorPageLoop } from "./Errors.ts"
import { thrownAs } from "./internal/AuthJsError.ts"
import * as RandomPool from "./internal/RandomPool.ts"
import { isRaw } from "./internal/Markers.ts"
import { ownMember } from "./internal/OwnMembers.ts"
import type { ResponseInternal } from "./compat/ResponseInternal.ts"
import { asksForProblem } from "./internal/JsonAsked.ts"
import { requestId } from "./telemetry/RequestId.ts"
import { frame, pages, pageUrl } from "./PageActions.ts"
import { logging, make as makeServices, type Services } from "./Services.ts"

export type { ResponseInternal } from "./compat/ResponseInternal.ts"

/**
 * What a request comes to: an answer, and the failure that it stands for.
 *
 * @category models
 * @since 0.1.0
 */
export type Answered = Action.Handled & {
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
  /** Answers a request: at once when nothing had to be waited for. */
  readonly answer: (request: Request) => Answered | Promise<Answered>
}

/** The platform's own services; they hold nothing of any configuration. */
const platform: Context.Context<HttpClient.HttpClient | SecureRandom.SecureRandom> = Effect.runSync(
  Layer.buildWithScope(
    Layer.mergeAll(
      FetchHttpClient.layer,
      Layer.sync(SecureRandom.SecureRandom, () => SecureRandom.make(RandomPool.make(RandomPool.system)))
    ),
    Scope.makeUnsafe()
  )
)

/** Runs a program; when it never waited its result is there at once. */
const run = <A, R>(context: Context.Context<R>, program: Effect.Effect<A, never, R>): A | Promise<A> => {
  const fiber: Fiber.Fiber<A> = Effect.runForkWith(context)(program)
  const exit = fiber.pollUnsafe()
  if (exit !== undefined) return unwrap(exit)
  return new Promise<Exit.Exit<A>>((resolve) => fiber.addObserver(resolve)).then(unwrap)
}

/** Programs here have no failures left; a defect is a bug of ours and is thrown to the caller of the facade. */
const unwrap = <A>(exit: Exit.Exit<A>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}

/**
 * Builds an instance. Never fails: wrong options make an instance that answers with the problem.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: Options): Instance => {
  const compiled = compile(options)
  const logger = logging(options)
  if (compiled.warnings.length > 0) {
    Effect.runSyncWith(logger)(
      Effect.forEach(compiled.warnings, (warning) => Effect.logWarning(warning), { discard: true })
    )
  }
  if (Result.isFailure(compiled.settings)) {
    const failure = compiled.settings.failure
    const reject = broken(compiled, failure)
    return { answer: (request) => run(logger, reject(request)) }
  }
  const settings = compiled.settings.success
  const context = Context.merge(makeServices(settings, platform), logger)
  const program = (request: Request): Effect.Effect<Answered, never, Services> =>
    Effect.matchEffect(fromWeb(request, settings.basePath), {
      onSuccess: (read) => Effect.provideService(Action.handle, AuthRequest, read),
      onFailure: (failure) =>
        Effect.map(Action.reject(failure, request.headers, settings, new URL(request.url)), (handled) => ({
          ...handled,
          final: true
        }))
    })
  return { answer: (request) => run(context, program(request)) }
}

/** The addresses that people look at. */
const shown: ReadonlySet<string> = new Set(["signin", "signout", "error", "verify-request"])

/** Answers everything with the problem of the options: a page for people, JSON for programs, the details in the log. */
const broken = (compiled: Compiled, failure: Exclude<Action.Handled["failure"], undefined>) =>
  Effect.fnUntraced(function* (request: Request): Effect.fn.Return<Answered> {
    const id = yield* requestId(request.headers)
    yield* Effect.annotateLogs(Effect.logError(failure), "requestId", id)
    const named = { "x-request-id": id }
    const url = new URL(request.url)
    const read = yield* Effect.option(fromWeb(request, compiled.basePath))
    const forPeople = read._tag === "Some" && read.value.method === "GET" && shown.has(read.value.action)
    if (!forPeople) {
      const message = "There is a problem with the server configuration. Check the server logs for more information."
      const response = asksForProblem(request.headers)
        ? yield* Action.problem(failure, id, [])
        : AuthResponse.json({ message }, [], 500)
      return { response: { ...response, headers: { ...response.headers, ...named } }, failure, final: true }
    }
    const { errorPage } = compiled
    if (errorPage !== undefined && !isOwnAction(errorPage, compiled.basePath, url.origin)) {
      if (!isTarget(errorPage, url)) {
        return {
          response: AuthResponse.redirect(pageUrl(errorPage, url.origin, { error: "Configuration", request_id: id })),
          failure,
          final: true
        }
      }
      yield* Effect.logError(new ErrorPageLoop({ detail: "pages.error leads back to itself", cause: failure }))
    }
    const { error } = yield* pages
    return {
      response: AuthResponse.page(error(frame(compiled, url), { error: "Configuration", requestId: id })),
      failure,
      final: true
    }
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

/** What an instance was built from: the members of the options, compared by identity. */
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
  const members = membersOf(options)
  const known = instances.get(options)
  if (known !== undefined && same(known.members, members)) return known.instance
  const instance = make(options)
  instances.set(options, { members, instance })
  return instance
}

const membersOf = (options: Options): ReadonlyArray<unknown> => {
  const members: Array<unknown> = []
  for (const name in options) {
    if (name === "raw") continue
    const value: unknown = Reflect.get(options, name)
    members.push(name, value)
    const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
    members.push(...items)
  }
  return members
}

const same = (left: ReadonlyArray<unknown>, right: ReadonlyArray<unknown>): boolean =>
  left.length === right.length && left.every((member, index) => Object.is(member, right[index]))

/**
 * Gives an answer the form that the caller asked for. In raw mode a failure is thrown, unless the client asked for
 * redirects as JSON; an error of Auth.js that the application threw is thrown as it is.
 *
 * @category combinators
 * @since 0.1.0
 */
export const deliver = (answered: Answered, request: Request, options: Options): Response | ResponseInternal => {
  const returned = request.headers.has("x-auth-return-redirect")
  if (isRaw(ownMember(options, "raw")) && answered.final !== true) {
    if (answered.failure === undefined) return rawOf(answered.response)
    if (!returned) throw thrownAs(answered.failure)
  }
  const response = AuthResponse.toWeb(returned ? AuthResponse.returningRedirect(answered.response) : answered.response)
  // RFC 9110 section 9.3.2: the same headers and no content.
  return request.method === "HEAD" ? new Response(null, response) : response
}

const rawOf = (response: AuthResponse.AuthResponse): ResponseInternal => ({
  ...(response.status === undefined ? {} : { status: response.status }),
  headers: response.headers,
  cookies: response.cookies,
  ...(response.body === undefined ? {} : { body: response.body }),
  ...(response.redirect === undefined ? {} : { redirect: response.redirect })
})
