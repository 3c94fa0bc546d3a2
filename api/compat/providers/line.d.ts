import { Line as preset, type LineProfile as Shape } from "../../Provider/Line.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface LineProfile extends Claims<Shape> {
}
declare const Line: Factory<typeof preset, LineProfile>;
export { Line as default };
