import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware";
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity";
import type * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { type Reading } from "./access/Reading.ts";
import { NotAllowed, NotSignedIn, SessionUnavailable } from "./AccessProblem.ts";
import { type ActiveSession, SessionUser } from "./CurrentSession.ts";
export { NotAllowed, NotSignedIn, SessionMismatch, SessionUnavailable } from "./AccessProblem.ts";
export { type ActiveSession, SessionUser } from "./CurrentSession.ts";
export declare const Public: Context.Reference<boolean>;
export interface CurrentUser<Id extends string> {
    readonly "~effect-doorman/CurrentUser": Id;
}
export interface CurrentSession<Id extends string> {
    readonly "~effect-doorman/CurrentSession": Id;
}
export interface MaybeSession<Id extends string> {
    readonly "~effect-doorman/MaybeSession": Id;
}
export type Security = {
    readonly session: HttpApiSecurity.ApiKey;
    readonly bearer: typeof HttpApiSecurity.bearer;
};
declare const requiredErrors: readonly [typeof NotSignedIn, typeof NotAllowed, typeof SessionUnavailable];
declare const optionalErrors: readonly [typeof SessionUnavailable];
type Required<Id extends string> = {
    readonly requires: never;
    readonly provides: CurrentSession<Id> | CurrentUser<Id>;
    readonly error: typeof requiredErrors;
    readonly clientError: never;
    readonly requiredForClient: false;
};
type Optional<Id extends string> = {
    readonly requires: never;
    readonly provides: MaybeSession<Id>;
    readonly error: typeof optionalErrors;
    readonly clientError: never;
    readonly requiredForClient: false;
};
export interface RequireSession<Id extends string> {
    readonly "~effect/http-api/HttpApiMiddleware": Required<Id>;
}
export interface OptionalSession<Id extends string> {
    readonly "~effect/http-api/HttpApiMiddleware": Optional<Id>;
}
export interface Access<Id extends string, User, Members> {
    readonly id: Id;
    readonly CurrentUser: Context.Service<CurrentUser<Id>, User>;
    readonly CurrentSession: Context.Service<CurrentSession<Id>, ActiveSession<User, Members>>;
    readonly MaybeSession: Context.Service<MaybeSession<Id>, Option.Option<ActiveSession<User, Members>>>;
    readonly RequireSession: HttpApiMiddleware.ServiceClass<RequireSession<Id>, `${Id}/RequireSession`, Required<Id> & {
        readonly security: Security;
    }>;
    readonly OptionalSession: HttpApiMiddleware.ServiceClass<OptionalSession<Id>, `${Id}/OptionalSession`, Optional<Id> & {
        readonly security: never;
    }>;
    readonly allow: <E = never, R = never>(rule: (user: User) => boolean | Effect.Effect<boolean, E, R>) => Effect.Effect<User, NoInfer<E> | NotAllowed, CurrentUser<Id> | NoInfer<R>>;
    readonly read: Reading<User, Members>;
    readonly refusesOtherSites: boolean;
}
export interface AccessOptions<User> {
    readonly user: Schema.ConstraintDecoder<User>;
    readonly cookie?: string | undefined;
    readonly crossSite?: "allow" | "refuse" | undefined;
}
export declare function make<const Id extends string, User>(id: Id, options: AccessOptions<User> & {
    readonly members?: undefined;
}): Access<Id, User, Record<never, never>>;
export declare function make<const Id extends string, User, Members>(id: Id, options: AccessOptions<User> & {
    readonly members: Schema.ConstraintDecoder<Members>;
}): Access<Id, User, Members>;
export declare const standard: Access<"effect-doorman", SessionUser, Record<never, never>>;
export declare const CurrentUser: Context.Service<CurrentUser<"effect-doorman">, {
    readonly id: string;
    readonly name: string | null;
    readonly email: string | null;
    readonly image: string | null;
}>;
export declare const CurrentSession: Context.Service<CurrentSession<"effect-doorman">, ActiveSession<{
    readonly id: string;
    readonly name: string | null;
    readonly email: string | null;
    readonly image: string | null;
}, Record<never, never>>>;
export declare const MaybeSession: Context.Service<MaybeSession<"effect-doorman">, Option.Option<ActiveSession<{
    readonly id: string;
    readonly name: string | null;
    readonly email: string | null;
    readonly image: string | null;
}, Record<never, never>>>>;
export declare const RequireSession: HttpApiMiddleware.ServiceClass<RequireSession<"effect-doorman">, "effect-doorman/RequireSession", Required<"effect-doorman"> & {
    readonly security: Security;
}, HttpApiMiddleware.HttpApiMiddlewareSecurity<Security, CurrentSession<"effect-doorman"> | CurrentUser<"effect-doorman">, readonly [typeof NotSignedIn, typeof NotAllowed, typeof SessionUnavailable], never>>;
export declare const OptionalSession: HttpApiMiddleware.ServiceClass<OptionalSession<"effect-doorman">, "effect-doorman/OptionalSession", Optional<"effect-doorman"> & {
    readonly security: never;
}, HttpApiMiddleware.HttpApiMiddleware<MaybeSession<"effect-doorman">, readonly [typeof SessionUnavailable], never>>;
export declare const allow: <E = never, R = never>(rule: (user: {
    readonly id: string;
    readonly name: string | null;
    readonly email: string | null;
    readonly image: string | null;
}) => boolean | Effect.Effect<boolean, E, R>) => Effect.Effect<{
    readonly id: string;
    readonly name: string | null;
    readonly email: string | null;
    readonly image: string | null;
}, NotAllowed | NoInfer<E>, CurrentUser<"effect-doorman"> | NoInfer<R>>;
