/**
 * `Asgardeo` of `Provider/Asgardeo.ts`, under the name `providers/asgardeo`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Asgardeo as preset, type AsgardeoProfile as Shape } from "../../Provider/Asgardeo.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface AsgardeoProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Asgardeo.ts` says what it needs. @category providers @since 0.1.0 */
const Asgardeo: Factory<typeof preset, AsgardeoProfile> = preset

export { Asgardeo as default }
