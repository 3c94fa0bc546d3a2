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
import { AuthRequest } from "../http/AuthRequest.ts"
import type { ResponseCookie } from "../http/Cookie.ts"
import { UnexpectedError } from "../Errors.ts"
import { bearerOf } from "../http/Bearer.ts"
import { Jwt, readBearer, type ReadToken } from "../Jwt.ts"
import { UserId } from "../models/Id.ts"
import { epochOf, sidOf } from "../session/SessionMark.ts"
import type { Platform, Services } from "../composition/Services.ts"
import * as Session from "../Session.ts"
import { unknownAuthentication } from "../session/Authentication.ts"
import { settle } from "../session/OneSession.ts"
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
  readonly renewal: Session.Renewal
  readonly authorization: string | undefined
}

/** Resolves the session. It fails when the owner cannot be determined; only the operator's log says why. */
export const lookUp = Effect.fnUntraced(function* (
  services: Context.Context<Services | Platform>,
  request: AuthRequest["Service"],
  { authorization, change, renewal }: LookupOptions
): Effect.fn.Return<ResolvedSession, SessionUnavailable> {
  const settings = Context.get(services, Settings)
  const look = (as: AuthRequest["Service"], renews: Session.Renewal, opened?: ReadToken) =>
    Effect.provideContext(
      Session.lookup(change, opened, renews).pipe(
        // A service of the application may die where it should have failed.
        Effect.catchDefect((cause) =>
          Effect.fail(new UnexpectedError({ detail: "The session could not be read", cause }))
        ),
        Effect.catch((failure) => Effect.andThen(report(failure), Effect.fail(new SessionUnavailable({}))))
      ),
      Context.add(services, AuthRequest, as)
    )
  const token = bearerOf(authorization)
  const answer =
    token !== undefined && request.cookies.values.size === 0
      ? noSession
      : yield* lookAtOne(request, services, (single) => look(single, renewal))
  const named = (session: Session.SessionAnswer, via: Found["via"]) =>
    Effect.provideContext(found(session, via), services)
  if (answer.session !== null) return { found: yield* named(answer, "cookie"), cookies: answer.cookies }
  if (token === undefined) return { found: undefined, cookies: answer.cookies }
  const { name } = cookiesFor(settings, request.url).sessionToken
  const bearing = readSession(
    request.url,
    { values: new Map([[name, token]]), conflicts: undefined },
    () => request.headers
  )
  const proven =
    settings.session.strategy === "jwt"
      ? // The response cannot carry a new bearer token, so the claims of this one stay.
        yield* look(bearing, "never", yield* readBearer(settings, Context.get(services, Jwt), request, token))
      : yield* look(bearing, renewal)
  return { found: proven.session === null ? undefined : yield* named(proven, "bearer"), cookies: answer.cookies }
})

/** Looks at the one session of a request that may bring several. */
const lookAtOne = Effect.fnUntraced(function* (
  request: AuthRequest["Service"],
  services: Context.Context<Services | Platform>,
  look: (single: AuthRequest["Service"]) => Effect.Effect<Session.SessionAnswer, SessionUnavailable>
): Effect.fn.Return<Session.SessionAnswer, SessionUnavailable> {
  const within = Context.add(services, AuthRequest, request)
  const { conflict, cookies, request: single } = yield* Effect.provideContext(settle(request), within)
  if (conflict === undefined) return yield* look(single)
  yield* Effect.provideContext(report(conflict), within)
  return { ...noSession, cookies }
})

const noSession: Session.SessionAnswer = { session: null, text: "null", cookies: [] }

const isUserId = Schema.is(UserId)

/** The session that handlers see; `undefined` for one that names no user, because handlers act for a user. */
const found = (
  { authentication = unknownAuthentication, mark, sessionToken, text, userId }: Session.SessionAnswer,
  via: Found["via"]
): Effect.Effect<Found | undefined> =>
  !isUserId(userId)
    ? Effect.as(
        Effect.logWarning(
          "A session names no user, so handlers treat the visitor as signed out: keep sub in the token of callbacks.jwt"
        ),
        undefined
      )
    : Effect.succeed({
        text,
        userId,
        sessionToken,
        sid: sidOf(mark),
        generation: epochOf(mark),
        via,
        authentication
      })
