import { Medium as preset, type MediumProfile as Shape } from "../../Provider/Medium.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface MediumProfile extends Claims<Shape> {
}
declare const Medium: Factory<typeof preset, MediumProfile>;
export { Medium as default };
