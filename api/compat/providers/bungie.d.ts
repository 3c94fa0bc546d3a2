import { Bungie as preset, type BungieProfile as Shape } from "../../Provider/Bungie.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface BungieProfile extends Claims<Shape> {
}
declare const Bungie: Factory<typeof preset, BungieProfile>;
export { Bungie as default };
