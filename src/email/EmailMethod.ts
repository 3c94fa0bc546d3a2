/**
 * Sign-in by a link that is sent to the mailbox of the person.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as CallbackUrl from "../browser/CallbackUrl.ts"
import { Settings } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import type { EmailProvider } from "../Provider/internal/Provider.ts"
import { lazily } from "../internal/Lazily.ts"
import type { SignInMethod } from "../signin/SignInMethod.ts"

/** Loaded when the first link is asked for. */
const links = lazily(() => import("./SignInWithEmail.ts"))

const begin = Effect.fnUntraced(function* (provider: EmailProvider, isAnew: boolean) {
  const { beginNewAccount, sendLink } = yield* links
  if (isAnew) return yield* beginNewAccount(provider)
  const request = yield* AuthRequest
  const target = yield* CallbackUrl.target(request)
  return yield* sendLink(provider, target, CallbackUrl.remember(yield* Settings, request, target))
})

const finish = (provider: EmailProvider) => Effect.flatMap(links, ({ followLink }) => followLink(provider))

type Services = Effect.Services<ReturnType<typeof begin> | ReturnType<typeof finish>>

/**
 * The method.
 *
 * @category constructors
 * @since 0.1.0
 */
export const emailMethod: SignInMethod<EmailProvider, Services> = {
  begin,
  finish,
  entries: ({ id, name }) => [{ kind: "email", id, name }],
  // A link may be looked at without being followed.
  answersHead: true
}
