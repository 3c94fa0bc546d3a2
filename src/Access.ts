/**
 * Who may come in: the session and the user of a request as services, typed by the application's own schema, and the
 * middlewares that provide them.
 *
 * `make` names the schema of the user once and answers everything that stands on it; no type of the library is augmented. The
 * defaults of `Http.ts` are an access of the library's own user.
 *
 * | situation                                              | answer                   |
 * | ------------------------------------------------------ | ------------------------ |
 * | nobody is signed in                                    | 401 `NotSignedIn`        |
 * | somebody is who may not, or another site sent it       | 403 `NotAllowed`         |
 * | the store or a callback failed; the cookie stays       | 503 `SessionUnavailable` |
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as HttpRouter from "effect/http/HttpRouter"
import { toResponse } from "effect/http/HttpServerRespondable"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { NotAllowed, NotSignedIn, SessionUnavailable } from "./AccessProblem.ts"
import { type ActiveSession, SessionUser } from "./CurrentSession.ts"
import { Doorman } from "./Doorman.ts"
import { challenged, personal, sameSite } from "./http/Conditions.ts"
import { type Reading, reading } from "./http/Reading.ts"
import { stateOf } from "./http/RequestState.ts"
import { signInRedirect } from "./http/SignInRedirect.ts"

export { NotAllowed, NotSignedIn, SessionMismatch, SessionUnavailable } from "./AccessProblem.ts"
export { type ActiveSession, SessionUser } from "./CurrentSession.ts"

/**
 * Marks an endpoint, a group or a whole `HttpApi` as meant for everybody: `endpoint.annotate(Access.Public, true)`. It protects
 * and opens nothing; `Testing.openEndpoints` names endpoints that are open without it.
 *
 * @category annotations
 * @since 0.1.0
 */
export const Public: Context.Reference<boolean> = Context.Reference("effect-doorman/Access/Public", {
  defaultValue: () => false
})

/** Identifies the user of an access. @category models @since 0.1.0 */
export interface CurrentUser<Id extends string> {
  readonly "~effect-doorman/CurrentUser": Id
}

/** Identifies the session of an access. @category models @since 0.1.0 */
export interface CurrentSession<Id extends string> {
  readonly "~effect-doorman/CurrentSession": Id
}

/** Identifies the session of an access, which may be nobody's. @category models @since 0.1.0 */
export interface MaybeSession<Id extends string> {
  readonly "~effect-doorman/MaybeSession": Id
}

/** The ways in which a request proves a session, as OpenAPI shows them. @category models @since 0.1.0 */
export type Security = {
  readonly session: HttpApiSecurity.ApiKey
  readonly bearer: typeof HttpApiSecurity.bearer
}

const requiredErrors = [NotSignedIn, NotAllowed, SessionUnavailable] as const
const optionalErrors = [SessionUnavailable] as const

type Required<Id extends string> = {
  readonly requires: never
  readonly provides: CurrentSession<Id> | CurrentUser<Id>
  readonly error: typeof requiredErrors
  readonly clientError: never
  readonly requiredForClient: false
}

type Optional<Id extends string> = {
  readonly requires: never
  readonly provides: MaybeSession<Id>
  readonly error: typeof optionalErrors
  readonly clientError: never
  readonly requiredForClient: false
}

/** Identifies the middleware that lets only signed-in users in. @category models @since 0.1.0 */
export interface RequireSession<Id extends string> {
  readonly "~effect/http-api/HttpApiMiddleware": Required<Id>
}

/** Identifies the middleware that lets everybody in. @category models @since 0.1.0 */
export interface OptionalSession<Id extends string> {
  readonly "~effect/http-api/HttpApiMiddleware": Optional<Id>
}

/**
 * Everything that stands on one schema of the user.
 *
 * @category models
 * @since 0.1.0
 */
