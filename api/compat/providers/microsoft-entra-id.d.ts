import { MicrosoftEntraId as preset, type MicrosoftEntraIdProfile as Shape } from "../../Provider/MicrosoftEntraId.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface MicrosoftEntraIDProfile extends Claims<Shape> {
}
declare const MicrosoftEntraId: Factory<typeof preset, MicrosoftEntraIDProfile>;
export { MicrosoftEntraId as default };
