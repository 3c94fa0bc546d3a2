import type { EmailFactory } from "./ProviderOptions.ts";
export declare const SendGrid: EmailFactory;
