import { ForwardEmail as preset } from "../../Provider/ForwardEmail.ts";
import type { MailFactory } from "../ProviderModule.ts";
declare const ForwardEmail: MailFactory<typeof preset>;
export { ForwardEmail as default };
