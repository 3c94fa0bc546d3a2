/**
 * `Resend` of `Provider/Resend.ts`, under the name `providers/resend`.
 *
 * Written by `scripts/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export { Resend as default } from "../../Provider/Resend.ts"
