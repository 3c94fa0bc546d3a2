/**
 * `Nodemailer` of `Provider/Nodemailer.ts`, under the name `providers/nodemailer`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export { Nodemailer as default } from "../../Provider/Nodemailer.ts"
export type { EmailConfig as NodemailerConfig, EmailUserConfig as NodemailerUserConfig } from "../providers.ts"
