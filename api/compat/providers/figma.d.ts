import { Figma as preset, type FigmaProfile as Shape } from "../../Provider/Figma.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface FigmaProfile extends Claims<Shape> {
}
declare const Figma: Factory<typeof preset, FigmaProfile>;
export { Figma as default };
