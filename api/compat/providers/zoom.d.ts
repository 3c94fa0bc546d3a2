import { Zoom as preset, type ZoomProfile as Shape } from "../../Provider/Zoom.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface ZoomProfile extends Claims<Shape> {
}
declare const Zoom: Factory<typeof preset, ZoomProfile>;
export { Zoom as default };
