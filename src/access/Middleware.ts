/**
 * The middlewares of an access, and the session of the current request by its schemas.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import * as HttpRouter from "effect/http/HttpRouter"
import { toResponse } from "effect/http/HttpServerRespondable"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import {
  type Access,
  type ActiveSession,
  type CurrentSession,
  type CurrentUser,
  type Decoder,
  Fresh,
  type MaybeSession,
  type OptionalSession,
  type RequireAssurance,
  type RequireSession
} from "../Access.ts"
import { type NotAllowed, NotSignedIn, SessionUnavailable, type StepUpRequired } from "./AccessProblem.ts"
import { checkAssurance, Rejection, requirementsOf } from "./Assurance.ts"
import { Doorman } from "../Doorman.ts"
import {
  always,
  type Choose,
  type DoormanChoice,
  fromChoice,
  type NeedsOfChoice,
  refuseRequest
} from "./ChooseDoorman.ts"
import { addPrivacy, addVary, challenged, sameSite } from "./Guards.ts"
import { resolveMessageSession } from "./MessageSession.ts"
import { stateIn, stateOf } from "./RequestState.ts"
import { decodeSession, type Found } from "./SessionDecoder.ts"
import { rejectionOf } from "./StepUp.ts"
import { signInRedirect } from "./SignInRedirect.ts"

type Failure = NotAllowed | NotSignedIn | SessionUnavailable

/** The call that a middleware guards. */
export interface Call {
  readonly endpoint?: { readonly middlewares: Iterable<{ readonly key: string }> }
  readonly rpc?: { readonly middlewares: Iterable<{ readonly key: string }> }
}

/** Fails for a session that a page of another site made the browser prove. */
const ownSite = (
  doorman: Doorman["Service"],
  request: HttpServerRequest,
  { via }: Found,
  refusesOtherSites: boolean
): Effect.Effect<void, NotAllowed> => (refusesOtherSites && via === "cookie" ? sameSite(doorman, request) : Effect.void)

/** The result of {@link provenSession} for the context of a request; an `Exit` where nothing has to wait. */
const provenIn = (
  context: Context.Context<HttpServerRequest>,
  doorman: Doorman["Service"],
  refusesOtherSites: boolean,
  isFresh: boolean
): Effect.Effect<Found, Failure, HttpServerRequest> => {
  const request = Context.get(context, HttpServerRequest)
  const found = Effect.flatMapEager(stateIn(doorman, request, context), (state) =>
    isFresh ? state.fresh(context) : state.session(context)
  )
  return Effect.flatMapEager(found, (found): Effect.Effect<Found, NotAllowed | NotSignedIn, HttpServerRequest> => {
    if (found === undefined) return challenged
    return Effect.mapEager(ownSite(doorman, request, found, refusesOtherSites), () => {
      addPrivacy(context)
      return found
    })
  })
}

/** The session that a request proves, before any schema reads it. */
export const provenSession = (
  doorman: Doorman["Service"],
  refusesOtherSites: boolean
): Effect.Effect<Found, Failure, HttpServerRequest> =>
  Effect.contextWith((context: Context.Context<HttpServerRequest>) =>
    provenIn(context, doorman, refusesOtherSites, false)
  )

/** Changes the session of the current request through the callbacks. */
export const changeSession = Effect.fnUntraced(function* (
  data: Readonly<Record<string, unknown>>,
  refusesOtherSites: boolean
): Effect.fn.Return<Found, Failure, Doorman | HttpServerRequest> {
  const doorman = yield* Doorman
  yield* provenSession(doorman, refusesOtherSites)
  const state = yield* stateOf(doorman, yield* HttpServerRequest)
  return (yield* state.change(data)) ?? (yield* challenged)
})

const refusesOtherSites = ({ crossSite }: { readonly crossSite: "allow" | "refuse" }): boolean => crossSite === "refuse"

/** The session of the current request. */
export const requireSession = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  doorman: Doorman["Service"],
  isFresh = false
): Effect.Effect<ActiveSession<User["Type"], Claims["Type"]>, Failure, HttpServerRequest> =>
  Effect.contextWith((context: Context.Context<HttpServerRequest>) =>
    Effect.flatMapEager(provenIn(context, doorman, refusesOtherSites(access), isFresh), (found) =>
      decodeSession(access, found, doorman.services)
    )
  )

/** An endpoint, as far as it says how its session is checked. */
interface Annotated {
  readonly endpoint: { readonly annotations: Context.Context<never> }
}

