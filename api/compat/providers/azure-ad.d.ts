import { AzureAd as preset, type AzureAdProfile as Shape } from "../../Provider/AzureAd.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface AzureADProfile extends Claims<Shape> {
}
declare const AzureAd: Factory<typeof preset, AzureADProfile>;
export { AzureAd as default };
