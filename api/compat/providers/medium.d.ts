import { Medium as preset, type MediumProfile as Shape } from "../../Provider/Medium.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Medium: Factory<typeof preset, Profile>;
export { Medium as default };
