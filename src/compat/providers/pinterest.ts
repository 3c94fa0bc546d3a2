/**
 * `Pinterest` of `Provider/Pinterest.ts`, under the name `providers/pinterest`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Pinterest as preset, type PinterestProfile as Shape } from "../../Provider/Pinterest.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface PinterestProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Pinterest.ts` says what it needs. @category providers @since 0.1.0 */
const Pinterest: Factory<typeof preset, PinterestProfile> = preset

export { Pinterest as default }
