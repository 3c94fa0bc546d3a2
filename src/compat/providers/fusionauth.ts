/**
 * `FusionAuth` of `Provider/FusionAuth.ts`, under the name `providers/fusionauth`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { FusionAuth as preset, type FusionAuthProfile as Shape } from "../../Provider/FusionAuth.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface FusionAuthProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/FusionAuth.ts` says what it needs. @category providers @since 0.1.0 */
const FusionAuth: Factory<typeof preset, FusionAuthProfile> = preset

export { FusionAuth as default }
