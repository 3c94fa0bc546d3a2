import { Mailchimp as preset, type MailchimpProfile as Shape } from "../../Provider/Mailchimp.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Mailchimp: Factory<typeof preset, Profile>;
export { Mailchimp as default };
