/**
 * `Dribbble` of `Provider/Dribbble.ts`, under the name `providers/dribbble`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Dribbble as preset, type DribbbleProfile as Shape } from "../../Provider/Dribbble.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface DribbbleProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Dribbble.ts` says what it needs. @category providers @since 0.1.0 */
const Dribbble: Factory<typeof preset, DribbbleProfile> = preset

export { Dribbble as default }
