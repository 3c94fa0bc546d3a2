import { Instagram as preset, type InstagramProfile as Shape } from "../../Provider/Instagram.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Instagram: Factory<typeof preset, Profile>;
export { Instagram as default };
