/**
 * `Loops` of `Provider/Loops.ts`, under the name `providers/loops`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export { Loops as default } from "../../Provider/Loops.ts"
export type { EmailConfig as LoopsConfig, EmailUserConfig as LoopsUserConfig } from "../providers.ts"
