export { Nodemailer as default } from "../../Provider/Nodemailer.ts";
export type { EmailConfig as NodemailerConfig, EmailUserConfig as NodemailerUserConfig } from "../providers.ts";
