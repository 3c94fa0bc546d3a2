import { AzureAdB2c as preset, type AzureAdB2cProfile as Shape } from "../../Provider/AzureAdB2c.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface AzureADB2CProfile extends Claims<Shape> {
}
declare const AzureAdB2c: Factory<typeof preset, AzureADB2CProfile>;
export { AzureAdB2c as default };
