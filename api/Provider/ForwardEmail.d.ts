import type { EmailFactory } from "./Preset.ts";
export declare const ForwardEmail: EmailFactory;
