/**
 * `SendGrid` of `Provider/SendGrid.ts`, under the name `providers/sendgrid`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export { SendGrid as default } from "../../Provider/SendGrid.ts"
