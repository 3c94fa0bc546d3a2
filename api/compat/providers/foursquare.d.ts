import { Foursquare as preset, type FoursquareProfile as Shape } from "../../Provider/Foursquare.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface FoursquareProfile extends Claims<Shape> {
}
declare const Foursquare: Factory<typeof preset, FoursquareProfile>;
export { Foursquare as default };
