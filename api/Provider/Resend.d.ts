import type { EmailFactory } from "./Preset.ts";
export declare const Resend: EmailFactory;
