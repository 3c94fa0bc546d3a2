import { HubSpot as preset, type HubSpotProfile as Shape } from "../../Provider/HubSpot.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const HubSpot: Factory<typeof preset, Profile>;
export { HubSpot as default };
