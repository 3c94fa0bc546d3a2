/**
 * The session action: who is signed in, and until when.
 *
 * Where sessions are, and how they are renewed, is a matter of the `SessionStore`. A POST brings data of the client to the
 * callbacks.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Callbacks } from "./Callbacks.ts"
import type { Settings } from "./config/Settings.ts"
import type { Csrf } from "./browser/Csrf.ts"
import type { JwtSessionError, MissingCsrf, SessionTokenError } from "./Errors.ts"
import type { Events } from "./Events.ts"
import { AuthRequest } from "./http/AuthRequest.ts"
import * as AuthResponse from "./http/AuthResponse.ts"
import { ownMember } from "./internal/OwnProperty.ts"
import type { ReadToken } from "./Jwt.ts"
import { guard } from "./session/CsrfGuard.ts"
import { openToken } from "./session/SessionOwner.ts"
import { markName } from "./session/SessionMark.ts"
import {
  type Change,
  noSession,
  type Renewal,
  type SessionAnswer,
  type SessionServices,
  SessionStore
} from "./session/SessionStore.ts"
import { measuringSession } from "./telemetry/Signals.ts"
import { report } from "./telemetry/Report.ts"

export { layer as layerPolicy, SessionPolicy } from "./session/SessionPolicy.ts"
export type { SessionTimes } from "./session/SessionPolicy.ts"

/** What the actions of a session need. */
type Services = Settings | AuthRequest | Callbacks | Events | SessionServices

const toResponse = ({ cookies, json, session }: SessionAnswer): AuthResponse.AuthResponse =>
  AuthResponse.jsonResponse(session, json.text(), cookies)

/**
 * `POST session`: hands `data` of the body to the callbacks and reads the session that they make of it.
 *
 * @category actions
 * @since 0.1.0
 * @internal
 */
export const update: Effect.Effect<AuthResponse.AuthResponse, MissingCsrf, Services | Csrf> = Effect.gen(function* () {
  const request = yield* AuthRequest
  const token = yield* openToken(request)
  yield* guard(token)
  return toResponse(yield* current({ session: omitReserved(ownMember(request.body, "data")) }, token))
})

/**
 * The session of the request, for the actions: when a store or a callback fails, the failure is logged and the answer is no
 * session. `change` is the update that a client asks for, and reaches the callbacks. `opened` is the token of the request
 * when it was read already.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const current = (change: Change, opened?: ReadToken): Effect.Effect<SessionAnswer, never, Services> =>
  Effect.catch(
    Effect.flatMap(AuthRequest, ({ isDropIn }) => lookup(change, opened, isDropIn === true ? "always" : "due")),
    (failure) => Effect.as(report(failure), noSession)
  )

/**
 * The session of the request, for code of the application. Fails where a store or a callback fails: a failed lookup
 * is not a signed-out visitor. A token that cannot be used is.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const lookup = (
  change: Change,
  opened: ReadToken | undefined,
  renewal: Renewal
): Effect.Effect<SessionAnswer, JwtSessionError | SessionTokenError, Services> =>
  measuringSession(Effect.flatMap(SessionStore, (store) => store.read(change, renewal, opened)))

/**
 * `GET session`: reads the session.
 *
 * @category actions
 * @since 0.1.0
 * @internal
 */
export const read: Effect.Effect<AuthResponse.AuthResponse, never, Services> = Effect.map(
  current(undefined),
  toResponse
)

/** Claims that only the server sets: a client cannot change them. */
const reservedClaims: ReadonlySet<string> = new Set(["sub", "iat", "exp", "nbf", "jti", "iss", "aud", markName])

/**
 * The changes that a client may ask for: `data` without the claims that only the server sets.
 *
 * @category combinators
 * @since 0.1.0
 * @internal
 */
export const omitReserved = (data: unknown): unknown =>
  typeof data === "object" && data !== null && !Array.isArray(data)
    ? Object.fromEntries(Object.entries(data).filter(([name]) => !reservedClaims.has(name)))
    : data
