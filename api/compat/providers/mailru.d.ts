import { Mailru as preset, type MailruProfile as Shape } from "../../Provider/Mailru.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Mailru: Factory<typeof preset, Profile>;
export { Mailru as default };
