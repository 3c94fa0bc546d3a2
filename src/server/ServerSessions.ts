/**
 * The sessions of users as promises: the functions of `effect-doorman/Sessions`, with plain data in and out.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as IssuedSession from "../access/IssuedSession.ts"
import type { Doorman } from "../Doorman.ts"
import { asSessionId, asUserId } from "../models/Id.ts"
import * as Sessions from "../Sessions.ts"
import { isSessionId } from "../storage/Details.ts"
import {
  checked,
  followed,
  id,
  misuseOf,
  object,
  optionalDate,
  optionalList,
  optionalSeconds,
  text
} from "./Arguments.ts"
import type { DeviceSession, FollowedServerSession, ServerAuth } from "./ServerAuth.ts"
import { serverSession } from "./ServerSession.ts"

/** Runs a program outside of any request, until `signal` stops it. */
export type RunApart = <A, E>(program: Effect.Effect<A, E, Doorman>, signal?: AbortSignal) => Promise<A>

/** The times of a listed session as dates. */
const deviceSession = ({
  authenticatedAt,
  createdAt,
  expires,
  lastSeenAt,
  ...session
}: Effect.Success<ReturnType<typeof Sessions.list>>[number]): DeviceSession => ({
  ...session,
  expires: DateTime.toDateUtc(expires),
  ...(createdAt && { createdAt: DateTime.toDateUtc(createdAt) }),
  ...(lastSeenAt && { lastSeenAt: DateTime.toDateUtc(lastSeenAt) }),
  ...(authenticatedAt && { authenticatedAt: DateTime.toDateUtc(authenticatedAt) })
})

const redacted = (token: string): Redacted.Redacted => Redacted.make(token, { label: "sessionToken" })

/** Sessions that are proven by a token, for clients without cookies, and sessions that are followed. */
const tokenFunctions = (apart: RunApart): Pick<ServerAuth["sessions"], "changes" | "get" | "issue" | "verify"> => ({
  issue: (user, { authenticatedAt, ...options } = {}) =>
    checked(
      misuseOf("sessions.issue(user)", { user: [user, object] }) ??
        misuseOf("sessions.issue(user)", {
          "user.id": [user.id, id],
          "options.amr": [options.amr, optionalList],
          "options.authenticatedAt": [authenticatedAt, optionalDate]
        }),
      () => {
        const at = authenticatedAt && { authenticatedAt: DateTime.fromDateUnsafe(authenticatedAt) }
        return apart(IssuedSession.issue({ ...user, id: asUserId(user.id) }, { ...options, ...at })).then(
          ([session, token]) => ({ ...serverSession(session), token: Redacted.value(token) })
        )
      }
    ),
  get: (token) =>
    checked(misuseOf("sessions.get(token)", { token: [token, text] }), () =>
      apart(IssuedSession.resolve(redacted(token))).then((session) =>
        session === undefined ? null : serverSession(session)
      )
    ),
  verify: (token) =>
    checked(misuseOf("sessions.verify(token)", { token: [token, text] }), () =>
      apart(IssuedSession.verify(redacted(token))).then(serverSession)
    ),
  changes: (session, ended, { every } = {}) => {
    const stop = new AbortController()
    const end = (failure?: unknown): void => (stop.signal.aborted ? undefined : ended(failure))
    const misuse = misuseOf("sessions.changes(session, ended)", {
      session: [session, followed],
      "options.every": [every, optionalSeconds]
    })
    checked(misuse, () => apart(Stream.runDrain(follow(session, every)), stop.signal)).then(() => end(), end)
    return () => stop.abort()
  }
})

const follow = ({ expires, generation, id, userId }: FollowedServerSession, every: number | undefined) =>
  Sessions.changes(
    { id: asSessionId(id), userId: asUserId(userId), expires: DateTime.makeUnsafe(expires), generation },
    every === undefined ? {} : { every: Duration.seconds(every) }
  )

/** The functions of `sessions`. */
export const sessionFunctions = (apart: RunApart): ServerAuth["sessions"] => ({
  ...tokenFunctions(apart),
  list: (userId) =>
    checked(misuseOf("sessions.list(userId)", { userId: [userId, id] }), () =>
      apart(Effect.map(Sessions.list(asUserId(userId)), (sessions) => sessions.map(deviceSession)))
    ),
  // Pages hand over what a client sent. Of a text that names no session the shared state would keep a mark.
  revoke: (userId, sessionId) =>
    checked(
      misuseOf("sessions.revoke(userId, sessionId)", { userId: [userId, id], sessionId: [sessionId, text] }),
      () => (isSessionId(sessionId) ? apart(Sessions.revoke(asUserId(userId), sessionId)) : Promise.resolve(false))
    ),
  revokeAll: (userId) =>
    checked(misuseOf("sessions.revokeAll(userId)", { userId: [userId, id] }), () =>
      apart(Sessions.revokeAll(asUserId(userId)))
    )
})
