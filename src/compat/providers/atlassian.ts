/**
 * `Atlassian` of `Provider/Atlassian.ts`, under the name `providers/atlassian`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Atlassian as preset, type AtlassianProfile as Shape } from "../../Provider/Atlassian.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface AtlassianProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Atlassian.ts` says what it needs. @category providers @since 0.1.0 */
const Atlassian: Factory<typeof preset, AtlassianProfile> = preset

export { Atlassian as default }
