import { Instagram as preset, type InstagramProfile as Shape } from "../../Provider/Instagram.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface InstagramProfile extends Claims<Shape> {
}
declare const Instagram: Factory<typeof preset, InstagramProfile>;
export { Instagram as default };
