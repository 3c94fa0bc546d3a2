import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware";
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity";
import type * as Option from "effect/Option";
import type * as RpcMiddleware from "effect/rpc/RpcMiddleware";
import * as Schema from "effect/Schema";
import type { AccessCallbacks, KnownCallbacks, LayerCallbacks } from "./access/AccessCallbacks.ts";
import { NotAllowed, NotSignedIn, SessionUnavailable, StepUpRequired } from "./access/AccessProblem.ts";
import { type Assurance } from "./access/Assurance.ts";
import { type ActiveSession } from "./access/CurrentSession.ts";
export { NotAllowed, NotSignedIn, SessionMismatch, SessionUnavailable, StepUpRequired } from "./access/AccessProblem.ts";
export type { EncodedProblem } from "./access/AccessProblem.ts";
export { type ActiveSession, SessionUser } from "./access/CurrentSession.ts";
export type { Assurance } from "./access/Assurance.ts";
export type { AccessCallbacks, KnownCallbacks, LayerCallbacks } from "./access/AccessCallbacks.ts";
export type { StoredSession, StoredSessionParams, TokenSessionParams } from "./config/SessionParams.ts";
export declare const Public: Context.Reference<boolean>;
export declare const Fresh: Context.Reference<boolean>;
export interface CurrentUser<Self> {
    readonly "~effect-doorman/CurrentUser": Self;
}
export interface CurrentSession<Self> {
    readonly "~effect-doorman/CurrentSession": Self;
}
export interface MaybeSession<Self> {
    readonly "~effect-doorman/MaybeSession": Self;
}
export type Security = {
    readonly bearer: typeof HttpApiSecurity.bearer;
    readonly session: HttpApiSecurity.ApiKey;
};
export type Decoder = Schema.ConstraintDecoder<unknown>;
declare const requiredErrors: readonly [typeof NotSignedIn, typeof NotAllowed, typeof SessionUnavailable];
declare const assuranceErrors: readonly [typeof NotSignedIn, typeof NotAllowed, typeof SessionUnavailable, typeof StepUpRequired];
declare const optionalErrors: readonly [typeof SessionUnavailable];
type Errors = ReadonlyArray<Schema.Top>;
declare const httpMiddleware = "~effect/http-api/HttpApiMiddleware";
declare const httpSecurity = "~effect/http-api/HttpApiMiddleware/Security";
declare const rpcMiddleware = "~effect/rpc/RpcMiddleware";
interface Identifier<Provides, E extends Errors> {
    readonly [httpMiddleware]: {
        readonly requires: never;
        readonly provides: Provides;
        readonly error: E;
        readonly clientError: never;
        readonly requiredForClient: false;
    };
    readonly [rpcMiddleware]: {
        readonly requires: never;
        readonly provides: Provides;
        readonly error: Schema.Union<E>;
        readonly clientError: never;
    };
}
export interface RequireSession<Self> extends Identifier<CurrentSession<Self> | CurrentUser<Self>, typeof requiredErrors> {
}
export interface RequireAssurance<Self> extends Identifier<CurrentSession<Self> | CurrentUser<Self>, typeof assuranceErrors> {
}
export interface OptionalSession<Self> extends Identifier<MaybeSession<Self>, typeof optionalErrors> {
}
export interface Middleware<in out Id, in out Shape, E extends Errors> extends Context.Service<Id, Shape> {
    readonly [httpMiddleware]: typeof httpMiddleware;
    readonly [rpcMiddleware]: typeof rpcMiddleware;
    readonly error: Schema.Union<E> & Iterable<E[number]>;
    readonly requiredForClient: false;
    readonly "~ClientError": never;
}
export type RequireSessionShape<Self, E extends Errors = typeof requiredErrors> = RpcMiddleware.RpcMiddleware<CurrentSession<Self> | CurrentUser<Self>, E[number]["Type"], never> & HttpApiMiddleware.HttpApiMiddlewareSecurity<Security, CurrentSession<Self> | CurrentUser<Self>, E, never>;
export type OptionalSessionShape<Self> = RpcMiddleware.RpcMiddleware<MaybeSession<Self>, SessionUnavailable, never> & HttpApiMiddleware.HttpApiMiddleware<MaybeSession<Self>, typeof optionalErrors, never>;
export type Secured = {
    readonly [httpSecurity]: typeof httpSecurity;
    readonly security: Security;
};
export interface AccessMiddlewares<Self> {
    readonly RequireSession: Middleware<RequireSession<Self>, RequireSessionShape<Self>, typeof requiredErrors> & Secured;
    readonly RequireAssurance: (requirement: Assurance) => Middleware<RequireAssurance<Self>, RequireSessionShape<Self, typeof assuranceErrors>, typeof assuranceErrors> & Secured;
    readonly OptionalSession: Middleware<OptionalSession<Self>, OptionalSessionShape<Self>, typeof optionalErrors>;
}
export interface Access<Self, User extends Decoder, Claims extends Decoder> {
    readonly id: string;
    readonly user: User;
    readonly claims: Claims;
    readonly crossSite: "allow" | "refuse";
    readonly CurrentUser: Context.Service<CurrentUser<Self>, User["Type"]>;
    readonly CurrentSession: Context.Service<CurrentSession<Self>, ActiveSession<User["Type"], Claims["Type"]>>;
    readonly MaybeSession: Context.Service<MaybeSession<Self>, Option.Option<ActiveSession<User["Type"], Claims["Type"]>>>;
}
export interface AccessClass<Self, Id extends string, User extends Decoder, Claims extends Decoder> extends Access<Self, User, Claims>, AccessMiddlewares<Self> {
    new (_: never): {
        readonly "~effect-doorman/Access": Id;
    };
    readonly id: Id;
    allow<E = never, R = never>(rule: (user: User["Type"]) => boolean | Effect.Effect<boolean, E, R>): Effect.Effect<User["Type"], NoInfer<E> | NotAllowed, CurrentUser<Self> | NoInfer<R>>;
    requireAssurance(requirement: Assurance): Effect.Effect<ActiveSession<User["Type"], Claims["Type"]>, StepUpRequired, CurrentSession<Self>>;
    callbacks<const Given extends AccessCallbacks<User["Encoded"], Claims["Encoded"]>>(given: KnownCallbacks<Given>): LayerCallbacks<Given>;
}
export interface AccessOptions<User extends Decoder> {
    readonly user: User;
    readonly cookie?: string | undefined;
    readonly crossSite?: "allow" | "refuse" | undefined;
}
export type NoClaims = Schema.Struct<Record<never, never>>;
export declare const Service: <Self>() => {
    <const Id extends string, User extends Decoder, Claims extends Decoder>(id: Id, options: AccessOptions<User> & {
        readonly claims: Claims;
    }): AccessClass<Self, Id, User, Claims>;
    <const Id extends string, User extends Decoder>(id: Id, options: AccessOptions<User> & {
        readonly claims?: undefined;
    }): AccessClass<Self, Id, User, NoClaims>;
};
declare const Default_base: AccessClass<Default, "effect-doorman", Schema.Struct<{
    readonly id: Schema.brand<Schema.NonEmptyString, "effect-doorman/UserId">;
    readonly name: Schema.withDecodingDefaultKey<Schema.NullOr<Schema.String>, never>;
    readonly email: Schema.withDecodingDefaultKey<Schema.NullOr<Schema.String>, never>;
    readonly image: Schema.withDecodingDefaultKey<Schema.NullOr<Schema.String>, never>;
}>, NoClaims>;
export declare class Default extends Default_base {
}
