import { DuendeIdentityServer6 as preset, type DuendeIdentityServer6Profile as Shape } from "../../Provider/DuendeIdentityServer6.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface DuendeISUser extends Claims<Shape> {
}
declare const DuendeIdentityServer6: Factory<typeof preset, DuendeISUser>;
export { DuendeIdentityServer6 as default };
