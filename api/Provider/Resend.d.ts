import type { EmailConfig, EmailUserConfig } from "./ProviderOptions.ts";
export declare const Resend: (options?: EmailUserConfig) => EmailConfig;
