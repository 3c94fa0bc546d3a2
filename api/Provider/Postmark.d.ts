import type { EmailFactory } from "./internal/ProviderOptions.ts";
export declare const Postmark: EmailFactory;
