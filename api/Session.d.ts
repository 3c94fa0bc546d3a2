import * as Effect from "effect/Effect";
import { Adapter } from "./storage/Storage.ts";
import { Settings } from "./config/Settings.ts";
import { AuthRequest } from "./http/AuthRequest.ts";
import * as AuthResponse from "./http/AuthResponse.ts";
import { Callbacks } from "./Callbacks.ts";
import type { VisibleSession } from "./session/SessionParams.ts";
import type { ResponseCookie } from "./http/Cookie.ts";
import { Csrf } from "./browser/Csrf.ts";
import { JwtSessionError, type MissingCsrf, type SessionTokenError } from "./Errors.ts";
import { Events } from "./Events.ts";
import { Jwt, type ReadToken } from "./Jwt.ts";
export { layer as layerPolicy, SessionPolicy } from "./session/SessionPolicy.ts";
type Services = Adapter | Settings | AuthRequest | Callbacks | Events | Jwt;
export interface SessionAnswer {
    readonly session: VisibleSession | null;
    readonly text: string;
    readonly cookies: ReadonlyArray<ResponseCookie>;
    readonly userId?: string | undefined;
    readonly sessionToken?: string | undefined;
}
export declare const update: Effect.Effect<AuthResponse.AuthResponse, MissingCsrf, Services | Csrf>;
export declare const current: (change: {
    readonly session: unknown;
} | undefined, opened?: ReadToken) => Effect.Effect<SessionAnswer, never, Services>;
export declare const lookup: (change: {
    readonly session: unknown;
} | undefined, opened?: ReadToken, renewal?: Renewal) => Effect.Effect<SessionAnswer, JwtSessionError | SessionTokenError, Services>;
export declare const read: Effect.Effect<AuthResponse.AuthResponse, never, Services>;
export type Renewal = "always" | "due" | "never";
