import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type * as Redacted from "effect/Redacted";
import * as Stream from "effect/Stream";
import type { Access, ActiveSession, Decoder } from "./Access.ts";
import type { NotSignedIn, SessionUnavailable } from "./access/AccessProblem.ts";
import { Doorman } from "./Doorman.ts";
import type { SessionError, SignInError } from "./Errors.ts";
import type { SessionId, UserId } from "./Models.ts";
import type * as ServerSignIn from "./actions/ServerSignIn.ts";
import * as UserSessions from "./actions/UserSessions.ts";
import type { FollowedSession } from "./session/SessionStore.ts";
export type { IssueOptions, NamedUser, SignInOptions } from "./actions/ServerSignIn.ts";
export type { FollowedSession } from "./session/SessionStore.ts";
export type { ListedSession } from "./actions/UserSessions.ts";
export type { NotAllowed, NotSignedIn, SessionUnavailable } from "./access/AccessProblem.ts";
export declare const issue: <Self, User extends Decoder, Claims extends Decoder>(access: Access<Self, User, Claims>, user: ServerSignIn.NamedUser, options?: ServerSignIn.IssueOptions) => Effect.Effect<ActiveSession<User["Type"], Claims["Type"]> & {
    readonly token: Redacted.Redacted;
}, NotSignedIn | SessionUnavailable | SignInError, Doorman>;
export declare const get: <Self, User extends Decoder, Claims extends Decoder>(access: Access<Self, User, Claims>, token: Redacted.Redacted) => Effect.Effect<Option.Option<ActiveSession<User["Type"], Claims["Type"]>>, SessionUnavailable, Doorman>;
export declare const verify: <Self, User extends Decoder, Claims extends Decoder>(access: Access<Self, User, Claims>, token: Redacted.Redacted) => Effect.Effect<ActiveSession<User["Type"], Claims["Type"]>, NotSignedIn | SessionUnavailable, Doorman>;
export declare const list: (userId: UserId) => Effect.Effect<ReadonlyArray<UserSessions.ListedSession>, SessionError, Doorman>;
export declare const revoke: (userId: UserId, sessionId: SessionId) => Effect.Effect<boolean, SessionError, Doorman>;
export declare const revokeAll: (userId: UserId) => Effect.Effect<void, SessionError, Doorman>;
export declare const changes: (session: FollowedSession, options?: {
    readonly every?: Duration.Input | undefined;
}) => Stream.Stream<never, SessionError, Doorman>;
