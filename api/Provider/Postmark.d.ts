import type { EmailConfig, EmailUserConfig } from "./ProviderOptions.ts";
export declare const Postmark: (options?: EmailUserConfig) => EmailConfig;
