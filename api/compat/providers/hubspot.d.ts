import { HubSpot as preset, type HubSpotProfile as Shape } from "../../Provider/HubSpot.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface HubSpotProfile extends Claims<Shape> {
}
declare const HubSpot: Factory<typeof preset, HubSpotProfile>;
export { HubSpot as default };
