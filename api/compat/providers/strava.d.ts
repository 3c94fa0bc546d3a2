import { Strava as preset, type StravaProfile as Shape } from "../../Provider/Strava.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface StravaProfile extends Claims<Shape> {
}
declare const Strava: Factory<typeof preset, StravaProfile>;
export { Strava as default };
