import { Nodemailer as preset } from "../../Provider/Nodemailer.ts";
import type { MailFactory } from "../ProviderModule.ts";
declare const Nodemailer: MailFactory<typeof preset>;
export { Nodemailer as default };
export type { EmailConfig as NodemailerConfig, EmailUserConfig as NodemailerUserConfig } from "../providers.ts";
