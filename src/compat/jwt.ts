/**
 * Session tokens for programs without Effect, under the name that Auth.js gives them: `encode`, `decode` and `getToken`.
 *
 * What they do stands in `Token.ts`. Middleware imports this module, so it loads nothing but the codec.
 *
 * @since 0.1.0
 */
export { decode, encode, getToken } from "../Token.ts"
export type { DefaultJWT, GetTokenParams, JWT, JWTDecodeParams, JWTEncodeParams, JWTOptions } from "../Token.ts"