/** The session of the current request. A session that a page of another site proved with the cookie counts as none. */
export const optionalSession = Effect.fnUntraced(function* <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  doorman: Doorman["Service"]
): Effect.fn.Return<Option.Option<ActiveSession<User["Type"], Claims["Type"]>>, SessionUnavailable, HttpServerRequest> {
  const context = yield* Effect.context<HttpServerRequest>()
  const request = Context.get(context, HttpServerRequest)
  const state = yield* stateIn(doorman, request, context)
  const found = yield* state.session(context)
  addVary(context)
  if (found === undefined) return Option.none()
  const sameSite = yield* Effect.result(ownSite(doorman, request, found, refusesOtherSites(access)))
  if (Result.isFailure(sameSite)) return Option.none()
  addPrivacy(context)
  return Option.some(yield* decodeSession(access, found, doorman.services))
})

/** {@link changeSession}, decoded by the schemas of an access. */
export const updateSession = Effect.fnUntraced(function* <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  data: Readonly<Record<string, unknown>>
): Effect.fn.Return<ActiveSession<User["Type"], Claims["Type"]>, Failure, Doorman | HttpServerRequest> {
  const found = yield* changeSession(data, refusesOtherSites(access))
  return yield* decodeSession(access, found, (yield* Doorman).services)
})

/** The session of a message. */
const messageSession = Effect.fnUntraced(function* <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  doorman: Doorman["Service"],
  headers: Headers.Headers
): Effect.fn.Return<Option.Option<ActiveSession<User["Type"], Claims["Type"]>>, SessionUnavailable> {
  const found = yield* resolveMessageSession(doorman, headers)
  return found === undefined ? Option.none() : Option.some(yield* decodeSession(access, found, doorman.services))
})

/** Provides the services of a handler behind `RequireSession`; `reject` is for requirements that the session does not meet. */
export function provideSession<A, E, R, Self, User extends Decoder, Claims extends Decoder>(
  handler: Effect.Effect<A, E, R>,
  access: Access<Self, User, Claims>,
  session: ActiveSession<User["Type"], Claims["Type"]>,
  reject?: (failure: StepUpRequired) => Effect.Effect<void>
): Effect.Effect<A, E, Exclude<R, CurrentSession<Self> | CurrentUser<Self>>>
export function provideSession<A, E, Self, User extends Decoder, Claims extends Decoder>(
  handler: Effect.Effect<A, E, unknown>,
  access: Access<Self, User, Claims>,
  session: ActiveSession<User["Type"], Claims["Type"]>,
  reject?: (failure: StepUpRequired) => Effect.Effect<void>
): Effect.Effect<A, E, unknown> {
  // Adding to the context of the request is cheaper than merging it with another.
  return Effect.updateContext(handler, (context: Context.Context<unknown>) => {
    const behind = Context.add(context, access.CurrentSession, session).pipe(
      Context.add(access.CurrentUser, session.user)
    )
    return reject === undefined ? behind : Context.add(behind, Rejection, reject)
  })
}

type Middlewares<Self> = OptionalSession<Self> | RequireAssurance<Self> | RequireSession<Self>

const makeMiddlewares = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  choose: Choose
): Context.Context<Middlewares<Self>> =>
  Context.make(access.RequireSession, requireMiddleware(access, choose)).pipe(
    Context.add(assuranceOf(access), requireMiddleware(access, choose, checkCall(access))),
    Context.add(access.OptionalSession, optionalMiddleware(access, choose))
  )

/** The key of every middleware of an access that has a requirement. */
export const assuranceOf = <Self, User extends Decoder, Claims extends Decoder>(access: Access<Self, User, Claims>) =>
  access.RequireAssurance({})

/** Checks the requirements of the endpoint or of the procedure. */
export const checkCall = <Self, User extends Decoder, Claims extends Decoder>(access: Access<Self, User, Claims>) => {
  const { key } = assuranceOf(access)
  return (session: ActiveSession<unknown, unknown>, { endpoint, rpc }: Call) =>
    Effect.forEach(
      requirementsOf((endpoint ?? rpc)?.middlewares ?? [], key),
      (requirement) => checkAssurance(session, requirement),
      { discard: true }
    )
}

/** The middlewares of an access: each serves `HttpApi` and `effect/rpc`. */
export const middlewares = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>
): Layer.Layer<Middlewares<Self>, never, Doorman> =>
  Layer.effectContext(Effect.map(Doorman, (doorman) => makeMiddlewares(access, always(doorman))))

/** With the `Doorman` that the application chooses for each request. */
export const middlewaresChoice = <Self, User extends Decoder, Claims extends Decoder, R>(
  access: Access<Self, User, Claims>,
  choice: DoormanChoice<R>
): Layer.Layer<Middlewares<Self>, never, NeedsOfChoice<R>> =>
  Layer.effectContext(Effect.map(fromChoice(choice), (choose) => makeMiddlewares(access, choose)))

const challengeStepUp = rejectionOf()

/** A message is no request that could be answered with 404. */
const refuseMessage = () => Effect.fail(new SessionUnavailable({}))

