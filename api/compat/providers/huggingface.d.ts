import { HuggingFace as preset, type HuggingFaceProfile as Shape } from "../../Provider/HuggingFace.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface HuggingfaceProfile extends Claims<Shape> {
}
declare const HuggingFace: Factory<typeof preset, HuggingfaceProfile>;
export { HuggingFace as default };
