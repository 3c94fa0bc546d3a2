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
import type { Scope } from "effect/Scope"
import type {
  Access,
  ActiveSession,
  CurrentSession,
  CurrentUser,
  Decoder,
  MaybeSession,
  OptionalSession,
  RequireSession
} from "../Access.ts"
import { type NotAllowed, NotSignedIn, type SessionUnavailable } from "../AccessProblem.ts"
import { Doorman } from "../Doorman.ts"
import { within } from "../ServicesHere.ts"
import { challenged, personal, sameSite, varying } from "./Conditions.ts"
import { resolveMessageSession } from "./MessageSession.ts"
import { perDoorman } from "./PerDoorman.ts"
import { stateOf } from "./RequestState.ts"
import { decodeSession, type Found } from "./SessionDecoder.ts"
import { signInRedirect } from "./SignInRedirect.ts"
import { always, type Chosen } from "./Tenant.ts"

type Failure = NotAllowed | NotSignedIn | SessionUnavailable

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

/** The doorman of the current request; a request that belongs to none has no session. */
const doormanOf = (
  chosen: Chosen
): Effect.Effect<Doorman["Service"], NotSignedIn | SessionUnavailable, HttpServerRequest | Scope> =>
  Effect.flatMap(chosen.ofRequest, Option.match({ onNone: () => challenged, onSome: Effect.succeed }))

/** The session of the current request. */
export const requireSession = Effect.fnUntraced(function* <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  doorman: Doorman["Service"]
): Effect.fn.Return<ActiveSession<User["Type"], Claims["Type"]>, Failure, HttpServerRequest> {
  return yield* decodeSession(access, yield* provenSession(doorman, refusesOtherSites(access)), doorman.services)
})

/** The session of the current request. A session that a page of another site proved with the cookie counts as none. */
export const optionalSession = Effect.fnUntraced(function* <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  doorman: Doorman["Service"]
): Effect.fn.Return<Option.Option<ActiveSession<User["Type"], Claims["Type"]>>, SessionUnavailable, HttpServerRequest> {
  const state = yield* stateOf(doorman, yield* HttpServerRequest)
  const found = yield* state.session
  yield* varying
  if (found === undefined) return Option.none()
  const sameSite = yield* Effect.result(ownSite(doorman, found, refusesOtherSites(access)))
  if (Result.isFailure(sameSite)) return Option.none()
  yield* personal
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
  chosen: Chosen,
  headers: Headers.Headers
): Effect.fn.Return<Option.Option<ActiveSession<User["Type"], Claims["Type"]>>, SessionUnavailable> {
  const doorman = yield* chosen.ofMessage
  if (Option.isNone(doorman)) return Option.none()
  const found = yield* resolveMessageSession(doorman.value, headers)
  return found === undefined ? Option.none() : Option.some(yield* decodeSession(access, found, doorman.value.services))
})

/** The services of a handler behind `RequireSession`. */
const sessionContext = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  session: ActiveSession<User["Type"], Claims["Type"]>
): Context.Context<CurrentSession<Self> | CurrentUser<Self>> =>
  Context.make(access.CurrentSession, session).pipe(Context.add(access.CurrentUser, session.user))

/** The middlewares of an access: each serves `HttpApi` and `effect/rpc`. */
export const middlewares = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>
): Layer.Layer<OptionalSession<Self> | RequireSession<Self>, never, Doorman> =>
  perDoorman(() => middlewaresOf(access, Effect.map(Doorman, always)))

/** The same, with the doorman that the application chooses for each request. */
export const middlewaresOf = <Self, User extends Decoder, Claims extends Decoder, R>(
  access: Access<Self, User, Claims>,
  chosen: Effect.Effect<Chosen, never, R>
): Layer.Layer<OptionalSession<Self> | RequireSession<Self>, never, R> =>
  Layer.effectContext(
    Effect.map(Effect.all([chosen, within]), ([doorman, inPlace]) =>
      Context.make(access.RequireSession, requireMiddleware(access, doorman, inPlace)).pipe(
        Context.add(access.OptionalSession, optionalMiddleware(access, doorman, inPlace))
      )
    )
  )

