/**
 * `Foursquare` of `Provider/Foursquare.ts`, under the name `providers/foursquare`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Foursquare as preset, type FoursquareProfile as Shape } from "../../Provider/Foursquare.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Foursquare.ts` says what it needs. @category providers @since 0.1.0 */
const Foursquare: Factory<typeof preset, Profile> = preset

export { Foursquare as default }
