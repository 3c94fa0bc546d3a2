import { Webex as preset, type WebexProfile as Shape } from "../../Provider/Webex.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface WebexProfile extends Claims<Shape> {
}
declare const Webex: Factory<typeof preset, WebexProfile>;
export { Webex as default };
