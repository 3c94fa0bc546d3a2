/**
 * `HubSpot` of `Provider/HubSpot.ts`, under the name `providers/hubspot`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { HubSpot as preset, type HubSpotProfile as Shape } from "../../Provider/HubSpot.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/HubSpot.ts` says what it needs. @category providers @since 0.1.0 */
const HubSpot: Factory<typeof preset, Profile> = preset

export { HubSpot as default }
