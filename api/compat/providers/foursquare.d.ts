import { Foursquare as preset, type FoursquareProfile as Shape } from "../../Provider/Foursquare.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Foursquare: Factory<typeof preset, Profile>;
export { Foursquare as default };
