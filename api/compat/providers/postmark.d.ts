import { Postmark as preset } from "../../Provider/Postmark.ts";
import type { MailFactory } from "../ProviderModule.ts";
declare const Postmark: MailFactory<typeof preset>;
export { Postmark as default };
