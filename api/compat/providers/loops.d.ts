export { Loops as default } from "../../Provider/Loops.ts";
export type { EmailConfig as LoopsConfig, EmailUserConfig as LoopsUserConfig } from "../providers.ts";
