import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { type AuthError, CallbackRouteError } from "./Errors.ts";
import { type Answer } from "./internal/Answer.ts";
import type { Account, JWT, Profile, User } from "./Models.ts";
import type { StoredSessionParams, TokenSessionParams, VisibleSession } from "./config/SessionParams.ts";
export type { VisibleSession } from "./config/SessionParams.ts";
export type { StoredSession, StoredSessionParams, TokenSessionParams } from "./config/SessionParams.ts";
export type { Answer, Done } from "./internal/Answer.ts";
export type { AdapterUser } from "./models/Shape.ts";
export interface SignInParams {
    readonly user: User;
    readonly account: Account | null;
    readonly profile?: Profile;
    readonly credentials?: Readonly<Record<string, string>>;
    readonly email?: {
        readonly verificationRequest?: boolean;
    };
}
type Trigger = "signIn" | "signUp" | "update";
export interface JwtParams {
    readonly token: JWT;
    readonly user?: User;
    readonly account?: Account | null;
    readonly profile?: Profile;
    readonly trigger?: Trigger;
    readonly isNewUser?: boolean | undefined;
    readonly session?: unknown;
}
export type SessionParams = TokenSessionParams | StoredSessionParams;
export interface CallbacksOptions<R = never> {
    readonly signIn?: ((params: SignInParams) => Answer<boolean | string, R>) | undefined;
    readonly redirect?: ((params: {
        readonly url: string;
        readonly baseUrl: string;
    }) => Answer<string, R>) | undefined;
    readonly jwt?: ((params: JwtParams) => Answer<JWT | null, R>) | undefined;
    readonly session?: ((params: SessionParams) => Answer<VisibleSession, R>) | undefined;
}
declare const Callbacks_base: Context.ServiceClass<Callbacks, "effect-doorman/Callbacks", {
    readonly signIn: (params: SignInParams) => Effect.Effect<true | string, AuthError>;
    readonly admitsAll?: boolean;
    readonly redirect: (params: {
        readonly url: string;
        readonly baseUrl: string;
    }) => Effect.Effect<unknown, CallbackRouteError>;
    readonly jwt: (params: JwtParams) => Effect.Effect<JWT | null, CallbackRouteError>;
    readonly session: (params: SessionParams) => Effect.Effect<VisibleSession, CallbackRouteError>;
    readonly keepsTokens?: boolean;
}>;
export declare class Callbacks extends Callbacks_base {
}
export declare const make: (options: CallbacksOptions) => Callbacks["Service"];
