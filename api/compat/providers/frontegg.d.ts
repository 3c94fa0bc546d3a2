import { Frontegg as preset, type FronteggProfile as Shape } from "../../Provider/Frontegg.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface FronteggProfile extends Claims<Shape> {
}
declare const Frontegg: Factory<typeof preset, FronteggProfile>;
export { Frontegg as default };
