import type { EmailFactory } from "./ProviderOptions.ts";
export declare const Resend: EmailFactory;
