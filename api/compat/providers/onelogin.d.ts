import { OneLogin as preset, type OneLoginProfile as Shape } from "../../Provider/OneLogin.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const OneLogin: Factory<typeof preset, Profile>;
export { OneLogin as default };
