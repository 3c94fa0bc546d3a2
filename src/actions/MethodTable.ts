/**
 * The sign-in methods, one for each type of provider.
 *
 * @since 0.1.0
 */
import { credentialsMethod } from "../credentials/CredentialsMethod.ts"
import { emailMethod } from "../email/EmailMethod.ts"
import { oauthMethod } from "../oauth/OAuthMethod.ts"
import type { Provider } from "../Provider/internal/Provider.ts"
import type { SignInMethod } from "../signin/SignInMethod.ts"
import { webAuthnMethod } from "../webauthn/WebAuthnMethod.ts"

const methods = {
  oauth: oauthMethod,
  oidc: oauthMethod,
  email: emailMethod,
  credentials: credentialsMethod,
  webauthn: webAuthnMethod
}

type Type = keyof typeof methods

/** The dependencies of the methods. */
export type MethodServices = {
  readonly [One in Type]: (typeof methods)[One] extends SignInMethod<never, infer R> ? R : never
}[Type]

/** The providers of a type. */
type ProviderOf<One extends Type> = Extract<Provider, { readonly type: One }>

const table: { readonly [One in Type]: SignInMethod<ProviderOf<One>, MethodServices> } = methods

/**
 * The method of a type of provider.
 *
 * @category getters
 * @since 0.1.0
 */
export const methodOf = <One extends Type>(type: One): SignInMethod<ProviderOf<One>, MethodServices> => table[type]
