import { Twitch as preset, type TwitchProfile as Shape } from "../../Provider/Twitch.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface TwitchProfile extends Claims<Shape> {
}
declare const Twitch: Factory<typeof preset, TwitchProfile>;
export { Twitch as default };
