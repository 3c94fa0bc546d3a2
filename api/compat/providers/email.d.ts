export { Email as default } from "../../Provider/Email.ts";
export type { EmailConfig, EmailProviderId, EmailProviderSendVerificationRequestParams, EmailProviderType, EmailUserConfig } from "../providers.ts";
