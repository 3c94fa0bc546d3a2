/**
 * Authentication for Effect's HTTP servers: the actions on a router, the middlewares of an `Access`, and effects that read and
 * change the session of the current request.
 *
 * `Http.layer(Site)` is all that most applications need beside `Doorman.layer`: it mounts the actions and puts the middlewares of
 * `Site` to work, for `HttpApi` and for `effect/rpc`. Every effect here belongs to the current `HttpServerRequest`. A session is
 * looked up once for each request, and its cookies are set on whatever response goes out.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type {
  Access,
  ActiveSession,
  CurrentSession,
  CurrentUser,
  Decoder,
  OptionalSession,
  RequireAssurance,
  RequireSession
} from "./Access.ts"
import { type NotAllowed, NotSignedIn, type SessionUnavailable } from "./access/AccessProblem.ts"
import { Doorman } from "./Doorman.ts"
import type { MalformedRequest, SessionError, SignInError, SignOutError } from "./Errors.ts"
import type { DoormanChoice, NeedsOfChoice } from "./access/ChooseDoorman.ts"
import { sameSite } from "./access/Guards.ts"
import * as Middleware from "./access/Middleware.ts"
import { handle as answer, type MountOptions, mount, mountChoice } from "./access/Mount.ts"
import { current, revoking } from "./access/RequestState.ts"
import * as SameSite from "./access/SameSite.ts"
import { idOf } from "./access/SessionDecoder.ts"
import * as ServerSignIn from "./actions/ServerSignIn.ts"
import * as ServerSignOut from "./actions/ServerSignOut.ts"
import * as UserSessions from "./actions/UserSessions.ts"
import { authenticatedNow } from "./session/Authentication.ts"

export type { DoormanChoice, NeedsOfChoice } from "./access/ChooseDoorman.ts"
export type { MountOptions } from "./access/Mount.ts"
export type { NamedUser, SignInOptions } from "./actions/ServerSignIn.ts"

/**
 * Answers the current request with the action that its path names, at the `Doorman` of the context: for routes and tenants that
 * the application chooses itself. The path is below the base path of the options.
 *
 * @category actions
 * @since 0.1.0
 */
export const handle: Effect.Effect<HttpServerResponse, never, Doorman | HttpServerRequest> = answer

/**
 * Mounts all actions under the base path and provides the middlewares of an access, for `HttpApi` and for `effect/rpc`. The
 * actions are mounted once on a router, for however many accesses. With `mount: false` the layer has the middlewares alone and
 * needs no router: for a service whose actions are elsewhere, and for procedures without HTTP.
 *
 * `doorman` chooses the `Doorman` of each request, such as the one of its tenant; the layer requires what it requires. All have
 * the base path `/auth` unless `path` says another. A request for which it fails with `NoSuchElementError` is answered with 404,
 * one for which it fails otherwise with 503. A message of `effect/rpc` belongs to the tenant of its HTTP request, and fails with
 * `SessionUnavailable` where it has none.
 *
 * @category layers
 * @since 0.1.0
 */
export function layer<Self, User extends Decoder, Claims extends Decoder, R>(
  access: Access<Self, User, Claims>,
  options: DoormanChoice<R> & { readonly mount: false }
): Layer.Layer<OptionalSession<Self> | RequireAssurance<Self> | RequireSession<Self>, never, NeedsOfChoice<R>>
export function layer<Self, User extends Decoder, Claims extends Decoder, R>(
  access: Access<Self, User, Claims>,
  options: MountOptions & DoormanChoice<R> & { readonly mount?: true | undefined }
): Layer.Layer<
  OptionalSession<Self> | RequireAssurance<Self> | RequireSession<Self>,
  never,
  HttpRouter.HttpRouter | NeedsOfChoice<R>
>
export function layer<Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  options: { readonly mount: false }
): Layer.Layer<OptionalSession<Self> | RequireAssurance<Self> | RequireSession<Self>, never, Doorman>
export function layer<Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  options?: MountOptions & { readonly mount?: true | undefined }
): Layer.Layer<
  OptionalSession<Self> | RequireAssurance<Self> | RequireSession<Self>,
  never,
  Doorman | HttpRouter.HttpRouter
>
export function layer<Self, User extends Decoder, Claims extends Decoder, R>(
  access: Access<Self, User, Claims>,
  options: MountOptions & Partial<DoormanChoice<R>> & { readonly mount?: boolean | undefined } = {}
): Layer.Layer<
  OptionalSession<Self> | RequireAssurance<Self> | RequireSession<Self>,
  never,
  Doorman | HttpRouter.HttpRouter | NeedsOfChoice<R>
> {
  const { doorman, mount: mounts = true } = options
  if (doorman === undefined) {
    const middlewares = Middleware.middlewares(access)
    // A constant layer of an application serves every `Doorman` that it is provided with: Effect would build it once.
    return Layer.fresh(mounts ? Layer.merge(mount(options), middlewares) : middlewares)
  }
  const middlewares = Middleware.middlewaresChoice(access, { doorman })
  return Layer.fresh(mounts ? Layer.merge(mountChoice({ ...options, doorman }), middlewares) : middlewares)
}

/**
 * Mounts all actions, at another path than the public one if need be. {@link layer} does it for applications with an access.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMount = (options: MountOptions = {}): Layer.Layer<never, never, Doorman | HttpRouter.HttpRouter> =>
  Layer.fresh(mount(options))

/**
 * For routes of an `HttpRouter`: provide it to them, and they have `CurrentSession` and `CurrentUser` of the access. A browser
 * that opens a page without a session is sent to the sign-in page and comes back; other clients get 401, 403 or 503. `doorman`
 * chooses the `Doorman` of each request, as in {@link layer}.
 *
 * @category layers
 * @since 0.1.0
 */
