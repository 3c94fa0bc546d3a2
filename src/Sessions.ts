/**
 * Sessions without a request: for sockets, queues, jobs and subscriptions, for clients without cookies, and for the pages on
 * which users see and end their sessions.
 *
 * @since 0.1.0
 */
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { Access, ActiveSession, Decoder } from "./Access.ts"
import type { NotSignedIn, SessionUnavailable } from "./access/AccessProblem.ts"
import { Doorman } from "./Doorman.ts"
import type { SessionError, SignInError } from "./Errors.ts"
import * as IssuedSession from "./access/IssuedSession.ts"
import { revoking } from "./access/RequestState.ts"
import { decodeSession, type Found } from "./access/SessionDecoder.ts"
import type { SessionId, UserId } from "./Models.ts"
import type * as ServerSignIn from "./actions/ServerSignIn.ts"
import * as UserSessions from "./actions/UserSessions.ts"
import type { Platform, Services } from "./composition/Services.ts"
import * as SessionChanges from "./access/SessionChanges.ts"
import type { FollowedSession } from "./session/SessionStore.ts"

export type { IssueOptions, NamedUser, SignInOptions } from "./actions/ServerSignIn.ts"
export type { FollowedSession } from "./session/SessionStore.ts"
export type { ListedSession } from "./actions/UserSessions.ts"
export type { NotAllowed, NotSignedIn, SessionUnavailable } from "./access/AccessProblem.ts"

/** Runs with the services of the `Doorman`. */
const withServices = <A, E>(
  program: (services: Context.Context<Services | Platform>) => Effect.Effect<A, E>
): Effect.Effect<A, E, Doorman> => Effect.flatMap(Doorman, ({ servicesHere }) => Effect.flatMap(servicesHere, program))

/** Decodes a session by the schemas of an access. A session of another shape is a defect, which the log explains. */
const decoded = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  session: Found
): Effect.Effect<ActiveSession<User["Type"], Claims["Type"]>, never, Doorman> =>
  Effect.flatMap(Doorman, ({ services }) => decodeSession(access, session, services))

/**
 * Signs a user in without a browser and returns the session by the schemas of an access, with its token, which a client sends in
 * `Authorization: Bearer`. The application has authenticated the user; `callbacks.signIn` may still refuse. Fails with `NotSignedIn`
 * where the callbacks make a session that names no user.
 *
 * `amr`, `acr` and `authenticatedAt` say how and when the user was authenticated, for endpoints that require it. Without any of them
 * the session proves no recent sign-in.
 *
 * @category constructors
 * @since 0.1.0
 */
export const issue = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  user: ServerSignIn.NamedUser,
  options: ServerSignIn.IssueOptions = {}
): Effect.Effect<
  ActiveSession<User["Type"], Claims["Type"]> & { readonly token: Redacted.Redacted },
  NotSignedIn | SessionUnavailable | SignInError,
  Doorman
> =>
  Effect.flatMap(IssuedSession.issue(user, options), ([session, token]) =>
    Effect.map(decoded(access, session), (active) => ({ ...active, token }))
  )

/**
 * The session that a token proves, by the schemas of an access, if there is one. Reading renews no session. Each call checks the
 * revocation: a revoked session is not found.
 *
 * @category combinators
 * @since 0.1.0
 */
export const get = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  token: Redacted.Redacted
): Effect.Effect<Option.Option<ActiveSession<User["Type"], Claims["Type"]>>, SessionUnavailable, Doorman> =>
  Effect.flatMap(IssuedSession.resolve(token), (session) =>
    session === undefined ? Effect.succeedNone : Effect.asSome(decoded(access, session))
  )

/**
 * As {@link get}; fails with `NotSignedIn` for a token that proves no session.
 *
 * @category combinators
 * @since 0.1.0
 */
export const verify = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  token: Redacted.Redacted
): Effect.Effect<ActiveSession<User["Type"], Claims["Type"]>, NotSignedIn | SessionUnavailable, Doorman> =>
  Effect.flatMap(IssuedSession.verify(token), (session) => decoded(access, session))

/**
 * The sessions of a user in the database, the one that ends last first. `CurrentSession` has the `id` of the current one. JWT
 * sessions are stored nowhere, so that they cannot be listed.
 *
 * @category combinators
 * @since 0.1.0
 */
export const list = (userId: UserId): Effect.Effect<ReadonlyArray<UserSessions.ListedSession>, SessionError, Doorman> =>
  withServices((services) => Effect.provideContext(UserSessions.list(userId), services))

/**
 * Ends one session of a user. `false` when there was none of that id in the database. A JWT session needs
 * `session.revocation`. Its owner is not stored anywhere, so the id must come from the session itself.
 *
 * @category combinators
 * @since 0.1.0
 */
export const revoke = (userId: UserId, sessionId: SessionId): Effect.Effect<boolean, SessionError, Doorman> =>
  revoking(UserSessions.revoke(userId, sessionId))

/**
 * Ends all sessions of a user, on every device. Those that are tokens need `session.revocation`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const revokeAll = (userId: UserId): Effect.Effect<void, SessionError, Doorman> =>
  revoking(UserSessions.revokeAll(userId))

/**
 * Follows a session, such as `CurrentSession`: a stream without elements that ends at most `every` after the session has ended,
 * and fails where that cannot be checked. Default: `session.revocationCheck`, one minute.
 *
 * A socket or a stream ends with the session by `Stream.interruptWhen(messages, Stream.runDrain(Sessions.changes(session)))`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const changes = (
  session: FollowedSession,
  options: { readonly every?: Duration.Input | undefined } = {}
): Stream.Stream<never, SessionError, Doorman> =>
  Stream.unwrap(
    withServices((services) =>
      Effect.succeed(Stream.provideContext(SessionChanges.changes(session, options.every), services))
    )
  )
