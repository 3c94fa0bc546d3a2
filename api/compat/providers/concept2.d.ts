import { Concept2 as preset, type Concept2Profile as Shape } from "../../Provider/Concept2.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface Concept2Profile extends Claims<Shape> {
}
declare const Concept2: Factory<typeof preset, Concept2Profile>;
export { Concept2 as default };
