import { Box as preset, type BoxProfile as Shape } from "../../Provider/Box.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Box: Factory<typeof preset, Profile>;
export { Box as default };
