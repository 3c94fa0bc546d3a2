import { Mailchimp as preset, type MailchimpProfile as Shape } from "../../Provider/Mailchimp.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface MailchimpProfile extends Claims<Shape> {
}
declare const Mailchimp: Factory<typeof preset, MailchimpProfile>;
export { Mailchimp as default };
