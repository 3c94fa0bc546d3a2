import { Bungie as preset, type BungieProfile as Shape } from "../../Provider/Bungie.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Bungie: Factory<typeof preset, Profile>;
export { Bungie as default };
