import { Atlassian as preset, type AtlassianProfile as Shape } from "../../Provider/Atlassian.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface AtlassianProfile extends Claims<Shape> {
}
declare const Atlassian: Factory<typeof preset, AtlassianProfile>;
export { Atlassian as default };
