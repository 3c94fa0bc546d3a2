import { Apple as preset, type AppleProfile as Shape } from "../../Provider/Apple.ts";
import type { Claims, Factory, Member } from "../ProviderModule.ts";
export interface AppleProfile extends Claims<Shape> {
}
export interface AppleNonConformUser extends Member {
}
declare const Apple: Factory<typeof preset, AppleProfile>;
export { Apple as default };
