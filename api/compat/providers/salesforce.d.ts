import { Salesforce as preset, type SalesforceProfile as Shape } from "../../Provider/Salesforce.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface SalesforceProfile extends Claims<Shape> {
}
declare const Salesforce: Factory<typeof preset, SalesforceProfile>;
export { Salesforce as default };
