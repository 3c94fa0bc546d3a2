/**
 * `UnitedEffects` of `Provider/UnitedEffects.ts`, under the name `providers/united-effects`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { UnitedEffects as preset, type UnitedEffectsProfile as Shape } from "../../Provider/UnitedEffects.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface UnitedEffectsProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/UnitedEffects.ts` says what it needs. @category providers @since 0.1.0 */
const UnitedEffects: Factory<typeof preset, UnitedEffectsProfile> = preset

export { UnitedEffects as default }
