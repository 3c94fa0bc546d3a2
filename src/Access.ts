/**
 * Who may come in: the session and the user of a request as services, typed by the application's own schema, and the
 * middlewares of `HttpApi` that provide them.
 *
 * `make` names the schema of the user once and answers everything that stands on it; no type of the library is augmented. This
 * is the contract alone, for servers and for clients that share an api with them: what puts it to work is `Http.forAccess`.
 * The access of the library's own user is there under the same names.
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
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Reading, reading } from "./access/Reading.ts"
import { NotAllowed, NotSignedIn, SessionUnavailable } from "./AccessProblem.ts"
import { type ActiveSession, SessionUser } from "./CurrentSession.ts"

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
  /**
   * Middleware of `HttpApi`: the handler runs with a session or without one. A cookie that a page of another site made the
   * browser send with a change is nobody's.
   */
  readonly OptionalSession: HttpApiMiddleware.ServiceClass<
    OptionalSession<Id>,
    `${Id}/OptionalSession`,
    Optional<Id> & { readonly security: never }
  >
  /**
   * Fails with `NotAllowed` unless the user of the request passes. What the rule fails with and requires is read off the rule
   * alone: the place where the effect is used must not change it.
   */
  readonly allow: <E = never, R = never>(
    rule: (user: User) => boolean | Effect.Effect<boolean, E, R>
  ) => Effect.Effect<User, NoInfer<E> | NotAllowed, CurrentUser<Id> | NoInfer<R>>
  /** How a session is read; for doors such as `Http.ts` and `Rpc.ts`. */
  readonly read: Reading<User, Members>
  /** Is what pages of other sites send refused, when it would change something by the cookie? */
  readonly refusesOtherSites: boolean
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
  /** Does the cookie count in requests of other sites' pages that change something, or open a socket? Default: `refuse`. */
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

  return {
    id,
    CurrentUser: user,
    CurrentSession: session,
    MaybeSession: maybe,
    RequireSession: required,
    OptionalSession: optional,
    allow: Effect.fnUntraced(function* (rule) {
      const current = yield* user
      const answer = rule(current)
      const isAllowed = typeof answer === "boolean" ? answer : yield* answer
      return isAllowed ? current : yield* new NotAllowed({ code: "NotAllowed" })
    }),
    read,
    refusesOtherSites: options.crossSite !== "allow"
  }
}

/**
 * The access of the library's own user.
 *
 * @category services
 * @since 0.1.0
 */
export const standard: Access<"effect-doorman", SessionUser, Record<never, never>> = make("effect-doorman", {
  user: SessionUser
})

/**
 * The user of the request, where {@link RequireSession} let them in.
 *
 * @category services
 * @since 0.1.0
 */
export const CurrentUser = standard.CurrentUser

/**
 * The session of the request, where {@link RequireSession} let its user in.
 *
 * @category services
 * @since 0.1.0
 */
export const CurrentSession = standard.CurrentSession

/**
 * The session of the request, if there is one, where {@link OptionalSession} looked.
 *
 * @category services
 * @since 0.1.0
 */
export const MaybeSession = standard.MaybeSession

/**
 * Lets only signed-in users in: 401, 403 or 503, or the handler with session and user.
 *
 * @category services
 * @since 0.1.0
 */
export const RequireSession = standard.RequireSession

/**
 * Lets everybody in, with {@link MaybeSession}; 503 when nobody can tell.
 *
 * @category services
 * @since 0.1.0
 */
export const OptionalSession = standard.OptionalSession

/**
 * Fails with `NotAllowed` unless the rule holds for the current user.
 *
 * @category combinators
 * @since 0.1.0
 */
export const allow = standard.allow
