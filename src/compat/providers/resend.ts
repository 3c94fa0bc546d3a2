/**
 * `Resend` of `Provider/Resend.ts`, under the name `providers/resend`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export { Resend as default } from "../../Provider/Resend.ts"
