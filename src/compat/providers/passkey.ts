/**
 * `Passkey` of `Provider/Passkey.ts`, under the name `providers/passkey`.
 *
 * Written by `scripts/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export { Passkey as default } from "../../Provider/Passkey.ts"
