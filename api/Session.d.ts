import * as Effect from "effect/Effect";
import { AuthConfig } from "./AuthConfig.ts";
import { AuthRequest } from "./AuthRequest.ts";
import * as AuthResponse from "./AuthResponse.ts";
import { Callbacks, type VisibleSession } from "./Callbacks.ts";
import type { ResponseCookie } from "./Cookie.ts";
import { Csrf } from "./Csrf.ts";
import { type MissingCsrf } from "./Errors.ts";
import { Events } from "./Events.ts";
import { Jwt, type ReadToken } from "./Jwt.ts";
type Services = AuthConfig | AuthRequest | Callbacks | Events | Jwt;
export interface SessionAnswer {
    readonly session: VisibleSession | null;
    readonly text: string;
    readonly cookies: ReadonlyArray<ResponseCookie>;
}
export declare const read: Effect.Effect<AuthResponse.AuthResponse, never, Services>;
export declare const update: Effect.Effect<AuthResponse.AuthResponse, MissingCsrf, Services | Csrf>;
export declare const current: (change: {
    readonly session: unknown;
} | undefined, opened?: ReadToken | undefined) => Effect.Effect<SessionAnswer, never, Services>;
export {};
