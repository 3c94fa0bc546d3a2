import * as Result from "effect/Result";
import { InvalidConfiguration } from "./Errors.ts";
export interface CookieOptions {
    readonly maxAge?: number | undefined;
    readonly domain?: string | undefined;
    readonly path?: string | undefined;
    readonly expires?: Date | undefined;
    readonly httpOnly?: boolean | undefined;
    readonly secure?: boolean | undefined;
    readonly partitioned?: boolean | undefined;
    readonly priority?: "low" | "medium" | "high" | undefined;
    readonly sameSite?: boolean | "lax" | "strict" | "none" | undefined;
    readonly encode?: ((value: string) => string) | undefined;
}
export interface ResponseCookie {
    readonly name: string;
    readonly value: string;
    readonly options: CookieOptions;
}
export interface CookieTemplate {
    readonly name: string;
    readonly options: CookieOptions;
}
export interface CookiePolicy {
    readonly sessionToken: CookieTemplate;
    readonly sessionId?: CookieTemplate;
    readonly callbackUrl: CookieTemplate;
    readonly csrfToken: CookieTemplate;
    readonly pkceCodeVerifier: CookieTemplate;
    readonly state: CookieTemplate;
    readonly nonce: CookieTemplate;
    readonly webauthnChallenge: CookieTemplate;
    readonly flow: CookieTemplate;
    readonly link: CookieTemplate;
    readonly addressProof: CookieTemplate;
}
export type CookieOverrides = {
    readonly [K in Exclude<keyof CookiePolicy, "sessionId" | "flow" | "link" | "addressProof">]?: {
        readonly name?: string | undefined;
        readonly options?: CookieOptions | undefined;
    } | undefined;
};
export declare const flowMaxAge = 900;
export declare const policy: (secure: boolean, overrides?: CookieOverrides) => CookiePolicy;
export interface CookieFault {
    readonly error: InvalidConfiguration;
    readonly isDropped: boolean;
}
export declare const faults: (cookies: CookiePolicy) => ReadonlyArray<CookieFault>;
export declare const check: (cookies: CookiePolicy) => Result.Result<CookiePolicy, InvalidConfiguration>;
export declare const set: (template: CookieTemplate, value: string, options?: CookieOptions) => ResponseCookie;
export declare const clear: (template: CookieTemplate, name?: string) => ResponseCookie;
export declare const clearEverywhere: (template: CookieTemplate, names: ReadonlyArray<string>, request: {
    readonly url: URL;
    readonly cookies: {
        readonly conflicts?: ReadonlyMap<string, unknown> | undefined;
    };
}) => ReadonlyArray<ResponseCookie>;
export declare const serialize: (cookie: ResponseCookie) => string;
