/**
 * `Kinde` of `Provider/Kinde.ts`, under the name `providers/kinde`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Kinde as preset, type KindeProfile as Shape } from "../../Provider/Kinde.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface KindeProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Kinde.ts` says what it needs. @category providers @since 0.1.0 */
const Kinde: Factory<typeof preset, KindeProfile> = preset

export { Kinde as default }
