import type { Reason } from "./internal/Jwe.ts";
import { type RetiredSecret } from "./internal/RetiredSecrets.ts";
import type { JWT } from "./Models.ts";
type Awaitable<A> = A | PromiseLike<A>;
export type { RetiredSecret } from "./internal/RetiredSecrets.ts";
export type { DefaultJWT, JWT } from "./Models.ts";
export interface JWTEncodeParams<Payload = JWT> {
    maxAge?: number;
    salt: string;
    secret: string | Array<string>;
    token?: Payload;
}
export interface JWTDecodeParams {
    salt: string;
    secret: string | Array<string>;
    retiredSecrets?: ReadonlyArray<RetiredSecret>;
    token?: string;
    acceptA256GCM?: boolean;
}
export interface JWTOptions {
    maxAge: number;
    encode: (params: JWTEncodeParams) => Awaitable<string>;
    decode: (params: JWTDecodeParams) => Awaitable<JWT | null>;
}
export interface TokenLogger {
    debug: (message: string, metadata?: unknown) => void;
    warn?(code: string, message?: string): void;
}
export interface GetTokenParams<R extends boolean = false> {
    req: Request | {
        headers: Headers | Record<string, string>;
    };
    secureCookie?: boolean;
    cookieName?: string;
    raw?: R;
    secret?: JWTDecodeParams["secret"];
    retiredSecrets?: JWTDecodeParams["retiredSecrets"];
    acceptA256GCM?: JWTDecodeParams["acceptA256GCM"];
    salt?: JWTDecodeParams["salt"];
    decode?: JWTOptions["decode"];
    logger?: TokenLogger;
}
export declare class TokenRefused extends Error {
    readonly name = "JWTSessionError";
    readonly type = "JWTSessionError";
    readonly kind = "error";
    readonly code: Reason;
    constructor(code: Reason);
}
export declare class SecretRequired extends Error {
    readonly name = "MissingSecret";
    readonly type = "MissingSecret";
    readonly kind = "error";
    constructor();
}
export interface TokenEnvironment {
    readonly now: () => number;
    readonly random: (bytes: number) => Uint8Array;
}
export interface Tokens {
    readonly encode: typeof encode;
    readonly decode: typeof decode;
    readonly getToken: typeof getToken;
}
export declare const make: (environment: TokenEnvironment) => Tokens;
export declare function encode<Payload = JWT>(params: JWTEncodeParams<Payload>): Promise<string>;
export declare function decode<Payload = JWT>(params: JWTDecodeParams): Promise<Payload | null>;
export declare function getToken<R extends boolean = false>(params: GetTokenParams<R>): Promise<(R extends true ? string : JWT) | null>;
