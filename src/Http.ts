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
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import type { OptionalSession as OptionalSessionOf, RequireSession as RequireSessionOf } from "./Access.ts"
import * as Access from "./Access.ts"
import type { NotSignedIn } from "./AccessProblem.ts"
import type { SessionUser } from "./CurrentSession.ts"
import { Doorman } from "./Doorman.ts"
import type {
  AdapterError,
  AuthError,
  MalformedRequest,
  MissingAdapterMethods,
  SignOutError,
  UnsupportedStrategy
} from "./Errors.ts"
import { type MountOptions, mount } from "./http/Mount.ts"
import * as Redaction from "./http/Redaction.ts"
import { current } from "./http/RequestState.ts"
import type { AuthConfig } from "./AuthConfig.ts"
import * as SameSite from "./http/SameSite.ts"
import * as ServerSession from "./ServerSession.ts"

export { NotAllowed, NotSignedIn, SessionMismatch, SessionUnavailable } from "./AccessProblem.ts"
export type { ActiveSession } from "./CurrentSession.ts"
export { SessionUser } from "./CurrentSession.ts"
export type { MountOptions } from "./http/Mount.ts"
export type { ListedSession, NamedUser } from "./ServerSession.ts"

const own = Access.standard

/**
 * The user of the request, where `RequireSession` or `layerRoutes` let them in.
 *
 * @category services
 * @since 0.1.0
 */
export const CurrentUser = own.CurrentUser

/**
 * The session of the request, where `RequireSession` or `layerRoutes` let its user in.
 *
 * @category services
 * @since 0.1.0
 */
export const CurrentSession = own.CurrentSession

/**
 * The session of the request, if there is one, where `OptionalSession` looked.
 *
 * @category services
 * @since 0.1.0
 */
export const MaybeSession = own.MaybeSession

/**
 * Middleware of `HttpApi` that lets only signed-in users in: 401, 403 or 503, or the handler with session and user.
 *
 * @category services
 * @since 0.1.0
 */
export const RequireSession = own.RequireSession

/**
 * Middleware of `HttpApi` that lets everybody in, with {@link MaybeSession}; 503 when nobody can tell.
 *
 * @category services
 * @since 0.1.0
 */
export const OptionalSession = own.OptionalSession

/**
 * Fails with `NotAllowed` unless the rule holds for the current user.
 *
 * @category sessions
 * @since 0.1.0
 */
export const allow = own.allow

/** The identity of {@link RequireSession}. @category models @since 0.1.0 */
export type RequireSession = RequireSessionOf<"effect-doorman">
/** The identity of {@link OptionalSession}. @category models @since 0.1.0 */
export type OptionalSession = OptionalSessionOf<"effect-doorman">

/**
 * Mounts all actions under the base path, and puts the middlewares to work.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<OptionalSession | RequireSession, never, Doorman | HttpRouter.HttpRouter> = Layer.merge(
  mount(),
  own.layer
)

/**
 * The middlewares alone, for a service that has the actions elsewhere.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSession: Layer.Layer<OptionalSession | RequireSession, never, Doorman> = own.layer

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
 * of it. Fails when nobody is signed in.
 *
 * @category sessions
 * @since 0.1.0
 */
export const updateSession = (
  data: Readonly<Record<string, unknown>>
): Effect.Effect<
  Access.ActiveSession<SessionUser, Record<never, never>>,
  Access.SessionUnavailable | NotSignedIn,
  Doorman | HttpServerRequest
> =>
  Effect.flatMap(current, (state) =>
    Effect.flatMap(state.change(data), (found) =>
      found === undefined ? Effect.fail(new Access.NotSignedIn({})) : own.read(found)
    )
  )

/**
 * Signs a user in, in the browser of the current request. The application has made sure who it is; `callbacks.signIn` may
 * still refuse. With sessions in a database the store must know the user by this id.
 *
 * @category sessions
 * @since 0.1.0
 */
export const signIn = (user: ServerSession.NamedUser): Effect.Effect<void, AuthError, Doorman | HttpServerRequest> =>
  Effect.flatMap(current, (state) =>
    Effect.andThen(Effect.flatMap(state.run(ServerSession.signIn(user)), state.deliver), state.forget)
  )

/**
 * Signs out in the browser of the current request: the row of the session goes first, then the cookie.
 *
 * @category sessions
 * @since 0.1.0
 */
export const signOut: Effect.Effect<void, MalformedRequest | SignOutError, Doorman | HttpServerRequest> =
  Effect.flatMap(current, (state) =>
    Effect.gen(function* () {
      const { cookies, failure } = yield* state.run(ServerSession.signOut)
      yield* state.deliver(cookies)
      yield* state.forget
      if (failure !== undefined) return yield* failure
    })
  )

const withSettings = <A, E>(program: Effect.Effect<A, E, AuthConfig>): Effect.Effect<A, E, Doorman> =>
  Effect.flatMap(Doorman, ({ services }) => Effect.provideContext(program, services))

/** What reading and ending the sessions of a user can fail with. @category errors @since 0.1.0 */
export type SessionListError = AdapterError | MissingAdapterMethods | UnsupportedStrategy

/**
 * The sessions of a user, the one that ends last first. `id` tells which is the current one: `CurrentSession` has it too.
 *
 * @category sessions
 * @since 0.1.0
 */
export const listSessions = (
  userId: string
): Effect.Effect<ReadonlyArray<ServerSession.ListedSession>, SessionListError, Doorman> =>
  withSettings(ServerSession.list(userId))

/**
 * Ends one session of a user; `false` when there was none of that id.
 *
 * @category sessions
 * @since 0.1.0
 */
export const revokeSession = (userId: string, sessionId: string): Effect.Effect<boolean, SessionListError, Doorman> =>
  withSettings(ServerSession.revoke(userId, sessionId))

/**
 * Ends all sessions of a user, on every device.
 *
 * @category sessions
 * @since 0.1.0
 */
export const revokeSessions = (userId: string): Effect.Effect<void, SessionListError, Doorman> =>
  withSettings(ServerSession.revokeAll(userId))

/**
 * Ends all sessions of the current user but the one of this request.
 *
 * @category sessions
 * @since 0.1.0
 */
export const revokeOtherSessions: Effect.Effect<
  void,
  Access.SessionUnavailable | NotSignedIn | SessionListError,
  Doorman | HttpServerRequest
> = Effect.flatMap(current, (state) =>
  Effect.gen(function* () {
    const found = yield* state.session
    if (found?.userId === undefined) return yield* new Access.NotSignedIn({})
    yield* withSettings(ServerSession.revokeAll(found.userId, found.sessionToken))
  })
)
