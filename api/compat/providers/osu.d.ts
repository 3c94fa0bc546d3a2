import { Osu as preset, type OsuProfile as Shape } from "../../Provider/Osu.ts";
import type { Claims, Factory, Member } from "../ProviderModule.ts";
export interface OsuProfile extends Claims<Shape> {
}
export interface OsuUserCompact extends Member {
}
declare const Osu: Factory<typeof preset, OsuProfile>;
export { Osu as default };
