/**
 * `Passkey` of `Provider/Passkey.ts`, under the name `providers/passkey`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export { Passkey as default } from "../../Provider/Passkey.ts"
