import { Pinterest as preset, type PinterestProfile as Shape } from "../../Provider/Pinterest.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface PinterestProfile extends Claims<Shape> {
}
declare const Pinterest: Factory<typeof preset, PinterestProfile>;
export { Pinterest as default };
