import { Kinde as preset, type KindeProfile as Shape } from "../../Provider/Kinde.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface KindeProfile extends Claims<Shape> {
}
declare const Kinde: Factory<typeof preset, KindeProfile>;
export { Kinde as default };
