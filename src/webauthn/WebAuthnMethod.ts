/**
 * Sign-in by a passkey.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { looksUpAddress, type WebAuthnProvider } from "../Provider/internal/Provider.ts"
import { lazily } from "../internal/Lazily.ts"
import { showForm, type SignInMethod } from "../signin/SignInMethod.ts"

/** Loaded with the first ceremony. */
const ceremonies = lazily(() => import("./SignInWithWebAuthn.ts"))

const finish = (provider: WebAuthnProvider) =>
  Effect.flatMap(ceremonies, ({ signInWithWebAuthn }) => signInWithWebAuthn(provider))

type Services = Effect.Services<typeof showForm | ReturnType<typeof finish>>

/**
 * The method.
 *
 * @category constructors
 * @since 0.1.0
 */
export const webAuthnMethod: SignInMethod<WebAuthnProvider, Services> = {
  begin: () => showForm,
  finish,
  entries: ({ id, name }, provider, adds) => {
    if (provider === undefined || provider.fields.length === 0) return []
    const { enableConditionalUI, fields, usernameFirst } = provider
    return [{ kind: "webauthn", id, name, fields, conditional: enableConditionalUI, usernameFirst, adds }]
  },
  canBeAdded: true,
  // The line of a wrong signature in the log takes longer than that of a credential that was made up.
  hidesTime: looksUpAddress
}
