import type { EmailConfig, EmailUserConfig } from "./ProviderOptions.ts";
export declare const SendGrid: (options?: EmailUserConfig) => EmailConfig;
