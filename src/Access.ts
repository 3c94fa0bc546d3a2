/**
 * The contract of protected endpoints: the session and the user of a request as services, typed by the schemas of the
 * application, and the middlewares that provide them.
 *
 * `class Site extends Access.Service<Site>()("site", { user: AppUser }) {}` is the whole contract. `Site.RequireSession` is one
 * class for groups of `HttpApi` and for groups of `effect/rpc`. Servers and clients share this module; it loads nothing of the
 * server. `Http.layer(Site)` puts the middlewares to work.
 *
 * | situation                                              | response                 |
 * | ------------------------------------------------------ | ------------------------ |
 * | the visitor is signed out                              | 401 `NotSignedIn`        |
 * | the sign-in is too old, or too weak                    | 401 `StepUpRequired`     |
 * | the user is not allowed; a page of another site asks   | 403 `NotAllowed`         |
 * | the store or a callback failed; the cookie stays       | 503 `SessionUnavailable` |
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import type * as Option from "effect/Option"
import type * as RpcMiddleware from "effect/rpc/RpcMiddleware"
import * as Schema from "effect/Schema"
import type { AccessCallbacks, KnownCallbacks, LayerCallbacks } from "./access/AccessCallbacks.ts"
import { NotAllowed, NotSignedIn, SessionUnavailable, StepUpRequired } from "./access/AccessProblem.ts"
import { type Assurance, checkAssurance, requirementKey } from "./access/Assurance.ts"
import { type ActiveSession, SessionUser } from "./access/CurrentSession.ts"
import { decoderOf, noClaims } from "./access/Decoders.ts"

export { NotAllowed, NotSignedIn, SessionMismatch, SessionUnavailable, StepUpRequired } from "./access/AccessProblem.ts"
export type { EncodedProblem } from "./access/AccessProblem.ts"
export { type ActiveSession, SessionUser } from "./access/CurrentSession.ts"
export type { Assurance } from "./access/Assurance.ts"
export type { AccessCallbacks, KnownCallbacks, LayerCallbacks } from "./access/AccessCallbacks.ts"
export type { StoredSession, StoredSessionParams, TokenSessionParams } from "./config/SessionParams.ts"

/**
 * Marks an endpoint, a group or a whole `HttpApi` as public: `endpoint.annotate(Access.Public, true)`. The mark changes no
 * access: middlewares alone protect. `Testing.openEndpoints` lists the endpoints that are open without it.
 *
 * @category annotations
 * @since 0.1.0
 */
export const Public: Context.Reference<boolean> = Context.Reference("effect-doorman/Access/Public", {
  defaultValue: () => false
})

/**
 * Marks an endpoint, a group or a whole `HttpApi` that must not be reached with a session that was revoked a moment ago:
 * `endpoint.annotate(Access.Fresh, true)`. Behind `RequireSession` the shared state is then asked at each request, as it is for
 * every request that may change something. Sessions in a database are read at each request without it.
 *
 * @category annotations
 * @since 0.1.0
 */
export const Fresh: Context.Reference<boolean> = Context.Reference("effect-doorman/Access/Fresh", {
  defaultValue: () => false
})

/** Identifies the user of an access. @category models @since 0.1.0 */
export interface CurrentUser<Self> {
  readonly "~effect-doorman/CurrentUser": Self
}

/** Identifies the session of an access. @category models @since 0.1.0 */
export interface CurrentSession<Self> {
  readonly "~effect-doorman/CurrentSession": Self
}

/** Identifies the optional session of an access. @category models @since 0.1.0 */
export interface MaybeSession<Self> {
  readonly "~effect-doorman/MaybeSession": Self
}

/**
 * The security schemes by which a request proves a session, as OpenAPI shows them.
 *
 * @category models
 * @since 0.1.0
 */
export type Security = {
  readonly bearer: typeof HttpApiSecurity.bearer
  readonly session: HttpApiSecurity.ApiKey
}

/** A schema that reads a part of the session and needs no service. @category models @since 0.1.0 */
export type Decoder = Schema.ConstraintDecoder<unknown>

const requiredErrors = [NotSignedIn, NotAllowed, SessionUnavailable] as const
const assuranceErrors = [...requiredErrors, StepUpRequired] as const
const optionalErrors = [SessionUnavailable] as const

type Errors = ReadonlyArray<Schema.Top>

