import { Facebook as preset, type FacebookProfile as Shape } from "../../Provider/Facebook.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface FacebookProfile extends Claims<Shape> {
}
declare const Facebook: Factory<typeof preset, FacebookProfile>;
export { Facebook as default };
