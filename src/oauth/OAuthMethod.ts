/**
 * Sign-in at providers that have pages of their own: OAuth 2.0 and OpenID Connect.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import { whenLoaded } from "../internal/Lazily.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import type { SignInMethod } from "../signin/SignInMethod.ts"

/** Loaded with the first sign-in. */
const beginning = whenLoaded(() => import("./BeginSignIn.ts"))
const finishing = whenLoaded(() => import("./FinishSignIn.ts"))

const begin = (provider: RedirectProvider, isAnew: boolean) =>
  beginning(({ beginSignIn }) => beginSignIn(provider, isAnew))

const finish = (provider: RedirectProvider) => finishing(({ finishSignIn }) => finishSignIn(provider))

type Services = Effect.Services<ReturnType<typeof begin> | ReturnType<typeof finish>>

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
  begin,
  finish,
  entries: ({ id, name, style }, provider) => {
    const actionOrigin = provider === undefined ? undefined : originOf(provider)
    return [{ kind: "redirect", id, name, style, ...(actionOrigin === undefined ? {} : { actionOrigin }) }]
  },
  isPostedByOthers: true
}
