/**
 * `Google` of `Provider/Google.ts`, under the name `providers/google`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Google as preset, type GoogleProfile as Shape } from "../../Provider/Google.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface GoogleProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Google.ts` says what it needs. @category providers @since 0.1.0 */
const Google: Factory<typeof preset, GoogleProfile> = preset

export { Google as default }
