/**
 * `Twitter` of `Provider/Twitter.ts`, under the name `providers/twitter`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Twitter as preset, type TwitterProfile as Shape } from "../../Provider/Twitter.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface TwitterProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Twitter.ts` says what it needs. @category providers @since 0.1.0 */
const Twitter: Factory<typeof preset, TwitterProfile> = preset

export { Twitter as default }
