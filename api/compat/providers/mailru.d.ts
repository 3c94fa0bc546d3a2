import { Mailru as preset, type MailruProfile as Shape } from "../../Provider/Mailru.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface MailruProfile extends Claims<Shape> {
}
declare const Mailru: Factory<typeof preset, MailruProfile>;
export { Mailru as default };
