/**
 * The HTTP door of an Effect application: all actions on its router, the session in its handlers, and what its code may do
 * with sessions.
 *
 * `Http.layer` is all that most applications need beside `Auth.layer`: it mounts the actions and puts `RequireSession` and
 * `OptionalSession` to work. Every program here belongs to the current `HttpServerRequest`, looks a session up once for each
 * request, and sets its cookies on whatever answer goes out. Whoever has a user schema of their own makes an `Access`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Access from "./Access.ts"
import type { NotAllowed, NotSignedIn } from "./AccessProblem.ts"
import type { SessionUser } from "./CurrentSession.ts"
import { Doorman } from "./Doorman.ts"
import type { MalformedRequest, SessionError, SignInError, SignOutError } from "./Errors.ts"
import { sameSite } from "./http/Conditions.ts"
import { type Entrance, entrance, provenSession } from "./http/Entrance.ts"
import { type MountOptions, mount } from "./http/Mount.ts"
import { perRouter } from "./http/PerDoorman.ts"
import * as Redaction from "./http/Redaction.ts"
import { current, revoking } from "./http/RequestState.ts"
import * as SameSite from "./http/SameSite.ts"
import * as ServerSession from "./ServerSession.ts"

export { NotAllowed, NotSignedIn, SessionMismatch, SessionUnavailable } from "./AccessProblem.ts"
export type { ActiveSession } from "./CurrentSession.ts"
export { SessionUser } from "./CurrentSession.ts"
export { allow, CurrentSession, CurrentUser, MaybeSession, OptionalSession, RequireSession } from "./Access.ts"
export type { Entrance } from "./http/Entrance.ts"
export type { MountOptions } from "./http/Mount.ts"
export type { ListedSession, NamedUser } from "./ServerSession.ts"

const own = entrance(Access.standard)

/**
 * Puts an access of the application to work: the layer of its middlewares, the one for routes of an `HttpRouter`, and the
 * session of the current request by its schemas.
 *
 * @category constructors
 * @since 0.1.0
 */
export const forAccess = <Id extends string, User, Members>(
  access: Access.Access<Id, User, Members>
): Entrance<Id, User, Members> => entrance(access)

/**
 * Mounts all actions under the base path, and puts the middlewares to work.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<
  Access.OptionalSession<"effect-doorman"> | Access.RequireSession<"effect-doorman">,
  never,
  Doorman | HttpRouter.HttpRouter
> = perRouter(() => Layer.merge(mount(), own.layer))

/**
 * The middlewares alone, for a service that has the actions elsewhere.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSession: Layer.Layer<
  Access.OptionalSession<"effect-doorman"> | Access.RequireSession<"effect-doorman">,
  never,
  Doorman
> = own.layer

/**
 * Mounts all actions, at another path than the public one if need be.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMount = (options: MountOptions = {}): Layer.Layer<never, never, Doorman | HttpRouter.HttpRouter> =>
  mount(options)

/**
 * Keeps the parameters and headers of the library out of Effect's own HTTP spans and errors. Provide it to the server, as in
 * `HttpRouter.serve(App).pipe(Layer.provide(Http.layerRedaction))`. The spans of the mounted actions are kept clean without it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerRedaction: Layer.Layer<never> = Layer.succeedContext(Redaction.references)

/**
 * For routes of an `HttpRouter`: provide it to them, and they have `CurrentSession` and `CurrentUser`. A browser that opens a
 * page without a session is sent to the sign-in page and comes back; programs get 401, 403 or 503.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerRoutes = own.routes

/**
 * For routes of an `HttpRouter` that change something by the cookie and ask for no session themselves, such as that of
 * `effect/rpc`: refuses what pages of other sites send.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSameSite: Layer.Layer<never, never, Doorman> = SameSite.layer

/**
 * The session of the current request, if there is one.
 *
 * @category sessions
 * @since 0.1.0
 */
export const session = own.session

/**
 * The session of the current request; fails when there is none, or when a page of another site sent the request.
 *
 * @category sessions
 * @since 0.1.0
 */
export const requireSession = own.require

/**
 * Hands `data` to `callbacks.jwt` (or `callbacks.session`, for sessions in a database) as an update, and keeps what they make
 * of it. Fails when nobody is signed in, or when a page of another site sent the request; where it fails, the session stays
 * what it was. The token of a client that sends it itself, as a bearer, cannot be changed: what the callbacks make of it then
 * holds for the rest of this request.
 *
 * @category sessions
 * @since 0.1.0
 */
export const updateSession = (
  data: Readonly<Record<string, unknown>>
): Effect.Effect<
  Access.ActiveSession<SessionUser, Record<never, never>>,
  Access.SessionUnavailable | NotAllowed | NotSignedIn,
  Doorman | HttpServerRequest
> => own.update(data)

/**
 * Signs a user in, in the browser of the current request. The application has made sure who it is; `callbacks.signIn` may
 * still refuse. With sessions in a database the store must know the user by this id. A request that changes something and
 * that a page of another site sent is refused with `NotAllowed`: nobody is signed in as somebody else without knowing.
 *
 * @category sessions
 * @since 0.1.0
 */
export const signIn = (
  user: ServerSession.NamedUser
): Effect.Effect<void, NotAllowed | SignInError, Doorman | HttpServerRequest> =>
  Effect.gen(function* () {
    yield* sameSite(yield* Doorman, yield* HttpServerRequest)
    yield* Effect.flatMap(current, (state) => state.replace(ServerSession.signIn(user)))
  })

/**
 * Signs out whoever sent the current request: the row of the session goes first, then the cookie. A token that the client
 * sends as a bearer, and that is in no store, is good until it ends: no program can take it back.
 *
 * @category sessions
 * @since 0.1.0
 */
export const signOut: Effect.Effect<void, MalformedRequest | SignOutError, Doorman | HttpServerRequest> =
  Effect.flatMap(current, (state) => state.end(ServerSession.signOut))

/**
 * The sessions of a user, the one that ends last first. `id` tells which is the current one: `CurrentSession` has it too.
 *
 * @category sessions
 * @since 0.1.0
 */
export const listSessions = (
  userId: string
): Effect.Effect<ReadonlyArray<ServerSession.ListedSession>, SessionError, Doorman> =>
  Effect.flatMap(Doorman, ({ servicesHere }) =>
    Effect.flatMap(servicesHere, (services) => Effect.provideContext(ServerSession.list(userId), services))
  )

/**
 * Ends one session of a user; `false` when there was none of that id.
 *
 * @category sessions
 * @since 0.1.0
 */
export const revokeSession = (userId: string, sessionId: string): Effect.Effect<boolean, SessionError, Doorman> =>
  revoking(ServerSession.revoke(userId, sessionId))

/**
 * Ends all sessions of a user, on every device.
 *
 * @category sessions
 * @since 0.1.0
 */
export const revokeSessions = (userId: string): Effect.Effect<void, SessionError, Doorman> =>
  revoking(ServerSession.revokeAll(userId))

/**
 * Ends all sessions of the current user but the one of this request. Fails when a page of another site sent the request.
 *
 * @category sessions
 * @since 0.1.0
 */
export const revokeOtherSessions: Effect.Effect<
  void,
  Access.SessionUnavailable | NotAllowed | NotSignedIn | SessionError,
  Doorman | HttpServerRequest
> = Effect.gen(function* () {
  const found = yield* provenSession(yield* Doorman, true)
  yield* revoking(ServerSession.revokeAll(found.userId, found.sessionToken))
})
