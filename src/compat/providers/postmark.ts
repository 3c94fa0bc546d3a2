/**
 * `Postmark` of `Provider/Postmark.ts`, under the name `providers/postmark`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export { Postmark as default } from "../../Provider/Postmark.ts"
