import * as Context from "effect/Context";
import * as SecureRandom from "effect/crypto/SecureRandom";
import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import { AuthConfig } from "./AuthConfig.ts";
import { type AuthRequest } from "./AuthRequest.ts";
import { type ResponseCookie } from "./Cookie.ts";
import { MissingCsrf } from "./Errors.ts";
export interface CsrfToken {
    readonly token: string;
    readonly cookies: ReadonlyArray<ResponseCookie>;
}
declare const Csrf_base: Context.ServiceClass<Csrf, "effect-doorman/Csrf", {
    readonly token: (request: AuthRequest["Service"], subject: string | undefined) => Effect.Effect<CsrfToken>;
    readonly verify: (request: AuthRequest["Service"], subject: string | undefined) => Effect.Effect<void, MissingCsrf>;
}>;
export declare class Csrf extends Csrf_base {
    static readonly make: (settings: AuthConfig["Service"], { randomBytes }: SecureRandom.SecureRandom["Service"]) => Csrf["Service"];
    static readonly layer: Layer.Layer<Csrf, never, AuthConfig | SecureRandom.SecureRandom>;
}
export declare const isCrossSite: (request: AuthRequest["Service"]) => boolean;
export declare const fromThisSite: (request: AuthRequest["Service"]) => Effect.Effect<void, MissingCsrf>;
export {};
