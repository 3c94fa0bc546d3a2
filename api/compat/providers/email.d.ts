import { Email as preset } from "../../Provider/Email.ts";
import type { MailFactory } from "../ProviderModule.ts";
declare const Email: MailFactory<typeof preset>;
export { Email as default };
export type { EmailConfig, EmailProviderId, EmailProviderSendVerificationRequestParams, EmailProviderType, EmailUserConfig } from "../providers.ts";
