import { SimpleLogin as preset, type SimpleLoginProfile as Shape } from "../../Provider/SimpleLogin.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface SimpleLoginProfile extends Claims<Shape> {
}
declare const SimpleLogin: Factory<typeof preset, SimpleLoginProfile>;
export { SimpleLogin as default };
