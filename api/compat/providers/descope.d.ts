import { Descope as preset, type DescopeProfile as Shape } from "../../Provider/Descope.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface DescopeProfile extends Claims<Shape> {
}
declare const Descope: Factory<typeof preset, DescopeProfile>;
export { Descope as default };
