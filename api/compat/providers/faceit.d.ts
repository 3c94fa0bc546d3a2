import { Faceit as preset, type FaceitProfile as Shape } from "../../Provider/Faceit.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Faceit: Factory<typeof preset, Profile>;
export { Faceit as default };
