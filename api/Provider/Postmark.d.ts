import type { EmailFactory } from "./Preset.ts";
export declare const Postmark: EmailFactory;