export interface Access<Id extends string, User, Members> {
  readonly id: Id
  /** The user of the request: provided by `RequireSession`. */
  readonly CurrentUser: Context.Service<CurrentUser<Id>, User>
  /** The session of the request: provided by `RequireSession`. */
  readonly CurrentSession: Context.Service<CurrentSession<Id>, ActiveSession<User, Members>>
  /** The session of the request, if there is one: provided by `OptionalSession`. */
  readonly MaybeSession: Context.Service<MaybeSession<Id>, Option.Option<ActiveSession<User, Members>>>
  /** Middleware of `HttpApi`: answers 401, 403 or 503, or lets the handler run with session and user. */
  readonly RequireSession: HttpApiMiddleware.ServiceClass<
    RequireSession<Id>,
    `${Id}/RequireSession`,
    Required<Id> & { readonly security: Security }
  >
  /** Middleware of `HttpApi`: the handler runs with a session or without one. */
  readonly OptionalSession: HttpApiMiddleware.ServiceClass<
    OptionalSession<Id>,
    `${Id}/OptionalSession`,
    Optional<Id> & { readonly security: never }
  >
  /** Both middlewares at work. */
  readonly layer: Layer.Layer<OptionalSession<Id> | RequireSession<Id>, never, Doorman>
  /**
   * The same for routes of an `HttpRouter` that it is provided to. A browser that opens a page is sent to the sign-in page and
   * comes back; programs are told by a status.
   */
  readonly routes: Layer.Layer<
    HttpRouter.Request<"Requires", CurrentSession<Id>> | HttpRouter.Request<"Requires", CurrentUser<Id>>,
    never,
    Doorman
  >
  /** The session of the current request, if there is one. */
  readonly session: Effect.Effect<
    Option.Option<ActiveSession<User, Members>>,
    SessionUnavailable,
    Doorman | HttpServerRequest
  >
  /** The session of the current request; fails when there is none, or when a page of another site sent the request. */
  readonly require: Effect.Effect<
    ActiveSession<User, Members>,
    NotAllowed | NotSignedIn | SessionUnavailable,
    Doorman | HttpServerRequest
  >
  /** Fails with `NotAllowed` unless the user of the request passes. */
  readonly allow: <E = never, R = never>(
    rule: (user: User) => boolean | Effect.Effect<boolean, E, R>
  ) => Effect.Effect<User, E | NotAllowed, CurrentUser<Id> | R>
  /** How a session is read; for further doors such as `Rpc.ts`. */
  readonly read: Reading<User, Members>
}

/**
 * What an access is made of.
 *
 * @category models
 * @since 0.1.0
 */
export interface AccessOptions<User> {
  /** Reads the `user` of the session, with the user's id as `id` where `callbacks.session` answers none of its own. */
  readonly user: Schema.ConstraintDecoder<User>
  /** The name of the session cookie in OpenAPI. Default: that of an `https` site. */
  readonly cookie?: string | undefined
  /** May pages of other sites change something with the cookie? Default: no. */
  readonly crossSite?: "allow" | "refuse" | undefined
}

/**
 * Makes an access. `id` tells it from others of the application; it is part of the identity of its services. `members` reads
 * whatever else `callbacks.session` answers.
 *
 * @category constructors
 * @since 0.1.0
 */
export function make<const Id extends string, User>(
  id: Id,
  options: AccessOptions<User> & { readonly members?: undefined }
): Access<Id, User, Record<never, never>>
export function make<const Id extends string, User, Members>(
  id: Id,
  options: AccessOptions<User> & { readonly members: Schema.ConstraintDecoder<Members> }
): Access<Id, User, Members>
export function make<const Id extends string, User, Members>(
  id: Id,
  options: AccessOptions<User> & { readonly members?: Schema.ConstraintDecoder<Members> | undefined }
): Access<Id, User, Members> | Access<Id, User, Record<never, never>> {
  const { members } = options
  return members === undefined
    ? build(id, options, reading(options.user, Schema.Struct({})))
    : build(id, options, reading(options.user, members))
}

