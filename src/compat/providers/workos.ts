/**
 * `WorkOs` of `Provider/WorkOs.ts`, under the name `providers/workos`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { WorkOs as preset, type WorkOsProfile as Shape } from "../../Provider/WorkOs.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface WorkOSProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/WorkOs.ts` says what it needs. @category providers @since 0.1.0 */
const WorkOs: Factory<typeof preset, WorkOSProfile> = preset

export { WorkOs as default }
