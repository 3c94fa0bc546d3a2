import * as Effect from "effect/Effect";
import type * as HttpRouter from "effect/http/HttpRouter";
import { HttpServerRequest } from "effect/http/HttpServerRequest";
import type { HttpServerResponse } from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import type * as Option from "effect/Option";
import type { Access, ActiveSession, CurrentSession, CurrentUser, Decoder, OptionalSession, RequireAssurance, RequireSession } from "./Access.ts";
import { type NotAllowed, NotSignedIn, type SessionUnavailable } from "./access/AccessProblem.ts";
import { Doorman } from "./Doorman.ts";
import type { MalformedRequest, SessionError, SignInError, SignOutError } from "./Errors.ts";
import type { DoormanChoice, NeedsOfChoice } from "./access/ChooseDoorman.ts";
import { type MountOptions } from "./access/Mount.ts";
import * as ServerSignIn from "./actions/ServerSignIn.ts";
export type { DoormanChoice, NeedsOfChoice } from "./access/ChooseDoorman.ts";
export type { MountOptions } from "./access/Mount.ts";
export type { NamedUser, SignInOptions } from "./actions/ServerSignIn.ts";
export declare const handle: Effect.Effect<HttpServerResponse, never, Doorman | HttpServerRequest>;
export declare function layer<Self, User extends Decoder, Claims extends Decoder, R>(access: Access<Self, User, Claims>, options: DoormanChoice<R> & {
    readonly mount: false;
}): Layer.Layer<OptionalSession<Self> | RequireAssurance<Self> | RequireSession<Self>, never, NeedsOfChoice<R>>;
export declare function layer<Self, User extends Decoder, Claims extends Decoder, R>(access: Access<Self, User, Claims>, options: MountOptions & DoormanChoice<R> & {
    readonly mount?: true | undefined;
}): Layer.Layer<OptionalSession<Self> | RequireAssurance<Self> | RequireSession<Self>, never, HttpRouter.HttpRouter | NeedsOfChoice<R>>;
export declare function layer<Self, User extends Decoder, Claims extends Decoder>(access: Access<Self, User, Claims>, options: {
    readonly mount: false;
}): Layer.Layer<OptionalSession<Self> | RequireAssurance<Self> | RequireSession<Self>, never, Doorman>;
export declare function layer<Self, User extends Decoder, Claims extends Decoder>(access: Access<Self, User, Claims>, options?: MountOptions & {
    readonly mount?: true | undefined;
}): Layer.Layer<OptionalSession<Self> | RequireAssurance<Self> | RequireSession<Self>, never, Doorman | HttpRouter.HttpRouter>;
export declare const layerMount: (options?: MountOptions) => Layer.Layer<never, never, Doorman | HttpRouter.HttpRouter>;
export declare function routes<Self, User extends Decoder, Claims extends Decoder, R>(access: Access<Self, User, Claims>, options: DoormanChoice<R>): Layer.Layer<HttpRouter.Request<"Requires", CurrentSession<Self>> | HttpRouter.Request<"Requires", CurrentUser<Self>>, never, NeedsOfChoice<R>>;
export declare function routes<Self, User extends Decoder, Claims extends Decoder>(access: Access<Self, User, Claims>): Layer.Layer<HttpRouter.Request<"Requires", CurrentSession<Self>> | HttpRouter.Request<"Requires", CurrentUser<Self>>, never, Doorman>;
export declare const layerSameSite: Layer.Layer<never, never, Doorman>;
export declare const session: <Self, User extends Decoder, Claims extends Decoder>(access: Access<Self, User, Claims>) => Effect.Effect<Option.Option<ActiveSession<User["Type"], Claims["Type"]>>, SessionUnavailable, Doorman | HttpServerRequest>;
export declare const requireSession: <Self, User extends Decoder, Claims extends Decoder>(access: Access<Self, User, Claims>) => Effect.Effect<ActiveSession<User["Type"], Claims["Type"]>, NotAllowed | NotSignedIn | SessionUnavailable, Doorman | HttpServerRequest>;
export declare const updateSession: <Self, User extends Decoder, Claims extends Decoder>(access: Access<Self, User, Claims>, data: Readonly<Record<string, unknown>>) => Effect.Effect<ActiveSession<User["Type"], Claims["Type"]>, NotAllowed | NotSignedIn | SessionUnavailable, Doorman | HttpServerRequest>;
export declare const signIn: (user: ServerSignIn.NamedUser, { acr, amr, rememberMe }?: ServerSignIn.SignInOptions) => Effect.Effect<void, NotAllowed | SignInError, Doorman | HttpServerRequest>;
export declare const signOut: Effect.Effect<void, MalformedRequest | SignOutError, Doorman | HttpServerRequest>;
export declare const revokeOtherSessions: Effect.Effect<void, NotAllowed | NotSignedIn | SessionError | SessionUnavailable, Doorman | HttpServerRequest>;
