import { NetSuite as preset, type NetSuiteProfile as Shape } from "../../Provider/NetSuite.ts";
import type { Claims, Factory, OwnOptions } from "../ProviderModule.ts";
export interface NetSuiteProfile extends Claims<Shape> {
}
export type OAuthNetSuiteOptions = OwnOptions<typeof preset>;
declare const NetSuite: Factory<typeof preset, NetSuiteProfile>;
export { NetSuite as default };
