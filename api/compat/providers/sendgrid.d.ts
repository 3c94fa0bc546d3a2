import { SendGrid as preset } from "../../Provider/SendGrid.ts";
import type { MailFactory } from "../ProviderModule.ts";
declare const SendGrid: MailFactory<typeof preset>;
export { SendGrid as default };
