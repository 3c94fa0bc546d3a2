/**
 * An access at work: its middlewares, and the session of the request by its schemas.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { toResponse } from "effect/http/HttpServerRespondable"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Access, ActiveSession, CurrentSession, CurrentUser, OptionalSession, RequireSession } from "../Access.ts"
import { type NotAllowed, NotSignedIn, type SessionUnavailable } from "../AccessProblem.ts"
import type { Found } from "../access/Reading.ts"
import { Doorman } from "../Doorman.ts"
import { within } from "../ServicesHere.ts"
import { challenged, personal, sameSite, varying } from "./Conditions.ts"
import { perDoorman } from "./PerDoorman.ts"
import { stateOf } from "./RequestState.ts"
import { signInRedirect } from "./SignInRedirect.ts"

/** An access at work. @category models @since 0.1.0 */
export interface Entrance<Id extends string, User, Members> {
  /** The middlewares of the access. */
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
  /** As `Http.updateSession`, with the session that comes of it by the schemas of the access. */
  readonly update: (
    data: Readonly<Record<string, unknown>>
  ) => Effect.Effect<
    ActiveSession<User, Members>,
    NotAllowed | NotSignedIn | SessionUnavailable,
    Doorman | HttpServerRequest
  >
}

/** Fails for a session that a page of another site made the browser prove. */
const ownSite = (
  doorman: Doorman["Service"],
  { via }: Found,
  refusesOtherSites: boolean
): Effect.Effect<void, NotAllowed, HttpServerRequest> =>
  refusesOtherSites && via === "cookie"
    ? Effect.flatMap(HttpServerRequest, (request) => sameSite(doorman, request))
    : Effect.void

/** The session that a request proves, before any schema reads it. */
export const provenSession = Effect.fnUntraced(function* (
  doorman: Doorman["Service"],
  refusesOtherSites: boolean
): Effect.fn.Return<Found, NotAllowed | NotSignedIn | SessionUnavailable, HttpServerRequest> {
  const state = yield* stateOf(doorman, yield* HttpServerRequest)
  const found = yield* state.session
  if (found === undefined) return yield* challenged
  yield* ownSite(doorman, found, refusesOtherSites)
  yield* personal
  return found
})

/** Puts an access to work. */
export const entrance = <Id extends string, User, Members>(
  access: Access<Id, User, Members>
): Entrance<Id, User, Members> => {
  const proven = (doorman: Doorman["Service"]) => provenSession(doorman, access.refusesOtherSites)
  const seen = (doorman: Doorman["Service"], found: Found) => access.read(found, doorman.services)

  const entitled = Effect.fnUntraced(function* (
    doorman: Doorman["Service"]
  ): Effect.fn.Return<ActiveSession<User, Members>, NotAllowed | NotSignedIn | SessionUnavailable, HttpServerRequest> {
    return yield* seen(doorman, yield* proven(doorman))
  })

  /** The session, unless a page of another site made the browser prove it: then there is none. */
  const visiting = Effect.fnUntraced(function* (
    doorman: Doorman["Service"]
  ): Effect.fn.Return<Option.Option<ActiveSession<User, Members>>, SessionUnavailable, HttpServerRequest> {
    const state = yield* stateOf(doorman, yield* HttpServerRequest)
    const found = yield* state.session
    yield* varying
    if (found === undefined) return Option.none()
    const own = yield* Effect.result(ownSite(doorman, found, access.refusesOtherSites))
    if (Result.isFailure(own)) return Option.none()
    yield* personal
    return Option.some(yield* seen(doorman, found))
  })

  const changed = Effect.fnUntraced(function* (
    data: Readonly<Record<string, unknown>>
  ): Effect.fn.Return<
    ActiveSession<User, Members>,
    NotAllowed | NotSignedIn | SessionUnavailable,
    Doorman | HttpServerRequest
  > {
    const doorman = yield* Doorman
    yield* proven(doorman)
    const state = yield* stateOf(doorman, yield* HttpServerRequest)
    const found = yield* state.change(data)
    return found === undefined ? yield* challenged : yield* seen(doorman, found)
  })

  /** What a handler behind the access has. */
  const entered = (session: ActiveSession<User, Members>): Context.Context<CurrentSession<Id> | CurrentUser<Id>> =>
    Context.make(access.CurrentSession, session).pipe(Context.add(access.CurrentUser, session.user))

  return {
    layer: perDoorman(() =>
      Layer.effectContext(
        Effect.gen(function* () {
          const doorman = yield* Doorman
          const inPlace = yield* within
          const letIn = <E, R>(handler: Effect.Effect<HttpServerResponse, E, R>) =>
            Effect.flatMap(inPlace(entitled(doorman)), (session) => Effect.provideContext(handler, entered(session)))
          return Context.make(access.RequireSession, access.RequireSession.of({ session: letIn, bearer: letIn })).pipe(
            Context.add(
              access.OptionalSession,
              access.OptionalSession.of((handler) =>
                Effect.flatMap(inPlace(visiting(doorman)), (found) =>
                  Effect.provideService(handler, access.MaybeSession, found)
                )
              )
            )
          )
        })
      )
    ),
    routes: perDoorman(
      () =>
        HttpRouter.middleware<{ provides: CurrentSession<Id> | CurrentUser<Id> }>()(
          Effect.map(
            Effect.all([Doorman, within]),
            ([doorman, inPlace]) =>
              (handler) =>
                Effect.matchEffect(inPlace(entitled(doorman)), {
                  onFailure: (failure) => sentAway(doorman, failure),
                  onSuccess: (session) => Effect.provideContext(handler, entered(session))
                })
          )
        ).layer
    ),
    session: Effect.flatMap(Doorman, visiting),
    require: Effect.flatMap(Doorman, entitled),
    update: changed
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
