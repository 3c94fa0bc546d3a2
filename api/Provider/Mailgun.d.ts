import type { EmailConfig, EmailUserConfig } from "./ProviderOptions.ts";
export interface MailgunOptions extends EmailUserConfig {
    region?: "US" | "EU" | "us" | "eu" | undefined;
}
export declare const Mailgun: (options?: MailgunOptions) => EmailConfig;
