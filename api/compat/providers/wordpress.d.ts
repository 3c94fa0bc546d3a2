import { WordPress as preset, type WordPressProfile as Shape } from "../../Provider/WordPress.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface WordPressProfile extends Claims<Shape> {
}
declare const WordPress: Factory<typeof preset, WordPressProfile>;
export { WordPress as default };
