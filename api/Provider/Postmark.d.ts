import type { EmailFactory } from "../preset/ProviderOptions.ts";
export declare const Postmark: EmailFactory;
