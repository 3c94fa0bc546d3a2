import { Loops as preset } from "../../Provider/Loops.ts";
import type { MailFactory } from "../ProviderModule.ts";
declare const Loops: MailFactory<typeof preset>;
export { Loops as default };
export type { EmailConfig as LoopsConfig, EmailUserConfig as LoopsUserConfig } from "../providers.ts";
