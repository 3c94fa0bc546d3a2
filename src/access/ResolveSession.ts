/**
 * Whose session a request has: by its cookie, else by `Authorization: Bearer`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
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

/** Resolves the session. It fails when the owner cannot be determined; only the operator's log says why. */
export const lookUp = (
  services: Context.Context<Services | Platform>,
  request: AuthRequest["Service"],
  options: LookupOptions
): Effect.Effect<ResolvedSession, SessionUnavailable> =>
  Effect.provideContext(lookUpHere(request, options), Context.add(services, AuthRequest, request))

const lookUpHere = Effect.fnUntraced(function* (
  request: AuthRequest["Service"],
  options: LookupOptions
): Effect.fn.Return<ResolvedSession, SessionUnavailable, Everything> {
  const token = bearerOf(options.authorization)
  if (token !== undefined && request.cookies.values.size === 0) return yield* lookUpBearer(request, token, options, [])
  const {
    conflict,
    cookies,
    request: single
  } = isUnsettled(yield* Settings, request) ? yield* settle(request) : { request, cookies: [], conflict: undefined }
  if (conflict !== undefined) yield* report(conflict)
  const answer =
    conflict === undefined
      ? yield* Effect.provideService(look(options), AuthRequest, single)
      : { ...noSession, cookies }
  return answer.session !== null || token === undefined
    ? yield* resolved(answer, "cookie")
    : yield* lookUpBearer(request, token, options, answer.cookies)
})

type Everything = AuthRequest | Platform | Services

/** The session of a bearer token; `cookies` are those of the answer. */
const lookUpBearer = Effect.fnUntraced(function* (
  request: AuthRequest["Service"],
  token: string,
  { change, renewal }: LookupOptions,
  cookies: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<ResolvedSession, SessionUnavailable, Everything> {
  const { name } = cookiesFor(yield* Settings, request.url).sessionToken
  const bearing = readSession(request.url, { values: new Map([[name, token]]), conflicts: undefined }, request.headers)
  const opened = yield* (yield* SessionStore).open(request, token)
  // The response cannot carry a new bearer token, so the claims of this one stay.
  const proven = yield* Effect.provideService(
    look({ change, opened, renewal: opened === undefined ? renewal : "never" }),
    AuthRequest,
    bearing
  )
  const { found } = yield* resolved(proven, "bearer")
  return { found, cookies }
})

/** Looks up a session. A service of the application may throw or die where it should have failed. */
const look = ({
  change,
  opened,
  renewal
}: Pick<LookupOptions, "change" | "renewal"> & { readonly opened?: ReadToken | undefined }): Effect.Effect<
  SessionAnswer,
  SessionUnavailable,
  Everything
> =>
  Effect.suspend(() => Session.lookup(change, opened, renewal)).pipe(
    Effect.catchDefect((cause) => Effect.fail(new UnexpectedError({ detail: "The session could not be read", cause }))),
    Effect.catch((failure) => Effect.andThen(report(failure), Effect.fail(new SessionUnavailable({}))))
  )

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