const build = <const Id extends string, User, Members>(
  id: Id,
  options: AccessOptions<User>,
  read: Reading<User, Members>
): Access<Id, User, Members> => {
  const user = Context.Service<CurrentUser<Id>, User>(`${id}/CurrentUser`)
  const session = Context.Service<CurrentSession<Id>, ActiveSession<User, Members>>(`${id}/CurrentSession`)
  const maybe = Context.Service<MaybeSession<Id>, Option.Option<ActiveSession<User, Members>>>(`${id}/MaybeSession`)
  const refusesOthers = options.crossSite !== "allow"
  const security: Security = {
    session: HttpApiSecurity.apiKey({ in: "cookie", key: options.cookie ?? "__Secure-authjs.session-token" }),
    bearer: HttpApiSecurity.bearer
  }
  const required = HttpApiMiddleware.Service<RequireSession<Id>, Pick<Required<Id>, "provides">>()(
    `${id}/RequireSession`,
    { error: requiredErrors, security }
  )
  const optional = HttpApiMiddleware.Service<OptionalSession<Id>, Pick<Optional<Id>, "provides">>()(
    `${id}/OptionalSession`,
    { error: optionalErrors }
  )

  const look = Effect.fnUntraced(function* (doorman: Doorman["Service"]) {
    const state = yield* stateOf(doorman, yield* HttpServerRequest)
    const found = yield* state.session
    return found === undefined ? Option.none() : Option.some(yield* read(found))
  })

  const entitled = Effect.fnUntraced(function* (
    doorman: Doorman["Service"]
  ): Effect.fn.Return<ActiveSession<User, Members>, NotAllowed | NotSignedIn | SessionUnavailable, HttpServerRequest> {
    const request = yield* HttpServerRequest
    const found = yield* look(doorman)
    if (Option.isNone(found)) return yield* challenged
    if (refusesOthers && found.value.via === "cookie") yield* sameSite(doorman, request)
    yield* personal
    return found.value
  })

  return {
    id,
    CurrentUser: user,
    CurrentSession: session,
    MaybeSession: maybe,
    RequireSession: required,
    OptionalSession: optional,
    layer: Layer.effectContext(
      Effect.gen(function* () {
        const doorman = yield* Doorman
        const letIn = <E, R>(handler: Effect.Effect<HttpServerResponse, E, R>) =>
          Effect.flatMap(entitled(doorman), (entered) =>
            Effect.provideContext(handler, Context.make(session, entered).pipe(Context.add(user, entered.user)))
          )
        return Context.make(required, required.of({ session: letIn, bearer: letIn })).pipe(
          Context.add(
            optional,
            optional.of((handler) =>
              Effect.flatMap(look(doorman), (found) => Effect.provideService(handler, maybe, found))
            )
          )
        )
      })
    ),
    routes: HttpRouter.middleware<{ provides: CurrentSession<Id> | CurrentUser<Id> }>()(
      Effect.map(
        Doorman,
        (doorman) => (handler) =>
          Effect.matchEffect(entitled(doorman), {
            onFailure: (failure) => sentAway(doorman, failure),
            onSuccess: (entered) =>
              Effect.provideContext(handler, Context.make(session, entered).pipe(Context.add(user, entered.user)))
          })
      )
    ).layer,
    session: Effect.flatMap(Doorman, look),
    require: Effect.flatMap(Doorman, entitled),
    allow: Effect.fnUntraced(function* (rule) {
      const current = yield* user
      const answer = rule(current)
      const isAllowed = typeof answer === "boolean" ? answer : yield* answer
      return isAllowed ? current : yield* new NotAllowed({ code: "NotAllowed" })
    }),
    read
  }
}

/** What somebody gets who may not see a route. */
const sentAway = (
  doorman: Doorman["Service"],
  failure: NotAllowed | NotSignedIn | SessionUnavailable
): Effect.Effect<HttpServerResponse, never, HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest, (request) =>
    Effect.flatMap(
      failure instanceof NotSignedIn ? signInRedirect(doorman, request) : Effect.succeed(undefined),
      (redirect) => (redirect === undefined ? toResponse(failure) : Effect.succeed(redirect))
    )
  )

/**
 * The access of the library's own user.
 *
 * @category services
 * @since 0.1.0
 */
export const standard: Access<"effect-doorman", SessionUser, Record<never, never>> = make("effect-doorman", {
  user: SessionUser
})
