import { EveOnline as preset, type EveOnlineProfile as Shape } from "../../Provider/EveOnline.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface EVEOnlineProfile extends Claims<Shape> {
}
declare const EveOnline: Factory<typeof preset, EVEOnlineProfile>;
export { EveOnline as default };
