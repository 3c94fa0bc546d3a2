import type { EmailConfig, EmailUserConfig } from "./ProviderOptions.ts";
export interface LoopsOptions extends EmailUserConfig {
    transactionalId?: string | undefined;
}
export declare const Loops: (options?: LoopsOptions) => EmailConfig;
