/**
 * The way to `oauth4webapi` and `jose`, which are loaded when they are first needed. What they throw becomes a fault.
 *
 * Their errors may hold whole answers and tokens as their causes. A fault repeats none of it, and has no such cause.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isJsonObject } from "../internal/JsonText.ts"
import { invalidToken, type OAuthFault } from "./Fault.ts"

/** The loaded libraries. */
export type Library = typeof import("./Protocol.ts")

export const library = Effect.runSync(Effect.cached(Effect.promise(() => import("./Protocol.ts"))))

/** Calls the libraries; what they throw becomes a fault. */
export const call = <A>(
  use: (library: Library) => A | PromiseLike<A>,
  onError: (error: unknown) => OAuthFault
): Effect.Effect<A, OAuthFault> =>
  Effect.flatMap(library, (loaded) => Effect.tryPromise({ try: () => Promise.resolve(use(loaded)), catch: onError }))

/** What is wrong with a token, by the code of an error of jose. */
const wrongTokens: ReadonlyMap<unknown, string> = new Map([
  ["ERR_JWKS_NO_MATCHING_KEY", "is signed with a key that the provider does not publish"],
  ["ERR_JOSE_ALG_NOT_ALLOWED", "is signed with an algorithm that was not agreed"],
  ["ERR_JWT_EXPIRED", "has expired"],
  ["ERR_JWT_CLAIM_VALIDATION_FAILED", "has a time that is malformed, or not reached yet; compare the clocks"]
])

/** The fault behind an error of jose about a token. */
export const tokenFault =
  (what: string) =>
  (error: unknown): OAuthFault =>
    invalidToken(
      `the ${what} ${wrongTokens.get(isJsonObject(error) ? error["code"] : undefined) ?? "has a signature that is not good"}`
    )
