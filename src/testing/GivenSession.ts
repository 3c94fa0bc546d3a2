/**
 * The middlewares of an access with a session that a test gives, or without one: no request proves it, and no `Doorman` reads it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type {
  Access,
  ActiveSession,
  CurrentSession,
  CurrentUser,
  Decoder,
  MaybeSession,
  OptionalSession,
  RequireAssurance,
  RequireSession
} from "../Access.ts"
import { NotSignedIn } from "../access/AccessProblem.ts"
import { challenged } from "../access/Guards.ts"
import { assuranceOf, type Call, checkCall, provideSession, type RouteSession } from "../access/Middleware.ts"

/**
 * Services of a signed-out visitor for handlers: `MaybeSession`, and the middlewares of `HttpApi` and `effect/rpc`.
 *
 * @category models
 * @since 0.1.0
 */
export type VisitorServices<Self> =
  | MaybeSession<Self>
  | OptionalSession<Self>
  | RequireAssurance<Self>
  | RequireSession<Self>

/** Services of a signed-in user for handlers, routes of an `HttpRouter` included. @category models @since 0.1.0 */
export type UserServices<Self> = CurrentSession<Self> | CurrentUser<Self> | RouteSession<Self> | VisitorServices<Self>

/** The services of a session. */
export const signedIn = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  session: ActiveSession<User["Type"], Claims["Type"]>
): Layer.Layer<UserServices<Self>> => {
  const check = checkCall(access)
  const require = <A, E, R>(call: Effect.Effect<A, E, R>) => provideSession(call, access, session)
  const assure = <A, E, R>(call: Effect.Effect<A, E, R>, options: Call) =>
    Effect.andThen(check(session, options), require(call))
  const services = Context.make(access.RequireSession, forBoth(require, require)).pipe(
    Context.add(assuranceOf(access), forBoth(assure, assure)),
    Context.add(access.CurrentSession, session),
    Context.add(access.CurrentUser, session.user),
    Context.merge(optional(access, Option.some(session)))
  )
  const routes = HttpRouter.middleware<{ provides: CurrentSession<Self> | CurrentUser<Self> }>()(
    Effect.succeed(require)
  ).layer
  return Layer.merge(Layer.succeedContext(services), routes)
}

/** The services of a signed-out visitor. */
export const signedOut = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>
): Layer.Layer<VisitorServices<Self>> => {
  const refuse = () => Effect.fail(new NotSignedIn({}))
  const rejection = forBoth(refuse, () => challenged)
  return Layer.succeedContext(
    Context.make(access.RequireSession, rejection).pipe(
      Context.add(assuranceOf(access), rejection),
      Context.merge(optional(access, Option.none()))
    )
  )
}

/** A middleware for messages of `effect/rpc` and for requests of `HttpApi`. */
const forBoth = <Message extends object, Request>(onMessage: Message, onRequest: Request) =>
  Object.assign(onMessage, { session: onRequest, bearer: onRequest })

const optional = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  session: Option.Option<ActiveSession<User["Type"], Claims["Type"]>>
) =>
  Context.make(access.MaybeSession, session).pipe(
    Context.add(access.OptionalSession, <A, E, R>(call: Effect.Effect<A, E, R>) =>
      Effect.provideService(call, access.MaybeSession, session)
    )
  )
