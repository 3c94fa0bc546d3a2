import { OneLogin as preset, type OneLoginProfile as Shape } from "../../Provider/OneLogin.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface OneLoginProfile extends Claims<Shape> {
}
declare const OneLogin: Factory<typeof preset, OneLoginProfile>;
export { OneLogin as default };
