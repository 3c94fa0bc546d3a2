import * as RpcMiddleware from "effect/rpc/RpcMiddleware";
import * as Schema from "effect/Schema";
import { type Access, type CurrentSession, type CurrentUser, type MaybeSession } from "./Access.ts";
import { NotAllowed, NotSignedIn, SessionUnavailable } from "./AccessProblem.ts";
import type { SessionUser } from "./CurrentSession.ts";
declare const Refusal: Schema.Union<readonly [typeof NotSignedIn, typeof NotAllowed, typeof SessionUnavailable]>;
export interface RequireSession<Id extends string> {
    readonly "~effect/rpc/RpcMiddleware": {
        readonly error: typeof Refusal;
        readonly provides: CurrentSession<Id> | CurrentUser<Id>;
        readonly requires: never;
        readonly clientError: never;
    };
}
export interface OptionalSession<Id extends string> {
    readonly "~effect/rpc/RpcMiddleware": {
        readonly error: typeof SessionUnavailable;
        readonly provides: MaybeSession<Id>;
        readonly requires: never;
        readonly clientError: never;
    };
}
export interface RpcAccess<Id extends string, User, Members> {
    readonly RequireSession: RpcMiddleware.ServiceClass<RequireSession<Id>, `${Id}/Rpc/RequireSession`, CurrentSession<Id> | CurrentUser<Id>, typeof Refusal, never, never, false>;
    readonly OptionalSession: RpcMiddleware.ServiceClass<OptionalSession<Id>, `${Id}/Rpc/OptionalSession`, MaybeSession<Id>, typeof SessionUnavailable, never, never, false>;
    readonly access: Access<Id, User, Members>;
}
export declare const make: <const Id extends string, User, Members>(access: Access<Id, User, Members>) => RpcAccess<Id, User, Members>;
export declare const standard: RpcAccess<"effect-doorman", SessionUser, Record<never, never>>;
export declare const RequireSession: RpcMiddleware.ServiceClass<RequireSession<"effect-doorman">, "effect-doorman/Rpc/RequireSession", CurrentSession<"effect-doorman"> | CurrentUser<"effect-doorman">, Schema.Union<readonly [typeof NotSignedIn, typeof NotAllowed, typeof SessionUnavailable]>, never, never, false>;
export declare const OptionalSession: RpcMiddleware.ServiceClass<OptionalSession<"effect-doorman">, "effect-doorman/Rpc/OptionalSession", MaybeSession<"effect-doorman">, typeof SessionUnavailable, never, never, false>;
export {};
