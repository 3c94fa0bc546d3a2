import type { EmailFactory } from "../preset/ProviderOptions.ts";
export declare const Resend: EmailFactory;
