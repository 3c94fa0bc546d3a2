/**
 * `Mailgun` of `Provider/Mailgun.ts`, under the name `providers/mailgun`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export { Mailgun as default } from "../../Provider/Mailgun.ts"
