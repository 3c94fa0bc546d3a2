import { Zoho as preset, type ZohoProfile as Shape } from "../../Provider/Zoho.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Zoho: Factory<typeof preset, Profile>;
export { Zoho as default };
