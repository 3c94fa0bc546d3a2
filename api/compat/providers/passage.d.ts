import { Passage as preset, type PassageProfile as Shape } from "../../Provider/Passage.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface PassageProfile extends Claims<Shape> {
}
declare const Passage: Factory<typeof preset, PassageProfile>;
export { Passage as default };
