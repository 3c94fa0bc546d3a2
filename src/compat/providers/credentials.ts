/**
 * `Credentials` of `Provider/Credentials.ts`, under the name `providers/credentials`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export { Credentials as default } from "../../Provider/Credentials.ts"
export type { CredentialInput, CredentialsConfig, CredentialsProviderId } from "../providers.ts"