/** Runs an Effect with the services of the place where a layer is built. */
type InPlace = Effect.Success<typeof within>

const requireMiddleware = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  chosen: Chosen,
  inPlace: InPlace
) => {
  const onRequest = <E, R>(handler: Effect.Effect<HttpServerResponse, E, R>) =>
    Effect.flatMap(
      inPlace(Effect.flatMap(doormanOf(chosen), (doorman) => requireSession(access, doorman))),
      (session) => Effect.provideContext(handler, sessionContext(access, session))
    )
  const onMessage = <A, E, R>(
    call: Effect.Effect<A, E, R>,
    { headers }: { readonly headers: Headers.Headers }
  ): Effect.Effect<A, E | Failure, Exclude<R, CurrentSession<Self> | CurrentUser<Self>>> =>
    Effect.flatMap(
      Effect.filterOrFail(inPlace(messageSession(access, chosen, headers)), Option.isSome, () => new NotSignedIn({})),
      (session) => Effect.provideContext(call, sessionContext(access, session.value))
    )
  return Object.assign(onMessage, { session: onRequest, bearer: onRequest })
}

const optionalMiddleware = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  chosen: Chosen,
  inPlace: InPlace
) => {
  // HttpApi tells the endpoint, effect/rpc the headers of the message.
  function onEither<A, E, R>(
    call: Effect.Effect<A, E, R>,
    options: { readonly headers: Headers.Headers }
  ): Effect.Effect<A, E | SessionUnavailable, Exclude<R, MaybeSession<Self>>>
  function onEither<A, E, R>(
    handler: Effect.Effect<A, E, R>,
    options: { readonly endpoint: unknown }
  ): Effect.Effect<A, E | SessionUnavailable, Exclude<R, MaybeSession<Self>> | HttpServerRequest | Scope>
  function onEither<A, E, R>(
    handler: Effect.Effect<A, E, R>,
    options: { readonly endpoint: unknown } | { readonly headers: Headers.Headers }
  ): Effect.Effect<A, E | SessionUnavailable, Exclude<R, MaybeSession<Self>> | HttpServerRequest | Scope> {
    const session: Effect.Effect<
      Option.Option<ActiveSession<User["Type"], Claims["Type"]>>,
      SessionUnavailable,
      HttpServerRequest | Scope
    > = "headers" in options
      ? messageSession(access, chosen, options.headers)
      : Effect.flatMap(
          chosen.ofRequest,
          Option.match({
            onNone: () => Effect.succeedNone,
            onSome: (doorman) => optionalSession(access, doorman)
          })
        )
    return Effect.flatMap(inPlace(session), (found) => Effect.provideService(handler, access.MaybeSession, found))
  }
  return onEither
}

/** The middleware of an access for routes of an `HttpRouter`. */
export const routes = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>
): Layer.Layer<RouteSession<Self>, never, Doorman> => perDoorman(() => routesOf(access, Effect.map(Doorman, always)))

/** What {@link routes} puts into handlers. */
export type RouteSession<Self> =
  | HttpRouter.Request<"Requires", CurrentSession<Self>>
  | HttpRouter.Request<"Requires", CurrentUser<Self>>

/** The same, with the doorman that the application chooses for each request. */
export const routesOf = <Self, User extends Decoder, Claims extends Decoder, R>(
  access: Access<Self, User, Claims>,
  chosen: Effect.Effect<Chosen, never, R>
): Layer.Layer<RouteSession<Self>, never, R> =>
  HttpRouter.middleware<{ provides: CurrentSession<Self> | CurrentUser<Self> }>()(
    Effect.map(
      Effect.all([chosen, within]),
      ([chosen, inPlace]) =>
        (handler) =>
          Effect.matchEffect(inPlace(doormanOf(chosen)), {
            onFailure: toResponse,
            onSuccess: (doorman) =>
              Effect.matchEffect(inPlace(requireSession(access, doorman)), {
                onFailure: (failure) => rejected(doorman, failure),
                onSuccess: (session) => Effect.provideContext(handler, sessionContext(access, session))
              })
          })
    )
  ).layer

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
