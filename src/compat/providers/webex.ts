/**
 * `Webex` of `Provider/Webex.ts`, under the name `providers/webex`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Webex as preset, type WebexProfile as Shape } from "../../Provider/Webex.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface WebexProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Webex.ts` says what it needs. @category providers @since 0.1.0 */
const Webex: Factory<typeof preset, WebexProfile> = preset

export { Webex as default }
