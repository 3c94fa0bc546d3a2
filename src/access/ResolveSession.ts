/**
 * Whose session a request has: by its cookie, else by `Authorization: Bearer`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Found } from "./SessionDecoder.ts"
import { SessionUnavailable } from "./AccessProblem.ts"
import { Settings, cookiesFor } from "../config/Settings.ts"
import { AuthRequest, bearerOf } from "../http/AuthRequest.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { UnexpectedError } from "../Errors.ts"
import type { ReadToken } from "../Jwt.ts"
import { UserId } from "../models/Id.ts"
import { epochOf, sidOf } from "../session/SessionMark.ts"
import type { Platform, Services } from "../composition/Services.ts"
import * as Session from "../Session.ts"
import { unknownAuthentication } from "../session/Authentication.ts"
import { isUnsettled, settle, type Settled } from "../session/OneSession.ts"
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

/** Resolves the session. It fails when the owner cannot be determined; only the operator's log says why. */
export const lookUp = (
  services: Context.Context<Services | Platform>,
  request: AuthRequest["Service"],
  options: LookupOptions
): Effect.Effect<ResolvedSession, SessionUnavailable> => {
  const { authorization, change, renewal } = options
  const token = bearerOf(authorization)
  const next = (answer: SessionAnswer) =>
    answer.session !== null || token === undefined
      ? resolved(answer, "cookie")
      : lookUpBearer(request, token, options, answer.cookies)
  const settled = isUnsettled(Context.get(services, Settings), Context.get(services, SessionStore), request)
    ? settle(request)
    : Effect.succeed<Settled>({ request, cookies: [] })
  return Effect.updateContext(
    token !== undefined && request.cookies.values.size === 0
      ? next(noSession)
      : Effect.flatMapEager(settled, ({ conflict, cookies, request: single }) =>
          conflict === undefined
            ? Effect.flatMap(look(request, single, { change, renewal }), next)
            : Effect.andThen(report(conflict), next({ ...noSession, cookies }))
        ),
    (context: Context.Context<never>) => Context.add(Context.merge(context, services), AuthRequest, request)
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
  const settings = yield* Settings
  const { name } = cookiesFor(settings, request.url).sessionToken
  const bearing = readSession(
    request.url,
    { values: new Map([[name, token]]), conflicts: undefined },
    () => request.headers
  )
  const opened = yield* (yield* SessionStore).openBearer(request, token)
  // The response cannot carry a new bearer token, so the claims of this one stay.
  const proven = yield* look(request, bearing, { change, opened, renewal: opened === undefined ? renewal : "never" })
  const { found } = yield* resolved(proven, "bearer")
  return { found, cookies }
})

/** Looks up the session of `single`: the request, or the request with the cookies of one session. */
const look = (
  request: AuthRequest["Service"],
  single: AuthRequest["Service"],
  { change, opened, renewal }: Pick<LookupOptions, "change" | "renewal"> & { readonly opened?: ReadToken | undefined }
): Effect.Effect<SessionAnswer, SessionUnavailable, Everything> => {
  const looked = Session.lookup(change, opened, renewal).pipe(
    // A service of the application may die where it should have failed.
    Effect.catchDefect((cause) => Effect.fail(new UnexpectedError({ detail: "The session could not be read", cause }))),
    Effect.catch((failure) => Effect.andThen(report(failure), Effect.fail(new SessionUnavailable({}))))
  )
  return single === request ? looked : Effect.provideService(looked, AuthRequest, single)
}

const isUserId = Schema.is(UserId)

/** The session that handlers see; none for one that names no user, because handlers act for a user. */
const resolved = (
  { authentication = unknownAuthentication, cookies, end, json, mark, session, sessionToken, userId }: SessionAnswer,
  via: Found["via"]
): Effect.Effect<ResolvedSession> => {
  if (session === null) return Effect.succeed({ found: undefined, cookies })
  if (!isUserId(userId)) return Effect.as(Effect.logWarning(namesNoUser), { found: undefined, cookies })
  const [sid, generation] = [sidOf(mark), epochOf(mark)]
  return Effect.succeed({ found: { json, end, userId, sessionToken, sid, generation, via, authentication }, cookies })
}

const namesNoUser =
  "A session names no user, so handlers treat the visitor as signed out: keep sub in the token of callbacks.jwt"
