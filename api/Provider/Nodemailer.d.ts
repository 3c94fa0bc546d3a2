import type { EmailConfig, EmailUserConfig } from "./ProviderOptions.ts";
export interface NodemailerOptions extends EmailUserConfig {
    server?: string | object | undefined;
}
export declare const Nodemailer: (options?: NodemailerOptions) => EmailConfig;
