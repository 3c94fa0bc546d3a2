import { TikTok as preset, type TikTokProfile as Shape } from "../../Provider/TikTok.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface TiktokProfile extends Claims<Shape> {
}
declare const TikTok: Factory<typeof preset, TiktokProfile>;
export { TikTok as default };