// The names under which Effect's two middleware modules look for their metadata. They keep the second of them to themselves,
// and both modules are marked unstable: a test pins the names.
const httpMiddleware = "~effect/http-api/HttpApiMiddleware"
const httpSecurity = "~effect/http-api/HttpApiMiddleware/Security"
const rpcMiddleware = "~effect/rpc/RpcMiddleware"

/** The metadata of one middleware, for `HttpApi` and for `effect/rpc`. */
interface Identifier<Provides, E extends Errors> {
  readonly [httpMiddleware]: {
    readonly requires: never
    readonly provides: Provides
    readonly error: E
    readonly clientError: never
    readonly requiredForClient: false
  }
  readonly [rpcMiddleware]: {
    readonly requires: never
    readonly provides: Provides
    readonly error: Schema.Union<E>
    readonly clientError: never
  }
}

/** Identifies the middleware that requires a session. @category models @since 0.1.0 */
export interface RequireSession<Self> extends Identifier<
  CurrentSession<Self> | CurrentUser<Self>,
  typeof requiredErrors
> {}

/** Identifies the middlewares that require a recent or a strong sign-in. @category models @since 0.1.0 */
export interface RequireAssurance<Self> extends Identifier<
  CurrentSession<Self> | CurrentUser<Self>,
  typeof assuranceErrors
> {}

/** Identifies the middleware that looks for a session. @category models @since 0.1.0 */
export interface OptionalSession<Self> extends Identifier<MaybeSession<Self>, typeof optionalErrors> {}

/** A key that `HttpApi` and `effect/rpc` both take as a middleware. @category models @since 0.1.0 */
export interface Middleware<in out Id, in out Shape, E extends Errors> extends Context.Service<Id, Shape> {
  readonly [httpMiddleware]: typeof httpMiddleware
  readonly [rpcMiddleware]: typeof rpcMiddleware
  /** A schema for `effect/rpc`, iterated by `HttpApi`. */
  readonly error: Schema.Union<E> & Iterable<E[number]>
  readonly requiredForClient: false
  readonly "~ClientError": never
}

/**
 * The implementation of {@link RequireSession} and {@link RequireAssurance} by the server.
 *
 * @category models
 * @since 0.1.0
 */
export type RequireSessionShape<Self, E extends Errors = typeof requiredErrors> = RpcMiddleware.RpcMiddleware<
  CurrentSession<Self> | CurrentUser<Self>,
  E[number]["Type"],
  never
> &
  HttpApiMiddleware.HttpApiMiddlewareSecurity<Security, CurrentSession<Self> | CurrentUser<Self>, E, never>

/**
 * The implementation of {@link OptionalSession} by the server.
 *
 * @category models
 * @since 0.1.0
 */
export type OptionalSessionShape<Self> = RpcMiddleware.RpcMiddleware<MaybeSession<Self>, SessionUnavailable, never> &
  HttpApiMiddleware.HttpApiMiddleware<MaybeSession<Self>, typeof optionalErrors, never>

/**
 * The schemes of a middleware, as `HttpApi` reads them.
 *
 * @category models
 * @since 0.1.0
 */
export type Secured = {
  readonly [httpSecurity]: typeof httpSecurity
  readonly security: Security
}

/**
 * The middlewares of an access.
 *
 * @category models
 * @since 0.1.0
 */
export interface AccessMiddlewares<Self> {
  /** Responds with 401, 403 or 503, or runs the handler with session and user. */
  readonly RequireSession: Middleware<RequireSession<Self>, RequireSessionShape<Self>, typeof requiredErrors> & Secured
  /** As `RequireSession`, and responds with 401 `StepUpRequired` unless the sign-in of the session meets the requirement. */
  readonly RequireAssurance: (
    requirement: Assurance
  ) => Middleware<RequireAssurance<Self>, RequireSessionShape<Self, typeof assuranceErrors>, typeof assuranceErrors> &
    Secured
  /**
   * Runs the handler with a session or without one. A session cookie counts as absent in a request that a page of another site
   * sent and that changes something.
   */
  readonly OptionalSession: Middleware<OptionalSession<Self>, OptionalSessionShape<Self>, typeof optionalErrors>
}

/**
 * The parts of an access, as a server reads them.
 *
 * @category models
 * @since 0.1.0
 */
