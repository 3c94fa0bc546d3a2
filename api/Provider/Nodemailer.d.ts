import { type EmailOptions as NodemailerOptions } from "./Email.ts";
import type { EmailFactory } from "./Preset.ts";
export type { EmailOptions as NodemailerOptions } from "./Email.ts";
export declare const Nodemailer: EmailFactory<Pick<NodemailerOptions, "server">>;
