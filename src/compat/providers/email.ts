/**
 * `Email` of `Provider/Email.ts`, under the name `providers/email`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
export { Email as default } from "../../Provider/Email.ts"
export type {
  EmailConfig,
  EmailProviderId,
  EmailProviderSendVerificationRequestParams,
  EmailProviderType,
  EmailUserConfig
} from "../providers.ts"