const requireMiddleware = <Self, User extends Decoder, Claims extends Decoder, E1 extends StepUpRequired = never>(
  access: Access<Self, User, Claims>,
  choose: Choose,
  check?: (session: ActiveSession<unknown, unknown>, call: Call) => Effect.Effect<void, E1>
) => {
  const afterCheck = <A, E, R>(
    handler: Effect.Effect<A, E, R>,
    session: ActiveSession<unknown, unknown>,
    call: Call
  ): Effect.Effect<A, E | E1, R> => (check === undefined ? handler : Effect.andThen(check(session, call), handler))
  const onRequest = <E, R>(handler: Effect.Effect<HttpServerResponse, E, R>, options: Annotated & Call) =>
    choose(
      (doorman) =>
        Effect.flatMap(requireSession(access, doorman, Context.get(options.endpoint.annotations, Fresh)), (session) =>
          provideSession(afterCheck(handler, session, options), access, session, challengeStepUp)
        ),
      refuseRequest
    )
  const onMessage = <A, E, R>(
    call: Effect.Effect<A, E, R>,
    options: Call & { readonly headers: Headers.Headers }
  ): Effect.Effect<A, E | E1 | Failure, Exclude<R, CurrentSession<Self> | CurrentUser<Self>>> =>
    Effect.flatMap(
      Effect.filterOrFail(
        choose((doorman) => messageSession(access, doorman, options.headers), refuseMessage),
        Option.isSome,
        () => new NotSignedIn({})
      ),
      (session) => provideSession(afterCheck(call, session.value, options), access, session.value)
    )
  return Object.assign(onMessage, { session: onRequest, bearer: onRequest })
}

const optionalMiddleware = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  choose: Choose
) => {
  // HttpApi passes the endpoint, effect/rpc the headers of the message.
  function onEither<A, E, R>(
    call: Effect.Effect<A, E, R>,
    options: { readonly headers: Headers.Headers }
  ): Effect.Effect<A, E | SessionUnavailable, Exclude<R, MaybeSession<Self>>>
  function onEither<E, R>(
    handler: Effect.Effect<HttpServerResponse, E, R>,
    options: { readonly endpoint: unknown }
  ): Effect.Effect<HttpServerResponse, E | SessionUnavailable, Exclude<R, MaybeSession<Self>> | HttpServerRequest>
  function onEither<A, E, R>(
    handler: Effect.Effect<A, E, R>,
    options: { readonly endpoint: unknown } | { readonly headers: Headers.Headers }
  ): Effect.Effect<A | HttpServerResponse, E | SessionUnavailable, Exclude<R, MaybeSession<Self>> | HttpServerRequest> {
    const provide = (session: Option.Option<ActiveSession<User["Type"], Claims["Type"]>>) =>
      Effect.provideService(handler, access.MaybeSession, session)
    return "headers" in options
      ? Effect.flatMap(
          choose((doorman) => messageSession(access, doorman, options.headers), refuseMessage),
          provide
        )
      : choose((doorman) => Effect.flatMap(optionalSession(access, doorman), provide), refuseRequest)
  }
  return onEither
}

/** The services of routes behind the middleware of an access. */
export type RouteSession<Self> =
  | HttpRouter.Request<"Requires", CurrentSession<Self>>
  | HttpRouter.Request<"Requires", CurrentUser<Self>>

const routesWith = <Self, User extends Decoder, Claims extends Decoder, R>(
  access: Access<Self, User, Claims>,
  chosen: Effect.Effect<Choose, never, R>
) =>
  HttpRouter.middleware<{ provides: CurrentSession<Self> | CurrentUser<Self> }>()(
    Effect.map(
      chosen,
      (choose) => (handler) =>
        choose(
          (doorman) =>
            Effect.matchEffect(requireSession(access, doorman), {
              onFailure: (failure) => rejected(doorman, failure),
              onSuccess: (session) =>
                provideSession(
                  handler,
                  access,
                  session,
                  rejectionOf((failure, request) => signInRedirect(doorman, request, failure.authorizationParams))
                )
            }),
          refuseRequest
        )
    )
  ).layer

/** The middleware of an access for routes of an `HttpRouter`. */
export const routes = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>
): Layer.Layer<RouteSession<Self>, never, Doorman> => routesWith(access, Effect.map(Doorman, always))

/** With the `Doorman` that the application chooses for each request. */
export const routesChoice = <Self, User extends Decoder, Claims extends Decoder, R>(
  access: Access<Self, User, Claims>,
  choice: DoormanChoice<R>
): Layer.Layer<RouteSession<Self>, never, NeedsOfChoice<R>> => routesWith(access, fromChoice(choice))

/** The response to a request that a route rejects. */
const rejected = (
  doorman: Doorman["Service"],
  failure: Failure
): Effect.Effect<HttpServerResponse, never, HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest, (request) =>
    Effect.flatMap(
      failure instanceof NotSignedIn ? signInRedirect(doorman, request) : Effect.succeed(undefined),
      (redirect) => (redirect === undefined ? toResponse(failure) : Effect.succeed(redirect))
    )
  )
