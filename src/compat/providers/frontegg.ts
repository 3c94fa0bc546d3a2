/**
 * `Frontegg` of `Provider/Frontegg.ts`, under the name `providers/frontegg`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Frontegg as preset, type FronteggProfile as Shape } from "../../Provider/Frontegg.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface FronteggProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Frontegg.ts` says what it needs. @category providers @since 0.1.0 */
const Frontegg: Factory<typeof preset, FronteggProfile> = preset

export { Frontegg as default }
