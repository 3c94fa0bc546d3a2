import { Okta as preset, type OktaProfile as Shape } from "../../Provider/Okta.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface OktaProfile extends Claims<Shape> {
}
declare const Okta: Factory<typeof preset, OktaProfile>;
export { Okta as default };
