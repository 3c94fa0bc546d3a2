import { type NodemailerOptions as EmailOptions } from "./Nodemailer.ts";
import type { EmailConfig } from "./ProviderOptions.ts";
export type { NodemailerOptions as EmailOptions } from "./Nodemailer.ts";
export declare const Email: (options?: EmailOptions) => EmailConfig;
