import { Figma as preset, type FigmaProfile as Shape } from "../../Provider/Figma.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Figma: Factory<typeof preset, Profile>;
export { Figma as default };
