import { Netlify as preset, type NetlifyProfile as Shape } from "../../Provider/Netlify.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Netlify: Factory<typeof preset, Profile>;
export { Netlify as default };
