import { OryHydra as preset, type OryHydraProfile as Shape } from "../../Provider/OryHydra.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface OryHydraProfile extends Claims<Shape> {
}
declare const OryHydra: Factory<typeof preset, OryHydraProfile>;
export { OryHydra as default };
