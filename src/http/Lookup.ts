/**
 * Whose session a request has: by its cookie, else by `Authorization: Bearer`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { SessionUnavailable } from "../AccessProblem.ts"
import { type AuthConfig, cookiesFor } from "../AuthConfig.ts"
import { AuthRequest } from "../AuthRequest.ts"
import type { ResponseCookie } from "../Cookie.ts"
import type { Platform, Services } from "../Services.ts"
import * as Session from "../Session.ts"

/** A session that was found. */
export interface Found {
  /** What `callbacks.session` answered, as JSON text. */
  readonly text: string
  readonly userId: string | undefined
  readonly sessionToken: string | undefined
  readonly via: "cookie" | "bearer"
}

/** What came of looking: nobody or somebody, and the cookies to set in either case. */
export interface Looked {
  readonly found: Found | undefined
  readonly cookies: ReadonlyArray<ResponseCookie>
}

/** How to look. */
export interface LookupOptions {
  readonly change?: { readonly session: unknown } | undefined
  readonly renewal: Session.Renewal
  readonly authorization: string | undefined
}

/** Looks. A failure says that it is not known whose session it is; the operator is told why, and nobody else. */
export const lookUp = Effect.fnUntraced(function* (
  settings: AuthConfig["Service"],
  services: Context.Context<Services | Platform>,
  request: AuthRequest["Service"],
  { authorization, change, renewal }: LookupOptions
): Effect.fn.Return<Looked, SessionUnavailable> {
  const look = (as: AuthRequest["Service"]) =>
    Effect.catch(
      Effect.provideContext(Session.lookup(change, undefined, renewal), Context.add(services, AuthRequest, as)),
      (failure) => Effect.andThen(Effect.logError(failure), Effect.fail(new SessionUnavailable({})))
    )
  const answer = yield* look(request)
  if (answer.session !== null) return { found: found(answer, "cookie"), cookies: answer.cookies }
  const token = bearerOf(authorization)
  if (token === undefined) return { found: undefined, cookies: answer.cookies }
  const { name } = cookiesFor(settings, request.url).sessionToken
  // The row of a session in a database moves on with its use; of a new token nobody would hear.
  const proven = yield* look({ ...request, cookies: { values: new Map([[name, token]]), conflicts: undefined } })
  return { found: proven.session === null ? undefined : found(proven, "bearer"), cookies: answer.cookies }
})

const found = ({ sessionToken, text, userId }: Session.SessionAnswer, via: Found["via"]): Found => ({
  text,
  userId,
  sessionToken,
  via
})

/** RFC 6750 section 2.1. */
const bearerOf = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization)?.[1]
