/**
 * `Vipps` of `Provider/Vipps.ts`, under the name `providers/vipps`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Vipps as preset, type VippsProfile as Shape } from "../../Provider/Vipps.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface VippsProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Vipps.ts` says what it needs. @category providers @since 0.1.0 */
const Vipps: Factory<typeof preset, VippsProfile> = preset

export { Vipps as default }
