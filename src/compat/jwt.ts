/**
 * Session tokens for programs without Effect, under the name that Auth.js gives them: `encode`, `decode` and `getToken`. An
 * application adds claims of its own to `JWT` by augmentation of this module.
 *
 * `Token.ts` implements them. Middleware imports this module, so it loads nothing but the codec.
 *
 * @since 0.1.0
 */
import { type GetTokenParams, getToken as find, type JWT } from "./Token.ts"

export { decode, encode } from "./Token.ts"
export type { RetiredSecret } from "../crypto/RetiredSecrets.ts"
export type { GetTokenParams, JWTDecodeParams, JWTEncodeParams, JWTOptions, TokenLogger } from "./Token.ts"
export type { DefaultJWT, JWT } from "../Models.ts"

/**
 * Finds the session token of a request and returns its claims, or the token itself with `raw`; `null` when there is none.
 *
 * The type says that with `raw` there is always a token, as programs for Auth.js are written; the function of the same name
 * in `Token.ts` says that there may be none.
 *
 * @category decoding
 * @since 0.1.0
 */
export function getToken<R extends boolean = false>(
  params: GetTokenParams<R>
): Promise<R extends true ? string : JWT | null> {
  return find(params) as Promise<R extends true ? string : JWT | null>
}
