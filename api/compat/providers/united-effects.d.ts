import { UnitedEffects as preset, type UnitedEffectsProfile as Shape } from "../../Provider/UnitedEffects.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface UnitedEffectsProfile extends Claims<Shape> {
}
declare const UnitedEffects: Factory<typeof preset, UnitedEffectsProfile>;
export { UnitedEffects as default };
