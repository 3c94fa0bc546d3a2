import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { type AuthError, CallbackRouteError } from "./Errors.ts";
import { type Answer } from "./internal/Answer.ts";
import type { Account, AdapterSession, AdapterUser, DefaultSession, JWT, Profile, Session, User } from "./Models.ts";
import type { UserFields } from "./preset/ProviderOptions.ts";
export interface SignInParams {
    readonly user: User;
    readonly account: Account | null;
    readonly profile?: Profile;
    readonly credentials?: Readonly<Record<string, string>>;
    readonly email?: {
        readonly verificationRequest?: boolean;
    };
}
export type Trigger = "signIn" | "signUp" | "update";
export interface JwtParams {
    readonly token: JWT;
    readonly user?: User;
    readonly account?: Account | null;
    readonly profile?: Profile;
    readonly trigger?: Trigger;
    readonly isNewUser?: boolean | undefined;
    readonly session?: unknown;
}
export interface StoredSession extends AdapterSession {
    user: AdapterUser;
    [member: string]: unknown;
}
export type VisibleSession = Session | DefaultSession | StoredSession | {
    user?: UserFields | undefined;
    expires: string | Date;
    [member: string]: unknown;
};
export interface TokenSessionParams {
    readonly session: Session;
    readonly token: JWT;
    readonly user?: undefined;
    readonly newSession?: undefined;
    readonly trigger?: undefined;
}
export interface StoredSessionParams {
    readonly session: StoredSession;
    readonly user: AdapterUser;
    readonly token?: undefined;
    readonly newSession?: unknown;
    readonly trigger?: "update";
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
export {};
