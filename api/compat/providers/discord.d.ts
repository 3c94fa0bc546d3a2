import { Discord as preset, type DiscordProfile as Shape } from "../../Provider/Discord.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface DiscordProfile extends Claims<Shape> {
}
declare const Discord: Factory<typeof preset, DiscordProfile>;
export { Discord as default };
