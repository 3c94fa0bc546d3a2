import { Roblox as preset, type RobloxProfile as Shape } from "../../Provider/Roblox.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface RobloxProfile extends Claims<Shape> {
}
declare const Roblox: Factory<typeof preset, RobloxProfile>;
export { Roblox as default };
