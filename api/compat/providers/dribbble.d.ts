import { Dribbble as preset, type DribbbleProfile as Shape } from "../../Provider/Dribbble.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface DribbbleProfile extends Claims<Shape> {
}
declare const Dribbble: Factory<typeof preset, DribbbleProfile>;
export { Dribbble as default };
