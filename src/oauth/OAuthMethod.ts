/**
 * Sign-in at providers that have pages of their own: OAuth 2.0 and OpenID Connect.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import type { SignInMethod } from "../signin/SignInMethod.ts"
import { beginSignIn } from "./BeginSignIn.ts"
import { finishSignIn } from "./FinishSignIn.ts"

type Services = Effect.Services<ReturnType<typeof beginSignIn> | ReturnType<typeof finishSignIn>>

/** Where the button leads, as far as the configuration says. */
const originOf = ({ authorization, issuer }: RedirectProvider): string | undefined => {
  const address = authorization.url ?? issuer
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined
}

/**
 * The method.
 *
 * @category constructors
 * @since 0.1.0
 */
export const oauthMethod: SignInMethod<RedirectProvider, Services> = {
  begin: beginSignIn,
  finish: finishSignIn,
  entries: ({ id, name, style }, provider) => {
    const actionOrigin = provider === undefined ? undefined : originOf(provider)
    return [{ kind: "redirect", id, name, style, ...(actionOrigin === undefined ? {} : { actionOrigin }) }]
  },
  isPostedByOthers: true
}
