/**
 * Sign-in and registration with a key of the person (Web Authentication).
 *
 * @since 0.1.0
 */
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type { AuthConfig } from "./AuthConfig.ts"
import type { AuthRequest } from "./AuthRequest.ts"
import type * as AuthResponse from "./AuthResponse.ts"
import type { Callbacks } from "./Callbacks.ts"
import type { Csrf } from "./Csrf.ts"
import { type AuthError, InvalidProvider } from "./Errors.ts"
import type { Events } from "./Events.ts"
import type { Jwt } from "./Jwt.ts"
import type { WebAuthnProvider } from "./Provider/Provider.ts"
import type { Seal } from "./Seal.ts"
import type { WebAuthn } from "./WebAuthn.ts"

/**
 * `POST callback/‹provider›`.
 *
 * @category actions
 * @since 0.1.0
 */
export const signInWithWebAuthn = Effect.fnUntraced(function* (
  provider: WebAuthnProvider
): Effect.fn.Return<
  AuthResponse.AuthResponse,
  AuthError,
  AuthConfig | AuthRequest | Callbacks | Csrf | Events | Jwt | Seal | SecureRandom.SecureRandom | WebAuthn
> {
  return yield* new InvalidProvider({ provider: provider.id, detail: "There is no WebAuthn provider" })
})