export function routes<Self, User extends Decoder, Claims extends Decoder, R>(
  access: Access<Self, User, Claims>,
  options: DoormanChoice<R>
): Layer.Layer<
  HttpRouter.Request<"Requires", CurrentSession<Self>> | HttpRouter.Request<"Requires", CurrentUser<Self>>,
  never,
  NeedsOfChoice<R>
>
export function routes<Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>
): Layer.Layer<
  HttpRouter.Request<"Requires", CurrentSession<Self>> | HttpRouter.Request<"Requires", CurrentUser<Self>>,
  never,
  Doorman
>
export function routes<Self, User extends Decoder, Claims extends Decoder, R>(
  access: Access<Self, User, Claims>,
  options?: DoormanChoice<R>
): Layer.Layer<
  HttpRouter.Request<"Requires", CurrentSession<Self>> | HttpRouter.Request<"Requires", CurrentUser<Self>>,
  never,
  Doorman | NeedsOfChoice<R>
> {
  return options === undefined
    ? Layer.fresh(Middleware.routes(access))
    : Layer.fresh(Middleware.routesChoice(access, options))
}

/**
 * For routes of an `HttpRouter` that change something by the cookie and ask for no session themselves, such as that of
 * `effect/rpc`: refuses what pages of other sites send.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSameSite: Layer.Layer<never, never, Doorman> = Layer.fresh(SameSite.layer)

/**
 * The session of the current request by the schemas of an access, if there is one.
 *
 * @category sessions
 * @since 0.1.0
 */
export const session = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>
): Effect.Effect<
  Option.Option<ActiveSession<User["Type"], Claims["Type"]>>,
  SessionUnavailable,
  Doorman | HttpServerRequest
> => Effect.flatMap(Doorman, (doorman) => Middleware.optionalSession(access, doorman))

/**
 * The session of the current request by the schemas of an access. Fails for a signed-out visitor, and for a request that a page
 * of another site sent.
 *
 * @category sessions
 * @since 0.1.0
 */
export const requireSession = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>
): Effect.Effect<
  ActiveSession<User["Type"], Claims["Type"]>,
  NotAllowed | NotSignedIn | SessionUnavailable,
  Doorman | HttpServerRequest
> => Effect.flatMap(Doorman, (doorman) => Middleware.requireSession(access, doorman))

/**
 * Hands `data` to `callbacks.jwt` (or `callbacks.session`, for sessions in a database) as an update, stores the result, and
 * returns the new session by the schemas of an access. Fails for a signed-out visitor, and for a request that a page of another
 * site sent; where it fails, the session stays as it was. A bearer token cannot be changed: the result then holds for the rest of
 * this request.
 *
 * @category sessions
 * @since 0.1.0
 */
export const updateSession = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  data: Readonly<Record<string, unknown>>
): Effect.Effect<
  ActiveSession<User["Type"], Claims["Type"]>,
  NotAllowed | NotSignedIn | SessionUnavailable,
  Doorman | HttpServerRequest
> => Middleware.updateSession(access, data)

/**
 * Signs a user in, in the browser of the current request. The application has authenticated the user; `callbacks.signIn` may
 * still refuse. With sessions in a database the store must know the user by this id. A request that changes something and
 * that a page of another site sent is refused with `NotAllowed`, which prevents login CSRF. `amr` and
 * `acr` say how the application authenticated the user, for endpoints that require it.
 *
 * @category sessions
 * @since 0.1.0
 */
export const signIn = (
  user: ServerSignIn.NamedUser,
  { acr, amr = [], rememberMe }: ServerSignIn.SignInOptions = {}
): Effect.Effect<void, NotAllowed | SignInError, Doorman | HttpServerRequest> =>
  Effect.gen(function* () {
    yield* sameSite(yield* Doorman, yield* HttpServerRequest)
    const authentication = yield* authenticatedNow(amr, acr)
    yield* Effect.flatMap(current, (state) => state.replace(ServerSignIn.signIn(user, authentication, rememberMe)))
  })

/**
 * Signs out the user of the current request: deletes the row of the session first, then the cookie. A bearer token that is in
 * no store stays valid until it expires.
 *
 * @category sessions
 * @since 0.1.0
 */
export const signOut: Effect.Effect<void, MalformedRequest | SignOutError, Doorman | HttpServerRequest> =
  Effect.flatMap(current, (state) => state.end(ServerSignOut.signOut))

/** The session of the current request, unless a page of another site sent it. @internal */
export const ownSession = Effect.flatMap(Doorman, (doorman) => Middleware.provenSession(doorman, true))

/**
 * Ends all sessions of the current user but the one of this request. Sessions that are tokens need `session.revocation`. Fails with
 * `NotAllowed` when a page of another site sent the request, and with `NotSignedIn` when the session of this request has ended
 * meanwhile: then no other session ends.
 *
 * @category sessions
 * @since 0.1.0
 */
export const revokeOtherSessions: Effect.Effect<
  void,
  NotAllowed | NotSignedIn | SessionError | SessionUnavailable,
  Doorman | HttpServerRequest
> = Effect.gen(function* () {
  const found = yield* ownSession
  const { generation, sessionToken: token, userId } = found
  const isIn = yield* revoking(UserSessions.revokeOthers(userId, { token, id: idOf(found), generation }))
  if (!isIn) return yield* new NotSignedIn({})
})
