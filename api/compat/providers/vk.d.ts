import { Vk as preset, type VkProfile as Shape } from "../../Provider/Vk.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface VkProfile extends Claims<Shape> {
}
declare const Vk: Factory<typeof preset, VkProfile>;
export { Vk as default };
