/**
 * `ForwardEmail` of `Provider/ForwardEmail.ts`, under the name `providers/forwardemail`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export { ForwardEmail as default } from "../../Provider/ForwardEmail.ts"
