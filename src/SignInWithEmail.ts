/**
 * Sign-in by a link that is sent to the person's mailbox.
 *
 * @since 0.1.0
 */
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type { AuthConfig } from "./AuthConfig.ts"
import type { AuthRequest } from "./AuthRequest.ts"
import type * as AuthResponse from "./AuthResponse.ts"
import type { Callbacks } from "./Callbacks.ts"
import type { ResponseCookie } from "./Cookie.ts"
import type { Csrf } from "./Csrf.ts"
import { type AuthError, EmailSignInError } from "./Errors.ts"
import type { Events } from "./Events.ts"
import type { Jwt } from "./Jwt.ts"
import type { MailRoom } from "./mail/MailRoom.ts"
import type { EmailProvider } from "./Provider/Provider.ts"
import type { Seal } from "./Seal.ts"

/**
 * `POST signin/‹provider›`: sends a link. The CSRF token has been checked by `SignIn.ts`.
 *
 * @category actions
 * @since 0.1.0
 */
export const sendLink = Effect.fnUntraced(function* (
  provider: EmailProvider,
  _target: string,
  _remembered: ReadonlyArray<ResponseCookie>
): Effect.fn.Return<
  AuthResponse.AuthResponse,
  AuthError,
  AuthConfig | AuthRequest | Callbacks | Jwt | MailRoom | Seal | SecureRandom.SecureRandom
> {
  return yield* new EmailSignInError({ provider: provider.id, detail: "Not there yet" })
})

/**
 * `GET callback/‹provider›` and `POST callback/‹provider›`: the person followed the link.
 *
 * @category actions
 * @since 0.1.0
 */
export const followLink = Effect.fnUntraced(function* (
  provider: EmailProvider
): Effect.fn.Return<
  AuthResponse.AuthResponse,
  AuthError,
  AuthConfig | AuthRequest | Callbacks | Csrf | Events | Jwt | Seal | SecureRandom.SecureRandom
> {
  return yield* new EmailSignInError({ provider: provider.id, detail: "Not there yet" })
})
