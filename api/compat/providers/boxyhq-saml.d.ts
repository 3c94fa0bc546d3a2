import { BoxyHqSaml as preset, type BoxyHqSamlProfile as Shape } from "../../Provider/BoxyHqSaml.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface BoxyHQSAMLProfile extends Claims<Shape> {
}
declare const BoxyHqSaml: Factory<typeof preset, BoxyHQSAMLProfile>;
export { BoxyHqSaml as default };
