/**
 * Whose session a request has: by its cookie, else by `Authorization: Bearer`.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { Found } from "./SessionDecoder.ts"
import { SessionUnavailable } from "./AccessProblem.ts"
import { Settings, cookiesFor } from "../config/Settings.ts"
import { AuthRequest, bearerOf } from "../http/AuthRequest.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { UnexpectedError } from "../Errors.ts"
import type { ReadToken } from "../Jwt.ts"
import { isUserId } from "../models/Id.ts"
import { epochOf } from "../session/SessionMark.ts"
import type { Platform, Services } from "../composition/Services.ts"
import * as Session from "../Session.ts"
import { unknownAuthentication } from "../session/Authentication.ts"
import { isUnsettled, settle } from "../session/OneSession.ts"
import { noSession, type Renewal, type SessionAnswer, SessionStore } from "../session/SessionStore.ts"
import { CurrentMetrics } from "../telemetry/Signals.ts"
import { report } from "../telemetry/Report.ts"
import { readSession } from "./ServerRequest.ts"

/** The result of a lookup: the session, or `undefined` for a signed-out visitor, and the cookies to set in either case. */
export interface ResolvedSession {
  readonly found: Found | undefined
  readonly cookies: ReadonlyArray<ResponseCookie>
}

/** How to look. */
export interface LookupOptions {
  readonly change?: { readonly session: unknown } | undefined
  readonly renewal: Renewal
  readonly authorization: string | undefined
}

/** Is an Effect known already? Then nothing of it is left to run. */
export const isKnown = <A, E>(effect: Effect.Effect<A, E, unknown>): effect is Exit.Exit<A, E> => Exit.isExit(effect)

/**
 * Resolves the session. It fails when the owner cannot be determined; only the operator's log says why. `here` is the context of
 * the request. What a token says is known at once, unless the application or another process is asked: then this is an `Exit`, and
 * nothing runs with the services of the place and those of the library together.
 */
export const lookUp = (
  services: Context.Context<Services | Platform>,
  request: AuthRequest["Service"],
  options: LookupOptions,
  here: Context.Context<never>
): Effect.Effect<ResolvedSession, SessionUnavailable> => {
  const token = bearerOf(options.authorization)
  const next = (answer: SessionAnswer) =>
    answer.session !== null || token === undefined
      ? resolved(answer, "cookie")
      : lookUpBearer(request, token, options, answer.cookies)
  const read = (single: AuthRequest["Service"]) =>
    Effect.flatMapEager(look(lookupContext(services, single, here), options), next)
  const program =
    token !== undefined && request.cookies.values.size === 0
      ? next(noSession)
      : isUnsettled(Context.get(services, Settings), Context.get(services, SessionStore), request)
        ? Effect.flatMap(settle(request), ({ conflict, cookies, request: single }) =>
            conflict === undefined
              ? Effect.provideService(read(single), AuthRequest, single)
              : Effect.andThen(report(conflict), next({ ...noSession, cookies }))
          )
        : read(request)
  return isKnown(program)
    ? program
    : Effect.updateContext(program, (context: Context.Context<never>) =>
        Context.add(Context.merge(context, services), AuthRequest, request)
      )
}

type Everything = AuthRequest | Platform | Services

/** The session of a bearer token; `cookies` are those of the answer. */
const lookUpBearer = Effect.fnUntraced(function* (
  request: AuthRequest["Service"],
  token: string,
  { change, renewal }: LookupOptions,
  cookies: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<ResolvedSession, SessionUnavailable, Everything> {
  const context = yield* Effect.context<Everything>()
  const { name } = cookiesFor(Context.get(context, Settings), request.url).sessionToken
  const bearing = readSession(request.url, { values: new Map([[name, token]]), conflicts: undefined }, request.headers)
  const opened = yield* Context.get(context, SessionStore).openBearer(request, token)
  // The response cannot carry a new bearer token, so the claims of this one stay.
  const proven = yield* Effect.provideService(
    look(Context.add(context, AuthRequest, bearing), {
      change,
      opened,
      renewal: opened === undefined ? renewal : "never"
    }),
    AuthRequest,
    bearing
  )
  const { found } = yield* resolved(proven, "bearer")
  return { found, cookies }
})

/** Looks up a session with the services of `context`. It is an `Exit` where nothing has to wait. */
const look = (
  context: Context.Context<Everything>,
  { change, opened, renewal }: Pick<LookupOptions, "change" | "renewal"> & { readonly opened?: ReadToken | undefined }
): Effect.Effect<SessionAnswer, SessionUnavailable, Everything> => {
  // A service of the application may throw or die where it should have failed.
  const looked = Result.getOrElse(
    Result.try(() => Session.lookup(context, change, opened, renewal)),
    Effect.die
  )
  return isKnown(looked) && Exit.isSuccess(looked)
    ? Effect.succeed(looked.value)
    : looked.pipe(
        Effect.catchDefect((cause) =>
          Effect.fail(new UnexpectedError({ detail: "The session could not be read", cause }))
        ),
        Effect.catch((failure) => Effect.andThen(report(failure), Effect.fail(new SessionUnavailable({}))))
      )
}

/** The services of a lookup with what it takes from the place before it runs: the clock, and whether anything is counted. */
const lookupContext = (
  services: Context.Context<Services | Platform>,
  request: AuthRequest["Service"],
  here: Context.Context<never>
): Context.Context<Everything> => {
  const context = Context.add(services, AuthRequest, request).pipe(
    Context.add(Clock.Clock, Context.get(here, Clock.Clock))
  )
  const meters = Context.get(here, CurrentMetrics)
  return meters === undefined || services.mapUnsafe.has(CurrentMetrics.key)
    ? context
    : Context.add(context, CurrentMetrics, meters)
}

/** The session that handlers see; none for one that names no user, because handlers act for a user. */
const resolved = (
  {
    authentication = unknownAuthentication,
    cookies,
    end,
    json,
    mark,
    session,
    sessionToken,
    sid = "",
    userId
  }: SessionAnswer,
  via: Found["via"]
): Effect.Effect<ResolvedSession> => {
  if (session === null) return Effect.succeed({ found: undefined, cookies })
  if (!isUserId(userId)) return Effect.as(Effect.logWarning(namesNoUser), { found: undefined, cookies })
  const [name, generation] = [sessionToken ?? sid, epochOf(mark)]
  const found = { json, end, userId, sessionToken, name, generation, via, authentication, decoded: [] }
  return Effect.succeed({ found, cookies })
}

const namesNoUser =
  "A session names no user, so handlers treat the visitor as signed out: keep sub in the token of callbacks.jwt"
