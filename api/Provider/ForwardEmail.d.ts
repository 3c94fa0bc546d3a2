import type { EmailConfig, EmailUserConfig } from "./ProviderOptions.ts";
export declare const ForwardEmail: (options?: EmailUserConfig) => EmailConfig;
