import { AzureDevOps as preset, type AzureDevOpsProfile as Shape } from "../../Provider/AzureDevOps.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface AzureDevOpsProfile extends Claims<Shape> {
}
declare const AzureDevOps: Factory<typeof preset, AzureDevOpsProfile>;
export { AzureDevOps as default };
