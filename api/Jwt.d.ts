import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type { AuthRequest } from "./http/AuthRequest.ts";
import type { ResponseCookie } from "./http/Cookie.ts";
import { JwtSessionError, type SharedStateError, type TokenError } from "./Errors.ts";
import { type SessionMark } from "./session/SessionMark.ts";
import type { JWT } from "./Models.ts";
import { type TokenRevocation } from "./session/TokenRevocation.ts";
export type { ResponseCookie } from "./http/Cookie.ts";
export type { SessionMark } from "./session/SessionMark.ts";
export type { RetainedSession, TokenRevocation, TokenSession } from "./session/TokenRevocation.ts";
export type { CookieOptions } from "./http/Cookie.ts";
export type { AuthRequest } from "./http/AuthRequest.ts";
export type ReadToken = {
    readonly _tag: "Absent";
    readonly names: ReadonlyArray<string>;
} | {
    readonly _tag: "Valid";
    readonly claims: JWT;
    readonly names: ReadonlyArray<string>;
    readonly isRetired?: boolean;
    readonly mark?: SessionMark | undefined;
} | {
    readonly _tag: "Invalid";
    readonly error: JwtSessionError;
    readonly names: ReadonlyArray<string>;
} | {
    readonly _tag: "Unknown";
    readonly claims: JWT;
    readonly mark?: SessionMark | undefined;
    readonly error: SharedStateError;
    readonly names: ReadonlyArray<string>;
};
declare const Jwt_base: Context.ServiceClass<Jwt, "effect-doorman/Jwt", {
    readonly encode: (claims: JWT, salt: string) => Effect.Effect<string, TokenError>;
    readonly decode: (token: string, salt: string, isFresh?: boolean) => Effect.Effect<JWT, TokenError>;
    readonly read: (request: AuthRequest["Service"], name?: string) => Effect.Effect<ReadToken>;
    readonly write: (request: AuthRequest["Service"], claims: JWT, present: ReadonlyArray<string>, expires: number, mark?: SessionMark) => Effect.Effect<ReadonlyArray<ResponseCookie>, TokenError>;
    readonly revocation?: TokenRevocation | undefined;
}>;
export declare class Jwt extends Jwt_base {
}
