import { FusionAuth as preset, type FusionAuthProfile as Shape } from "../../Provider/FusionAuth.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface FusionAuthProfile extends Claims<Shape> {
}
declare const FusionAuth: Factory<typeof preset, FusionAuthProfile>;
export { FusionAuth as default };
