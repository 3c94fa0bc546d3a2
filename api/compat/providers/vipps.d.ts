import { Vipps as preset, type VippsProfile as Shape } from "../../Provider/Vipps.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface VippsProfile extends Claims<Shape> {
}
declare const Vipps: Factory<typeof preset, VippsProfile>;
export { Vipps as default };
