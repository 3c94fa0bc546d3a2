/**
 * Sign-in by what the application checks itself, such as a password.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import { whenLoaded } from "../internal/Lazily.ts"
import type { CredentialsProvider } from "../Provider/internal/Provider.ts"
import { showForm, type SignInMethod } from "../signin/SignInMethod.ts"

/** Loaded with the first sign-in. */
const loaded = whenLoaded(() => import("./SignInWithCredentials.ts"))

const finish = (provider: CredentialsProvider) => loaded(({ signInWithCredentials }) => signInWithCredentials(provider))

type Services = Effect.Services<typeof showForm | ReturnType<typeof finish>>

/**
 * The method.
 *
 * @category constructors
 * @since 0.1.0
 */
export const credentialsMethod: SignInMethod<CredentialsProvider, Services> = {
  begin: () => showForm,
  finish,
  entries: ({ id, name }, provider) =>
    provider === undefined ? [] : [{ kind: "credentials", id, name, fields: provider.fields }]
}
