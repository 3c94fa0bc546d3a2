import { Netlify as preset, type NetlifyProfile as Shape } from "../../Provider/Netlify.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface NetlifyProfile extends Claims<Shape> {
}
declare const Netlify: Factory<typeof preset, NetlifyProfile>;
export { Netlify as default };
