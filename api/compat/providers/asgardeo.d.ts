import { Asgardeo as preset, type AsgardeoProfile as Shape } from "../../Provider/Asgardeo.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface AsgardeoProfile extends Claims<Shape> {
}
declare const Asgardeo: Factory<typeof preset, AsgardeoProfile>;
export { Asgardeo as default };
