import { Box as preset, type BoxProfile as Shape } from "../../Provider/Box.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface BoxProfile extends Claims<Shape> {
}
declare const Box: Factory<typeof preset, BoxProfile>;
export { Box as default };
