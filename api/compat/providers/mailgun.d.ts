import { Mailgun as preset } from "../../Provider/Mailgun.ts";
import type { MailFactory } from "../ProviderModule.ts";
declare const Mailgun: MailFactory<typeof preset>;
export { Mailgun as default };
