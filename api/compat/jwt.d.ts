import { type GetTokenParams, type JWT } from "./Token.ts";
export { decode, encode } from "./Token.ts";
export type { RetiredSecret } from "../crypto/RetiredSecrets.ts";
export type { GetTokenParams, JWTDecodeParams, JWTEncodeParams, JWTOptions, TokenLogger } from "./Token.ts";
export type { DefaultJWT, JWT } from "../Models.ts";
export declare function getToken<R extends boolean = false>(params: GetTokenParams<R>): Promise<R extends true ? string : JWT | null>;
