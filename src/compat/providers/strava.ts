/**
 * `Strava` of `Provider/Strava.ts`, under the name `providers/strava`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Strava as preset, type StravaProfile as Shape } from "../../Provider/Strava.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface StravaProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Strava.ts` says what it needs. @category providers @since 0.1.0 */
const Strava: Factory<typeof preset, StravaProfile> = preset

export { Strava as default }
