import { Faceit as preset, type FaceitProfile as Shape } from "../../Provider/Faceit.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface FaceitProfile extends Claims<Shape> {
}
declare const Faceit: Factory<typeof preset, FaceitProfile>;
export { Faceit as default };
