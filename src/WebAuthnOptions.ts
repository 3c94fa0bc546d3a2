/**
 * The action that hands out options for a ceremony of Web Authentication.
 *
 * @since 0.1.0
 */
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type { AuthConfig } from "./AuthConfig.ts"
import type { AuthRequest } from "./AuthRequest.ts"
import type * as AuthResponse from "./AuthResponse.ts"
import type { Callbacks } from "./Callbacks.ts"
import { type AuthError, InvalidProvider } from "./Errors.ts"
import type { Jwt } from "./Jwt.ts"
import type { Seal } from "./Seal.ts"
import type { WebAuthn } from "./WebAuthn.ts"

/**
 * `GET webauthn-options/‹provider›`.
 *
 * @category actions
 * @since 0.1.0
 */
export const webAuthnOptions: Effect.Effect<
  AuthResponse.AuthResponse,
  AuthError,
  AuthConfig | AuthRequest | Callbacks | Jwt | Seal | SecureRandom.SecureRandom | WebAuthn
> = Effect.gen(function* () {
  return yield* new InvalidProvider({ detail: "There is no WebAuthn provider" })
})
