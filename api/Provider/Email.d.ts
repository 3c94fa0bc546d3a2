import { type NodemailerOptions as EmailOptions } from "./Nodemailer.ts";
import type { EmailFactory } from "./internal/ProviderOptions.ts";
export type { NodemailerOptions as EmailOptions } from "./Nodemailer.ts";
export declare const Email: EmailFactory<Pick<EmailOptions, "server">>;
