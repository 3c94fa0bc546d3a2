import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type * as Redacted from "effect/Redacted";
import * as Stream from "effect/Stream";
import { NotSignedIn, type SessionUnavailable } from "./access/AccessProblem.ts";
import { Doorman } from "./Doorman.ts";
import type { SessionError, SignInError } from "./Errors.ts";
import * as IssuedSession from "./access/IssuedSession.ts";
import type { SessionId, UserId } from "./Models.ts";
import type * as ServerSignIn from "./actions/ServerSignIn.ts";
import * as UserSessions from "./actions/UserSessions.ts";
import type { FollowedSession } from "./session/SessionStore.ts";
export type { ProvenSession } from "./access/IssuedSession.ts";
export type { IssueOptions, NamedUser, SignInOptions } from "./actions/ServerSignIn.ts";
export type { FollowedSession } from "./session/SessionStore.ts";
export type { ListedSession } from "./actions/UserSessions.ts";
export type { NotAllowed, NotSignedIn, SessionUnavailable } from "./access/AccessProblem.ts";
export declare const issue: (user: ServerSignIn.NamedUser, options?: ServerSignIn.IssueOptions) => Effect.Effect<IssuedSession.ProvenSession & {
    readonly token: Redacted.Redacted;
}, NotSignedIn | SessionUnavailable | SignInError, Doorman>;
export declare const get: (token: Redacted.Redacted) => Effect.Effect<Option.Option<IssuedSession.ProvenSession>, SessionUnavailable, Doorman>;
export declare const verify: (token: Redacted.Redacted) => Effect.Effect<IssuedSession.ProvenSession, NotSignedIn | SessionUnavailable, Doorman>;
export declare const list: (userId: UserId) => Effect.Effect<ReadonlyArray<UserSessions.ListedSession>, SessionError, Doorman>;
export declare const revoke: (userId: UserId, sessionId: SessionId) => Effect.Effect<boolean, SessionError, Doorman>;
export declare const revokeAll: (userId: UserId) => Effect.Effect<void, SessionError, Doorman>;
export declare const changes: (session: FollowedSession, options?: {
    readonly every?: Duration.Input | undefined;
}) => Stream.Stream<never, SessionError, Doorman>;
