import { Pipedrive as preset, type PipedriveProfile as Shape } from "../../Provider/Pipedrive.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface PipedriveProfile extends Claims<Shape> {
}
declare const Pipedrive: Factory<typeof preset, PipedriveProfile>;
export { Pipedrive as default };
