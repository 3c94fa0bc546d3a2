/**
 * `LinkedIn` of `Provider/LinkedIn.ts`, under the name `providers/linkedin`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { LinkedIn as preset, type LinkedInProfile as Shape } from "../../Provider/LinkedIn.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface LinkedInProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/LinkedIn.ts` says what it needs. @category providers @since 0.1.0 */
const LinkedIn: Factory<typeof preset, LinkedInProfile> = preset

export { LinkedIn as default }
