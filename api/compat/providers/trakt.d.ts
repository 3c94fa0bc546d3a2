import { Trakt as preset, type TraktProfile as Shape } from "../../Provider/Trakt.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface TraktUser extends Claims<Shape> {
}
declare const Trakt: Factory<typeof preset, TraktUser>;
export { Trakt as default };
