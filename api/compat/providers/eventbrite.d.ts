import { Eventbrite as preset, type EventbriteProfile as Shape } from "../../Provider/Eventbrite.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface EventbriteProfile extends Claims<Shape> {
}
declare const Eventbrite: Factory<typeof preset, EventbriteProfile>;
export { Eventbrite as default };
