import { Resend as preset } from "../../Provider/Resend.ts";
import type { MailFactory } from "../ProviderModule.ts";
declare const Resend: MailFactory<typeof preset>;
export { Resend as default };
