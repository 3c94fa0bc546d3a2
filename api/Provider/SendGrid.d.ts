import type { EmailFactory } from "./internal/ProviderOptions.ts";
export declare const SendGrid: EmailFactory;
