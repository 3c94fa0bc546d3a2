import { WorkOs as preset, type WorkOsProfile as Shape } from "../../Provider/WorkOs.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface WorkOSProfile extends Claims<Shape> {
}
declare const WorkOs: Factory<typeof preset, WorkOSProfile>;
export { WorkOs as default };
