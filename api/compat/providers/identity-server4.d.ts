import { IdentityServer4 as preset, type IdentityServer4Profile as Shape } from "../../Provider/IdentityServer4.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface IdentityServer4Profile extends Claims<Shape> {
}
declare const IdentityServer4: Factory<typeof preset, IdentityServer4Profile>;
export { IdentityServer4 as default };
