import type { EmailFactory } from "./ProviderOptions.ts";
export declare const ForwardEmail: EmailFactory;
