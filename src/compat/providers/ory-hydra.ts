/**
 * `OryHydra` of `Provider/OryHydra.ts`, under the name `providers/ory-hydra`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { OryHydra as preset, type OryHydraProfile as Shape } from "../../Provider/OryHydra.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface OryHydraProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/OryHydra.ts` says what it needs. @category providers @since 0.1.0 */
const OryHydra: Factory<typeof preset, OryHydraProfile> = preset

export { OryHydra as default }
