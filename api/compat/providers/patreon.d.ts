import { Patreon as preset, type PatreonProfile as Shape } from "../../Provider/Patreon.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface PatreonProfile extends Claims<Shape> {
}
declare const Patreon: Factory<typeof preset, PatreonProfile>;
export { Patreon as default };
