import { Zoho as preset, type ZohoProfile as Shape } from "../../Provider/Zoho.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface ZohoProfile extends Claims<Shape> {
}
declare const Zoho: Factory<typeof preset, ZohoProfile>;
export { Zoho as default };
