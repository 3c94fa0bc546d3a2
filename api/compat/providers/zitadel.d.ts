import { Zitadel as preset, type ZitadelProfile as Shape } from "../../Provider/Zitadel.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface ZitadelProfile extends Claims<Shape> {
}
declare const Zitadel: Factory<typeof preset, ZitadelProfile>;
export { Zitadel as default };
