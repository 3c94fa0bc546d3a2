import { WordPress as preset, type WordPressProfile as Shape } from "../../Provider/WordPress.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const WordPress: Factory<typeof preset, Profile>;
export { WordPress as default };
