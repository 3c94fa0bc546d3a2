import { Google as preset, type GoogleProfile as Shape } from "../../Provider/Google.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface GoogleProfile extends Claims<Shape> {
}
declare const Google: Factory<typeof preset, GoogleProfile>;
export { Google as default };