export interface Access<Self, User extends Decoder, Claims extends Decoder> {
  readonly id: string
  readonly user: User
  readonly claims: Claims
  readonly crossSite: "allow" | "refuse"
  /** The user of the request: provided by `RequireSession`. */
  readonly CurrentUser: Context.Service<CurrentUser<Self>, User["Type"]>
  /** The session of the request: provided by `RequireSession`. */
  readonly CurrentSession: Context.Service<CurrentSession<Self>, ActiveSession<User["Type"], Claims["Type"]>>
  /** The session of the request, if there is one: provided by `OptionalSession`. */
  readonly MaybeSession: Context.Service<MaybeSession<Self>, Option.Option<ActiveSession<User["Type"], Claims["Type"]>>>
  /** Of `AccessMiddlewares`. Here it is internal: a call infers the types of an access from the services alone. @internal */
  readonly RequireSession: AccessMiddlewares<Self>["RequireSession"]
  /** @internal */
  readonly RequireAssurance: AccessMiddlewares<Self>["RequireAssurance"]
  /** @internal */
  readonly OptionalSession: AccessMiddlewares<Self>["OptionalSession"]
  /** The schemas as functions. @internal */
  readonly "~decodeUser": (user: unknown) => Effect.Effect<User["Type"], Schema.SchemaError>
  /** @internal */
  readonly "~decodeClaims": (session: unknown) => Effect.Effect<Claims["Type"], Schema.SchemaError>
}

/**
 * The class that an application extends.
 *
 * @category models
 * @since 0.1.0
 */
export interface AccessClass<Self, Id extends string, User extends Decoder, Claims extends Decoder>
  extends Access<Self, User, Claims>, AccessMiddlewares<Self> {
  new (_: never): { readonly "~effect-doorman/Access": Id }
  readonly id: Id
  /**
   * Fails with `NotAllowed` unless the rule accepts the user. The failures and requirements of the effect come from the rule
   * alone, wherever the effect is used.
   */
  allow<E = never, R = never>(
    rule: (user: User["Type"]) => boolean | Effect.Effect<boolean, E, R>
  ): Effect.Effect<User["Type"], NoInfer<E> | NotAllowed, CurrentUser<Self> | NoInfer<R>>
  /**
   * Fails with `StepUpRequired` unless the sign-in of the session is recent and strong enough, and succeeds with the session
   * otherwise. A session whose authentication is not known meets no requirement.
   */
  requireAssurance(
    requirement: Assurance
  ): Effect.Effect<ActiveSession<User["Type"], Claims["Type"]>, StepUpRequired, CurrentSession<Self>>
  /**
   * Types the callbacks of `Doorman.layer` by `user` and `claims`: `callbacks.session` returns what the schemas read, and the
   * token of `callbacks.jwt` holds its members. It returns the given functions.
   */
  callbacks<const Given extends AccessCallbacks<User["Encoded"], Claims["Encoded"]>>(
    given: KnownCallbacks<Given>
  ): LayerCallbacks<Given>
}

/**
 * The parts of an access.
 *
 * @category models
 * @since 0.1.0
 */
export interface AccessOptions<User extends Decoder> {
  /** Reads the `user` of the session. Where `callbacks.session` returns no `id` for the user, `id` is the id of the user. */
  readonly user: User
  /** The name of the session cookie in OpenAPI. Default: that of an `https` site. */
  readonly cookie?: string | undefined
  /**
   * Whether a session cookie counts in a request that a page of another site sent and that changes something or opens a socket.
   * Default: `refuse`.
   */
  readonly crossSite?: "allow" | "refuse" | undefined
}

/** No claims beside the user. @category models @since 0.1.0 */
export type NoClaims = Schema.Struct<Record<never, never>>

