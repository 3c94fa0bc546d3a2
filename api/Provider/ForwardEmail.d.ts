import type { EmailFactory } from "../preset/ProviderOptions.ts";
export declare const ForwardEmail: EmailFactory;