/**
 * Makes an access. `id` is part of the identity of its services, so two accesses of one program need two ids. `claims` reads
 * what `callbacks.session` returns beside `user` and `expires`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const Service = <Self>() => {
  function service<const Id extends string, User extends Decoder, Claims extends Decoder>(
    id: Id,
    options: AccessOptions<User> & { readonly claims: Claims }
  ): AccessClass<Self, Id, User, Claims>
  function service<const Id extends string, User extends Decoder>(
    id: Id,
    options: AccessOptions<User> & { readonly claims?: undefined }
  ): AccessClass<Self, Id, User, NoClaims>
  function service<const Id extends string, User extends Decoder, Claims extends Decoder>(
    id: Id,
    options: AccessOptions<User> & { readonly claims?: Claims | undefined }
  ): AccessClass<Self, Id, User, Claims> | AccessClass<Self, Id, User, NoClaims> {
    const { claims } = options
    return claims === undefined
      ? build<Self, Id, User, NoClaims>(id, options, noClaims)
      : build<Self, Id, User, Claims>(id, options, claims)
  }
  return service
}

const build = <Self, const Id extends string, User extends Decoder, Claims extends Decoder>(
  id: Id,
  { cookie = "__Host-authjs.session-token", crossSite = "refuse", user }: AccessOptions<User>,
  claims: Claims
): AccessClass<Self, Id, User, Claims> => {
  type Session = ActiveSession<User["Type"], Claims["Type"]>
  const currentUser = Context.Service<CurrentUser<Self>, User["Type"]>(`${id}/CurrentUser`)
  const required = middleware<RequireSession<Self>, RequireSessionShape<Self>, typeof requiredErrors>(
    `${id}/RequireSession`,
    requiredErrors
  )
  const currentSession = Context.Service<CurrentSession<Self>, Session>(`${id}/CurrentSession`)
  // Both do the same. Effect tries them in this order, and the first one parses no cookies.
  const security: Security = {
    bearer: HttpApiSecurity.bearer,
    session: HttpApiSecurity.apiKey({ in: "cookie", key: cookie })
  }

  return class {
    readonly "~effect-doorman/Access" = id
    static readonly id = id
    static readonly user = user
    static readonly claims = claims
    static readonly crossSite = crossSite
    static readonly CurrentUser = currentUser
    static readonly CurrentSession = currentSession
    static readonly MaybeSession = Context.Service<MaybeSession<Self>, Option.Option<Session>>(`${id}/MaybeSession`)
    static readonly RequireSession = Object.assign(required, { [httpSecurity]: httpSecurity, security } as const)
    static readonly RequireAssurance = (requirement: Assurance) =>
      Object.assign(
        middleware<RequireAssurance<Self>, RequireSessionShape<Self, typeof assuranceErrors>, typeof assuranceErrors>(
          `${id}/RequireAssurance`,
          assuranceErrors
        ),
        { [httpSecurity]: httpSecurity, security, [requirementKey]: requirement } as const
      )
    static readonly OptionalSession = middleware<
      OptionalSession<Self>,
      OptionalSessionShape<Self>,
      typeof optionalErrors
    >(`${id}/OptionalSession`, optionalErrors)
    static readonly "~decodeUser" = decoderOf(user)
    static readonly "~decodeClaims" = decoderOf(claims)

    static allow<E = never, R = never>(
      rule: (user: User["Type"]) => boolean | Effect.Effect<boolean, E, R>
    ): Effect.Effect<User["Type"], NoInfer<E> | NotAllowed, CurrentUser<Self> | NoInfer<R>> {
      return Effect.flatMap(currentUser, (current) => {
        const answer = rule(current)
        return Effect.flatMap(
          typeof answer === "boolean" ? Effect.succeed(answer) : answer,
          (isAllowed): Effect.Effect<User["Type"], NotAllowed> =>
            isAllowed ? Effect.succeed(current) : Effect.fail(new NotAllowed({ code: "NotAllowed" }))
        )
      })
    }

    static requireAssurance(requirement: Assurance): Effect.Effect<Session, StepUpRequired, CurrentSession<Self>> {
      return Effect.tap(currentSession, (session) => checkAssurance(session, requirement))
    }

    static callbacks<const Given extends AccessCallbacks<User["Encoded"], Claims["Encoded"]>>(
      given: KnownCallbacks<Given>
    ): LayerCallbacks<Given>
    static callbacks(given: object): object {
      return given
    }
  }
}

/** The key of a middleware, with the metadata that `HttpApi` and `effect/rpc` look for. */
const middleware = <Id, Shape, E extends Errors>(key: string, errors: E): Middleware<Id, Shape, E> => {
  const metadata: Omit<Middleware<Id, Shape, E>, keyof Context.Service<Id, Shape> | "~ClientError"> = {
    [httpMiddleware]: httpMiddleware,
    [rpcMiddleware]: rpcMiddleware,
    error: Object.assign(Schema.Union(errors), { [Symbol.iterator]: () => errors[Symbol.iterator]() }),
    requiredForClient: false
  }
  // Effect reads "~ClientError" from the type alone: no middleware of its own has that member either.
  return Object.assign(Context.Service<Id, Shape>(key), metadata) as Middleware<Id, Shape, E>
}

/**
 * The access for the user of the library: an application without a schema of its own uses it as it is.
 *
 * @category services
 * @since 0.1.0
 */
export class Default extends Service<Default>()("effect-doorman", { user: SessionUser }) {}
